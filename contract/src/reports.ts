// Reports: six kinds of rows as a file that a job makes, and that is listed and kept (`/api/reports`). report-exports.ts
// has the same rows as a file at once.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Day, Id, IdText, Moment } from './primitives.ts';
import { STAT_TICKS } from './stat-ticks.ts';

/** The kinds of reports. Their columns are in docs/reports.md. */
export const ReportKind = z.enum([
  'passenger-traffic',
  'tariff-calc',
  'workplaces-report',
  'bus-load',
  'advanced-report',
  'test-export',
]);
export type ReportKind = z.infer<typeof ReportKind>;

/** A spreadsheet, or the same rows as text. */
export const ReportFormat = z.enum(['xlsx', 'csv']);
export type ReportFormat = z.infer<typeof ReportFormat>;

/** Media types of the formats, as `Accept` names them. */
export const reportTypes = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
} as const satisfies Record<ReportFormat, string>;

/** The languages of headings and words in cells (spec section 9). */
export const ReportLanguage = z.enum(['ru_RU', 'en_US']);
export type ReportLanguage = z.infer<typeof ReportLanguage>;

/** In progress; ready; failed or cancelled. */
export const ReportStatus = z.enum(['PROCESS', 'COMPLETE', 'FAILED']);
export type ReportStatus = z.infer<typeof ReportStatus>;

/** Why there is no file. `not_found`: by the time it was made, its buses or routes were no longer the user's to see. */
export const ReportFailure = z.enum([
  'cancelled',
  'not_found',
  'no_right',
  'too_large',
  'no_space',
  'failed',
]);
export type ReportFailure = z.infer<typeof ReportFailure>;

/** Most rows of a file; more are `too_large`: the user asks for fewer days or buses. */
export const MAX_REPORT_ROWS = 5_000_000;

/** Up to this number of rows screens take the file at once; above it they request a report. */
export const MAX_ROWS_AT_ONCE = 20_000;

/** Most reports of a user that are in progress: the next one is refused. */
export const MAX_OPEN_REPORTS = 10;

/** Passenger traffic has a line for each bus, or for each route. */
export const ReportGrouping = z.enum(['bus', 'route']);
export type ReportGrouping = z.infer<typeof ReportGrouping>;

/** 1 = Monday. */
const Weekday = z.int().check(z.minimum(1), z.maximum(7));

/** Local days of each bus, both ends included; at most MAX_STAT_DAYS. */
export const reportRange = { from: Day, to: Day };
/** No buses: all that the user may see. */
const buses = { ...reportRange, workplaceIds: z.optional(z.array(Id).check(z.minLength(1))) };

/**
 * The range, buses and options of a report. More than MAX_BUSES_OF_REPORT buses with rows of their own, or MAX_BUS_IDS ids, are
 * `too_many_buses`; for all buses, and by route, there is no other limit.
 */
export const ReportParameters = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('passenger-traffic'),
    ...buses,
    groupby: z._default(ReportGrouping, 'bus'),
    /** Unless given, as the range asks: see `tickOf`. */
    tick: z.optional(z.enum(STAT_TICKS)),
    /** Only days of these weekdays; all unless given. */
    dayOfWeek: z.optional(z.array(Weekday).check(z.minLength(1), z.maxLength(7))),
  }),
  z.object({ kind: z.literal('tariff-calc'), ...buses }),
  z.object({ kind: z.literal('workplaces-report'), ...buses }),
  z.object({ kind: z.literal('bus-load'), ...buses }),
  z.object({
    kind: z.literal('advanced-report'),
    ...reportRange,
    groupIds: z.array(Id).check(z.minLength(1)),
  }),
  z.object({ kind: z.literal('test-export'), ...buses }),
]);
export type ReportParameters = z.infer<typeof ReportParameters>;

/** Why rows of reports are refused, at once or for a job. */
export const reportRefusals = [
  'unauthorized',
  'invalid_request',
  'too_many_buses',
  'no_right',
  'not_found',
  'too_large',
] as const;

