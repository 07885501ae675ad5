// The calculator: what a bus took on a local day, what the driver gets, what is handed in. The formulas are in money.ts.
import * as z from 'zod/mini';
import { Calculation, CalculationEvent } from './day-calculation.ts';
import { endpoint } from './endpoint.ts';
import { DayLimit, Roubles } from './laps.ts';
import { Day, Id, IdText, Moment, Text } from './primitives.ts';

/** Most days of buses that one command on a route may change. */
export const MAX_CALCULATED_DAYS = 20_000;
/** Pairs of stops without a price that one answer names, those with the most people first. */
export const MAX_UNPRICED_PAIRS = 200;

const matching = (pattern: RegExp, problem: string) => z.string().check(z.regex(pattern, problem));

/** A fare in a request: 0 to 99999.99, or 100000. */
export const Fare = matching(
  /^(100000(\.0{1,2})?|\d{1,5}(\.\d{1,2})?)$/,
  'must be 0 to 100000 roubles with two decimals at most',
);
/** A salary percent in a request. */
export const SalaryPercent = matching(
  /^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/,
  'must be 0 to 100 percent with two decimals at most',
);
const Correction = matching(
  /^-?\d{1,8}(\.\d{1,2})?$/,
  'must be roubles with two decimals at most, below 100000000',
);
const HandedIn = matching(
  /^\d{1,8}(\.\d{1,2})?$/,
  'must be 0 to 99999999.99 roubles with two decimals at most',
);

/** A bound of the shift. Screens have hours and minutes, and show no second that would cut the day. */
const WholeMinute = Moment.check(
  z.regex(/:00(\.0+)?Z$/, 'must be a whole minute, without seconds'),
);
const shift = {
  shift_start: z.optional(z.nullable(WholeMinute)),
  shift_end: z.optional(z.nullable(WholeMinute)),
};
/** The values that a group gets at once; also copied from day to day. */
const copied = {
  fare: z.optional(Fare),
  salary_percent: z.optional(SalaryPercent),
  calculation_event: z.optional(CalculationEvent),
};
/** Values as they are stored: a driver or a shift may be of a time when other rules held. */
const Seen = z.object({
  ...copied,
  shift_start: z.optional(z.nullable(Moment)),
  shift_end: z.optional(z.nullable(Moment)),
  cashless: z.optional(Correction),
  driver: z.optional(z.nullable(z.string())),
  handed_in: z.optional(z.nullable(HandedIn)),
});
/** Most saves of a user that may be without an answer at once. */
const MOST_UNANSWERED = 10;
const onDay = {
  workplaceId: Id,
  date: Day,
  /**
   * The values that this request changes, as the user saw them. If one of them is another by now, nothing is stored and
   * the answer is `conflict` with `seen.<field>`, and the stored calculation in `current`; other values are merged.
   * Without it the values are set whatever is stored.
   */
  seen: z.optional(Seen),
  /** The user's own saves that have no answer: a stored value of theirs is no change of somebody else. */
  unanswered: z.optional(z.array(Seen).check(z.maxLength(MOST_UNANSWERED))),
};

const path = '/api/workplaces/calculation';
const dayOfBus = z.object({ workplaceId: IdText, date: Day });
const reading = ['unauthorized', 'invalid_request', 'not_found'] as const;
const saving = [...reading, 'conflict'] as const;

export const findCalculation = endpoint({
  method: 'GET',
  path,
  summary: "A bus's calculation of a local day: fare, salary, correction, shift, and their figures",
  access: 'user',
  scope: 'money',
  query: dayOfBus,
  response: Calculation,
  errors: [...reading, 'too_large'],
});

export const saveCalculation = endpoint({
  method: 'PUT',
  path,
  summary:
    'Changes the named values of a calculation; if somebody changed one of them unseen, none, and `current` has the stored one',
  access: 'user',
  body: z.object({
    ...onDay,
    ...copied,
    ...shift,
    cashless: z.optional(Correction),
    driver: z.optional(z.nullable(Text)),
    handed_in: z.optional(z.nullable(HandedIn)),
  }),
  response: Calculation,
  errors: [...saving, 'too_large'],
});

export const saveShift = endpoint({
  method: 'POST',
  path: '/api/workplaces/shift',
  summary:
    'Changes the shift of a calculation, in whole minutes. Events outside it count in no total, hour, money or statistic of the day',
  access: 'user',
  body: z.object({ ...onDay, ...shift }),
  response: Calculation,
  errors: [...saving, 'too_large'],
});

export const recalculateCalculation = endpoint({
  method: 'POST',
  path: `${path}/recalculate`,
  summary: "Calculates one day's fares anew: its laps, with the routes and prices valid on it",
  access: 'user',
  body: z.object({ workplace_id: Id, date: Day }),
  errors: [...reading, 'no_right'],
});

/** People in the chosen direction: of the counter, the difference by manual counts, and both together. */
const people = { automatic: z.int(), corrections: z.int(), count: z.int() };

