// The history of a calculation: its values, and the manual counts behind its figures.
import * as z from 'zod/mini';
import { CalculationEvent } from './day-calculation.ts';
import { endpoint } from './endpoint.ts';
import { Roubles } from './laps.ts';
import { Day, Id, IdText, Moment } from './primitives.ts';

/** Changes on a page of the history. */
export const HISTORY_PAGE = 50;

/** The values of a calculation by name. */
export const CalculationField = z.enum([
  'fare',
  'salary_percent',
  'cashless',
  'calculation_event',
  'shift_start',
  'shift_end',
  'driver',
  'handed_in',
]);
export type CalculationField = z.infer<typeof CalculationField>;

/** Numbered within its kind. `by` is a login. */
const made = { id: Id, at: Moment, by: z.string() };

/** A value that somebody changed. */
export const CalculationChange = z.object({
  kind: z.literal('value'),
  ...made,
  /** Of the calculation after the change. */
  version: z.int(),
  field: CalculationField,
  /** As in a calculation; null for none. */
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  /** On the page of the bus, or for the whole group. */
  source: z.enum(['hand', 'group']),
});
export type CalculationChange = z.infer<typeof CalculationChange>;

/** The manual counts of a fragment; children apart. */
export const CountSide = z.enum(['entered', 'exited', 'entered_kids', 'exited_kids']);
export type CountSide = z.infer<typeof CountSide>;

/** Manual counts that somebody set or emptied at once. */
export const CountChange = z.object({
  kind: z.literal('count'),
  ...made,
  segment_id: Id,
  door: z.nullable(z.int()),
  /** Start of the fragment. */
  time: Moment,
  /** The sides that changed; null: the automatic count stands. */
  sides: z.array(
    z.object({ side: CountSide, before: z.nullable(z.int()), after: z.nullable(z.int()) }),
  ),
});
export type CountChange = z.infer<typeof CountChange>;

export const listCalculationChanges = endpoint({
  method: 'GET',
  path: '/api/workplaces/calculation/history',
  summary:
    'Who changed a calculation or the manual counts of its day, when, and what; the latest first',
  access: 'user',
  scope: 'money',
  query: z.object({
    workplaceId: IdText,
    date: Day,
    /** From 0. */
    page: z.optional(z.string().check(z.regex(/^\d{1,6}$/, 'must be 0 to 999999'))),
    perPage: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/, 'must be 1 to 999'))),
  }),
  response: z.object({
    items: z.array(z.discriminatedUnion('kind', [CalculationChange, CountChange])),
    number: z.int(),
    total: z.int(),
    /** How the record came to be, before all changes; null while there is none. */
    created: z.nullable(
      z.object({
        /** Null: before the server stored it. */
        at: z.nullable(Moment),
        /** The day from which its values were copied; null: from none. */
        copied_from: z.nullable(Day),
        fare: Roubles,
        salary_percent: z.string(),
        calculation_event: CalculationEvent,
      }),
    ),
  }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});