/** A report that a user requested; only that user sees it. */
export const Report = z.object({
  id: Id,
  status: ReportStatus,
  format: ReportFormat,
  language: ReportLanguage,
  parameters: ReportParameters,
  /** The buses or routes that it names: the number, null for all, and the names of the first five. */
  subjects: z.object({ total: z.nullable(z.int()), names: z.array(z.string()) }),
  /** 0 to 100. */
  progress: z.int(),
  fail_reason: z.nullable(ReportFailure),
  created_at: Moment,
  completed_at: z.nullable(Moment),
  /** Of the file; null while there is none. */
  rows: z.nullable(z.int()),
  size_bytes: z.nullable(z.int()),
  /** Name under which the file is saved. */
  file_name: z.string(),
  /** Signed address of the file; null while there is none. */
  download: z.nullable(z.string()),
  /** When the file is deleted. */
  expires_at: z.nullable(Moment),
});
export type Report = z.infer<typeof Report>;

const Wanted = z.object({
  parameters: ReportParameters,
  format: z._default(ReportFormat, 'xlsx'),
  /** `Accept-Language` decides unless given. */
  language: z.optional(ReportLanguage),
});

export const requestReport = endpoint({
  method: 'POST',
  path: '/api/reports',
  summary: "Requests a report; joins an equal one of the user's that is in progress",
  access: 'user',
  body: Wanted,
  response: Report,
  errors: [...reportRefusals, 'too_many_attempts'],
});

export const estimateReport = endpoint({
  method: 'POST',
  path: '/api/reports/estimate',
  summary: `Counts the rows of a report, to ${MAX_ROWS_AT_ONCE} at most: more of them are a report's work`,
  access: 'user',
  inView: true,
  body: z.object({ parameters: ReportParameters }),
  response: z.object({
    /** At most MAX_ROWS_AT_ONCE. */
    rows: z.int(),
    /** There are more rows than that: request a report. */
    is_long: z.boolean(),
  }),
  errors: reportRefusals,
});

export const listReports = endpoint({
  method: 'GET',
  path: '/api/reports',
  summary: "One's reports in progress, with a file, or failed in the last days; the latest first",
  access: 'user',
  query: z.object({
    kind: z.optional(ReportKind),
    status: z.optional(ReportStatus),
    /** From 0. */
    page: z.optional(z.string().check(z.regex(/^\d{1,6}$/, 'must be 0 or a greater number'))),
    /** 10 unless given. */
    perPage: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/, 'must be 1 to 999'))),
  }),
  response: z.object({
    items: z.array(Report),
    /** The page. */
    number: z.int(),
    total: z.int(),
    /** How many of the user's reports are in progress, whatever the filters: poll while there are any. */
    in_progress: z.int(),
  }),
  errors: ['unauthorized', 'invalid_request'],
});

const one = z.object({ reportId: IdText });

export const findReport = endpoint({
  method: 'GET',
  path: '/api/reports/{reportId}',
  summary: 'A report with its progress',
  access: 'user',
  params: one,
  response: Report,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const cancelReport = endpoint({
  method: 'POST',
  path: '/api/reports/{reportId}/cancel',
  summary: 'Cancels a report in progress: it becomes FAILED with reason cancelled',
  access: 'user',
  params: one,
  response: Report,
  errors: ['unauthorized', 'invalid_request', 'not_found', 'conflict'],
});

export const downloadReport = endpoint({
  method: 'GET',
  path: '/api/reports/{reportId}/download',
  summary: 'The file of a report, by Bearer token or signed address',
  access: 'public',
  params: one,
  query: z.object({ hash: z.optional(z.string().check(z.maxLength(255))) }),
  produces: Object.values(reportTypes),
  errors: [
    'unauthorized',
    'invalid_request',
    'bad_signature',
    'not_found',
    'range_not_satisfiable',
    'precondition_failed',
  ],
});