/** An hour of the day. */
export const CalculationHour = z.object({
  start_time: Moment,
  ...people,
  /** Fare × count; null where the revenue comes from laps. */
  total: z.nullable(Roubles),
});
export type CalculationHour = z.infer<typeof CalculationHour>;

/**
 * A lap with its part of the sum. Fixed: the people of the lap whose events are of the day and the shift. By prices: all
 * people of a lap that starts on the day and in the shift.
 */
export const CalculationLap = z.object({
  lap_id: Id,
  /** The day to which the lap belongs; the day before for one that runs past midnight. */
  date: Day,
  number: z.int(),
  start: Moment,
  end: Moment,
  open: z.boolean(),
  ...people,
  total: Roubles,
  /** The stated error (±) of an estimate, else null. */
  error: z.nullable(Roubles),
  no_price: z.number(),
});
export type CalculationLap = z.infer<typeof CalculationLap>;

/** A ride without a price. */
export const UnpricedPair = z.object({
  lap_id: Id,
  number: z.int(),
  /** Null: between stops. */
  from_stop_id: z.nullable(Id),
  from_stop: z.string(),
  to_stop_id: z.nullable(Id),
  to_stop: z.string(),
  people: z.number(),
});
export type UnpricedPair = z.infer<typeof UnpricedPair>;

/** A fragment with manual counts. */
export const CalculationCorrection = z.object({
  segment_id: Id,
  camera_id: Id,
  door: z.nullable(z.int()),
  /** When its difference counts: the fragment's start. */
  time: Moment,
  ...people,
  /** Its start is inside the shift: `corrections` is part of the sums. */
  inside: z.boolean(),
  at: Moment,
  /** Login. */
  by: z.string(),
});
export type CalculationCorrection = z.infer<typeof CalculationCorrection>;

/** The parts of the figures of a calculation. They add up to the whole exactly. */
export const CalculationParts = z.object({
  calculation: Calculation,
  /** Hours with people inside the shift; their sum is `calculation.count`. */
  hours: z.array(CalculationHour),
  /** Laps inside the shift; with `other` and less `outside` their sum is `calculation.count`, and `calculation.total`. */
  laps: z.array(CalculationLap),
  /** The people of none of these laps. By prices they pay nothing. */
  other: z.object({ ...people, total: Roubles }),
  /** By prices: the people of these laps outside the shift or the day, with whom the laps count whole. */
  outside: z.object(people),
  /** At most MAX_UNPRICED_PAIRS; empty for laps calculated before the server stored pairs. */
  no_price: z.array(UnpricedPair),
  corrections: z.array(CalculationCorrection),
  /** Fragments of the day's door cameras, as the count tab lists them, and how many of them somebody reviewed. */
  fragments: z.object({ total: z.int(), reviewed: z.int() }),
  /** Records or edits of the day wait to be calculated: the laps are older than they. */
  pending: z.boolean(),
  /** Why the laps could not be calculated; those shown are older. */
  failure: z.nullable(DayLimit),
});
export type CalculationParts = z.infer<typeof CalculationParts>;

export const findCalculationParts = endpoint({
  method: 'GET',
  path: `${path}/parts`,
  summary:
    'The sums behind each figure of a calculation, with the laps and fragments they are from',
  access: 'user',
  scope: 'money',
  query: dayOfBus,
  response: CalculationParts,
  errors: [...reading, 'too_large'],
});

/** The values that a command on a route changes, or would change. */
export const GroupCalculation = z.object({
  /** Days of buses with records and other values, and how many buses they are of. */
  days: z.int(),
  buses: z.int(),
  /** Buses without records on the day from which they get the values: their later days copy them. */
  later_buses: z.int(),
  /** The first and the last of the days; null: there is none. */
  first_day: z.nullable(Day),
  last_day: z.nullable(Day),
  /** Of those days, revenue and salary. */
  total_before: Roubles,
  total_after: Roubles,
  salary_before: Roubles,
  salary_after: Roubles,
  /** Days whose revenue comes from laps: it is calculated anew for the other event, and `total_after` has the old one. */
  recalculated_days: z.int(),
});
export type GroupCalculation = z.infer<typeof GroupCalculation>;

export const setGroupCalculation = endpoint({
  method: 'PUT',
  path: `${path}/group`,
  summary: `Sets fare, percent and event of all buses of a route from a local day on; a preview says what would change. At most ${MAX_CALCULATED_DAYS} days of buses`,
  access: 'user',
  body: z.object({
    group_id: Id,
    date_from: Day,
    ...copied,
    preview: z.boolean(),
    /** `days` of the preview that the user saw: if another number would change now, nothing does, and `current` has the new preview. */
    seen_days: z.optional(z.int().check(z.minimum(0))),
  }),
  response: GroupCalculation,
  errors: [...saving, 'no_right'],
});
