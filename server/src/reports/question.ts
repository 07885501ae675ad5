// The subject of a report, once it is checked: that the days, the number of ids and the rights allow it.
import { addDays } from '@ridewatch/contract/day';
import type { ReportKind, ReportLanguage, ReportParameters } from '@ridewatch/contract/reports';
import { MAX_BUS_IDS, MAX_BUSES_OF_REPORT, MAX_STAT_DAYS } from '@ridewatch/contract/stat-limits';
import { listKnownBuses, listOwnDays, type NamedBus } from '../access/own-days.ts';
import { advancedReportViewer } from '../access/report.ts';
import { findRoutes, type RouteRow } from '../access/route.ts';
import type { Visible } from '../access/visible.ts';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import type { DayRange } from './rows/parts.ts';

/** The parameters of one kind. */
export type ParametersOf<Kind extends ReportKind> = Extract<
  ReportParameters,
  { readonly kind: Kind }
>;

/** A bus with those of the report's days that belong to customers of the user. */
export interface ReportedBus extends NamedBus {
  readonly days: readonly DayRange[];
}

/** A checked report. */
export interface Question {
  /** With the scope of the report. */
  readonly viewer: Viewer;
  readonly parameters: ReportParameters;
  readonly language: ReportLanguage;
  /** When it was asked, ms since 1970 UTC: a local day of a bus that runs then is not over. */
  readonly nowMs: number;
  /** The buses that have rows in the file, by name. The advanced report has all in its scope. */
  readonly buses: Visible<ReportedBus[]>;
  /** The routes of the advanced report, by name. */
  readonly routes: Visible<RouteRow[]> | undefined;
}

interface QuestionDeps {
  readonly db: Db;
  readonly config: Config;
  readonly clock: Clock;
}

/**
 * Checks what a user asks for, by the rights of this moment.
 * @throws AppError invalid_request, too_many_buses, no_right for an advanced report beyond its scope, not_found when one bus or route is
 *   foreign
 */
export async function askReport(
  { db, config, clock }: QuestionDeps,
  viewer: Viewer,
  parameters: ReportParameters,
  language: ReportLanguage,
): Promise<Question> {
  checkDays(parameters);
  const asked = { viewer, parameters, language, nowMs: clock.nowMs() };
  if (parameters.kind === 'advanced-report') {
    if (parameters.groupIds.length > MAX_BUS_IDS) {
      const message = `must be at most ${MAX_BUS_IDS} routes`;
      throw new AppError('invalid_request', message, { field: 'groupIds' });
    }
    const routes = await findRoutes(db, viewer, parameters.groupIds);
    const scoped = advancedReportViewer(viewer, config.advancedReportClients, routes);
    return { ...asked, viewer: scoped, routes, buses: await findBuses(db, scoped, parameters) };
  }
  const { workplaceIds: ids } = parameters;
  const isByRoute = parameters.kind === 'passenger-traffic' && parameters.groupby === 'route';
  const most = isByRoute ? MAX_BUS_IDS : MAX_BUSES_OF_REPORT;
  if (ids !== undefined && new Set(ids).size > most) {
    const message = `A report names at most ${most} buses; without any it is about all of them.`;
    throw new AppError('too_many_buses', message, { field: 'workplaceIds' });
  }
  return { ...asked, routes: undefined, buses: await findBuses(db, viewer, parameters, ids) };
}

/**
 * Checks that a user may still see the rows of a file.
 * @param busIds whose rows it has; null where the parameters name all of it
 * @throws AppError as `askReport`
 */
export async function checkStillVisible(
  deps: QuestionDeps,
  viewer: Viewer,
  parameters: ReportParameters,
  busIds: readonly number[] | null,
): Promise<void> {
  if (parameters.kind === 'advanced-report' || busIds === null) {
    await askReport(deps, viewer, parameters, 'en_US');
  } else {
    await listKnownBuses(deps.db, viewer, busIds);
  }
}

async function findBuses(
  db: Db,
  viewer: Viewer,
  { from, to }: ReportParameters,
  ids?: readonly number[],
): Promise<Visible<ReportedBus[]>> {
  const buses = await listKnownBuses(db, viewer, ids);
  const own = await listOwnDays(
    db,
    viewer,
    buses.map(({ id }) => id),
    { dateFrom: from, dateTo: to },
  );
  const reported = buses.flatMap((bus): ReportedBus[] => {
    const days = own.get(bus.id);
    if (days === undefined) return [];
    return [{ ...bus, days: days.map((span) => ({ from: span.dateFrom, to: span.dateTo })) }];
  });
  return reported as Visible<ReportedBus[]>;
}

function checkDays({ from, to }: ReportParameters): void {
  const refuse = (message: string): never => {
    throw new AppError('invalid_request', message, { field: 'to' });
  };
  if (to < from) refuse('is before from');
  if (to >= addDays(from, MAX_STAT_DAYS)) refuse(`is more than ${MAX_STAT_DAYS} days after from`);
}
