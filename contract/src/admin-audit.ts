import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Named, pageFields, pageOf } from './paging.ts';
import { Day, Id, IdText, Moment, Text } from './primitives.ts';
import { ReportFormat, ReportLanguage, reportTypes } from './reports.ts';

/** Most rows that a list counts; more are found by narrower filters. */
export const MOST_AUDIT_ROWS = 10_000;
/** Most rows of an exported file. */
export const MOST_AUDIT_EXPORT = 50_000;

/** The kind of a command: it changes something, begins or ends a session, or reads: video, exports, reports. */
export const AuditKind = z.enum(['change', 'session', 'reading']);
export type AuditKind = z.infer<typeof AuditKind>;

/** One command: who, when, what, before and after. */
export const AuditRow = z.object({
  id: Id,
  at: Moment,
  /** The user who gave the command, by login; or the API key, by name. */
  user: z.nullable(Named),
  /** The unit whose word it was, by device id. Neither: the server itself, or a command on its machine. */
  unit: z.nullable(Named),
  action: z.string(),
  object_type: z.string(),
  object_id: z.nullable(z.string()),
  /** The name of the object as it is now, and of a deleted one its last known; null where there is none. */
  object_name: z.nullable(z.string()),
  /** Present names of the objects in `before` and `after`, of deleted ones the last known, by field and id. */
  names: z.record(z.string(), z.record(z.string(), z.string())),
  before: z.unknown(),
  after: z.unknown(),
  request_id: z.nullable(z.string()),
  /** The loaded table that gave the command. */
  import_id: z.nullable(Id),
  address: z.nullable(z.string()),
});
export type AuditRow = z.infer<typeof AuditRow>;

const filters = {
  kind: z.optional(AuditKind),
  userId: z.optional(IdText),
  action: z.optional(Text),
  objectType: z.optional(Text),
  /** With the type of buses, also the moves of units from and to this one. */
  objectId: z.optional(Text),
  importId: z.optional(IdText),
  /** Days in Moscow, both included. */
  from: z.optional(Day),
  to: z.optional(Day),
};

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'The commands of users and units, the latest first; at most 10,000 are counted',
  access: 'admin',
  query: z.object({ ...pageFields, ...filters }),
  response: z.extend(pageOf(AuditRow), {
    /** Actions and types of objects that the filters can name. */
    actions: z.array(z.string()),
    object_types: z.array(z.string()),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});

export const findAuditRow = endpoint({
  method: 'GET',
  path: '/api/admin/audit/{auditId}',
  summary: 'A command',
  access: 'admin',
  params: z.object({ auditId: IdText }),
  response: AuditRow,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const exportAudit = endpoint({
  method: 'GET',
  path: '/api/admin/audit/export',
  summary: 'The commands that the filters name as a file, at most 50,000',
  access: 'admin',
  query: z.object({
    ...filters,
    search: pageFields.search,
    format: z._default(ReportFormat, 'xlsx'),
    language: z._default(ReportLanguage, 'ru_RU'),
  }),
  produces: Object.values(reportTypes),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'too_large', 'unavailable'],
});
