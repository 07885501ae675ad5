// A day's calculation as answers have it. Its calls are in calculation.ts, so that a bus's day, which contains one, loads
// none of them.
import * as z from 'zod/mini';
import { CalculationType } from './bus-routes.ts';
import { Roubles } from './laps.ts';
import { Day, Id, Moment } from './primitives.ts';

/** The direction of the people whom the fare multiplies. */
export const CalculationEvent = z.enum(['ENTERED', 'EXITED']);
export type CalculationEvent = z.infer<typeof CalculationEvent>;

/** A bus's calculation of a local day, with its figures. */
export const Calculation = z.object({
  workplace_id: Id,
  date: Day,
  /** `45.00` */
  fare: Roubles,
  /** Percent with two decimals: `18.50`. */
  salary_percent: z.string(),
  /** The correction; may be negative. */
  cashless: Roubles,
  calculation_event: CalculationEvent,
  /** Events before it do not count; null: from the start of the day. */
  shift_start: z.nullable(Moment),
  /** Events from it on do not count; null: up to the end of the day. */
  shift_end: z.nullable(Moment),
  driver: z.nullable(z.string()),
  /** The sum that the driver handed in; null: not known. */
  handed_in: z.nullable(Roubles),
  /** The day has a record. Without events and changes it has none, and shows what its first event would copy. */
  stored: z.boolean(),
  /** The day from which fare, percent and event were, or would be, copied; null: from none. */
  copied_from: z.nullable(Day),
  /** When and by whom (login) it was last changed; null: by nobody. */
  updated_at: z.nullable(Moment),
  updated_by: z.nullable(z.string()),
  /** How the total comes about: fare × count, or the revenue of laps. */
  type_calculation: CalculationType,
  /** Priced by rides: an edit of counts or prices is not yet in the total. */
  pending: z.boolean(),
  /** Effective count in the chosen direction, inside the shift. */
  count: z.int(),
  /** Effective count in the chosen direction that the shift leaves out. */
  outside_shift: z.int(),
  total: Roubles,
  /** The stated error (±) of an estimated total; null where the total is exact. */
  total_error: z.nullable(Roubles),
  /** People whose ride has no price; a fraction is possible. */
  no_price: z.number(),
  /** Of the total, rounded half away from zero. */
  salary: Roubles,
  /** To hand in: total − salary − correction; may be negative. */
  result: Roubles,
  /** Handed in − result; null while `handed_in` is not known. */
  difference: z.nullable(Roubles),
});
export type Calculation = z.infer<typeof Calculation>;
