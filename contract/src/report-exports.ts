// Exports: the rows of a report as a file at once (GET). The job of a report (reports.ts) writes the same rows by the same
// writer.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { IdText } from './primitives.ts';
import {
  ReportGrouping,
  ReportLanguage,
  reportRange,
  reportRefusals,
  reportTypes,
} from './reports.ts';
import { MAX_BUS_IDS } from './stat-limits.ts';
import { STAT_TICKS } from './stat-ticks.ts';

const Ids = z.union([IdText, z.array(IdText)]);
const WeekdayText = z.string().check(z.regex(/^[1-7]$/, 'must be 1 to 7'));

/** In the query of every file; without a language `Accept-Language` decides. */
const language = { language: z.optional(ReportLanguage) };
const busesQuery = z.object({ ...reportRange, workplaceIds: z.optional(Ids), ...language });
const produces = Object.values(reportTypes);

export const exportPassengerTraffic = endpoint({
  method: 'GET',
  path: '/api/stat/passenger-traffic/export',
  summary: 'Passenger traffic by tick and bus or route, as XLSX, or CSV by Accept',
  access: 'user',
  scope: 'statistics',
  query: z.extend(busesQuery, {
    groupby: z._default(ReportGrouping, 'bus'),
    tick: z.optional(z.enum(STAT_TICKS)),
    dayOfWeek: z.optional(z.union([WeekdayText, z.array(WeekdayText)])),
  }),
  produces,
  errors: reportRefusals,
});

export const exportTariffCalc = endpoint({
  method: 'GET',
  path: '/api/stat/tariff-calc/export',
  summary: 'The calculator of every bus and day, as XLSX, or CSV by Accept',
  access: 'user',
  scope: 'money',
  query: busesQuery,
  produces,
  errors: reportRefusals,
});

export const exportWorkplacesReport = endpoint({
  method: 'GET',
  path: '/api/stat/workplaces-report',
  summary: 'The stops of every lap of buses, as XLSX, or CSV by Accept',
  access: 'user',
  scope: 'statistics',
  query: busesQuery,
  produces,
  errors: reportRefusals,
});

export const exportBusLoad = endpoint({
  method: 'GET',
  path: '/api/stat/bus-load/export',
  summary: 'Greatest and mean load of every lap by hour, as XLSX, or CSV by Accept',
  access: 'user',
  scope: 'statistics',
  query: busesQuery,
  produces,
  errors: reportRefusals,
});

export const exportAdvancedReport = endpoint({
  method: 'GET',
  path: '/api/stat/advanced-report/export',
  summary: `Laps, passengers and greatest load of at most ${MAX_BUS_IDS} routes by day and hour, as XLSX, or CSV by Accept`,
  access: 'user',
  query: z.object({ ...reportRange, groupIds: Ids, ...language }),
  produces,
  errors: reportRefusals,
});

export const exportTest = endpoint({
  method: 'GET',
  path: '/api/stat/test-export',
  summary: 'Every raw passenger event with its source, as XLSX, or CSV by Accept',
  access: 'user',
  query: busesQuery,
  produces,
  errors: reportRefusals,
});
