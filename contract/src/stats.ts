import * as z from 'zod/mini';
import { UNGROUPED } from './bus-routes.ts';
import { endpoint } from './endpoint.ts';
import { LapRecalculation } from './lap-recalculation.ts';
import { Roubles } from './laps.ts';
import { Day, Id, IdText, Zone } from './primitives.ts';
import { STAT_TICKS } from './stat-ticks.ts';

/** Most rows of one answer, of 200 buses at 400 ticks; with more of them the next coarser ticks are taken. */
export const MAX_STAT_ROWS = 80_000;

const Weekday = z.string().check(z.regex(/^[1-7]$/, 'must be 1 to 7'));
const listOf = <T extends z.ZodMiniType>(one: T) => z.optional(z.union([one, z.array(one)]));

/** The chosen days and buses. */
const selection = {
  dateFrom: Day,
  /** Included. */
  dateTo: Day,
  /** Repeated keys, `workplaces` or `workplaces[]`; all buses of the user when left out. A foreign id: 404. */
  workplaces: listOf(IdText),
  /** Only these weekdays, 1 = Monday; all when left out. */
  dayOfWeek: listOf(Weekday),
};

/** A bus, or a route; buses without a route are one series. */
export const SeriesId = z.union([Id, z.literal(UNGROUPED)]);
export type SeriesId = z.infer<typeof SeriesId>;

/** People and money of some days: effective counts within the shift. */
export const TrafficSum = z.object({
  /** Adults and children. */
  entered: z.int(),
  exited: z.int(),
  /** The children among them. */
  entered_kids: z.int(),
  exited_kids: z.int(),
  /** Revenue, roubles. */
  fare: Roubles,
  /** People whose ride has no price, and who are therefore not in the revenue. */
  no_price: z.number(),
  /**
   * Local hours, of all buses together, in which a unit sent nothing although it should have: between two records of
   * its day, or at a time at which it sent something on the same weekday in one of the four weeks before.
   */
  silent_hours: z.int(),
});
export type TrafficSum = z.infer<typeof TrafficSum>;

/** Units that are sending older records, newer ones first or after a lost link: their days are not whole yet. */
export const ArrivingRecords = z.object({
  /** The first local day of which records are still to come. */
  from: Day,
  /** The number of chosen buses whose units are sending. */
  buses: z.int(),
});
export type ArrivingRecords = z.infer<typeof ArrivingRecords>;

/** One series at one tick. */
export const TrafficRow = z.extend(TrafficSum, {
  id: SeriesId,
  /** The first local day of the tick within the range; see `ticksOf`. */
  start_time: Day,
  /** Of days that are not over by the clock of their bus, apart from the row of those that are. */
  running: z.boolean(),
  /** The days with records. */
  days: z.int(),
  /** Local hours in which units sent something. */
  heard_hours: z.int(),
});
export type TrafficRow = z.infer<typeof TrafficRow>;

const PassengerTraffic = z.object({
  /** By series and tick. A series without a row at a tick, or with one of 0 days and nobody, has no records there. */
  items: z.array(TrafficRow),
  number: z.int(),
  total: z.int(),
  /** Every bus or route of the rows, by name. */
  series: z.array(
    z.object({
      id: SeriesId,
      name: z.string(),
      /** Hours that its buses would have had on the days before their first record, were these like the later ones. */
      missing_hours: z.int(),
    }),
  ),
  /** The tick by which the rows are grouped: coarser than asked when there would be too many ticks or rows. */
  tick: z.enum(STAT_TICKS),
  /** Of the days that are over by the clock of each bus; with `until` also people and revenue of those that run. */
  totals: z.extend(TrafficSum, {
    /** Hours in which units sent something. Completeness is heard / (heard + silent + missing), of days that are over. */
    heard_hours: z.int(),
    /** Of all series. */
    missing_hours: z.int(),
    /** The chosen days of which any chosen bus has records, and which are over. */
    days_with_data: z.int(),
    /** The first local day at all of which a chosen bus has records; null: none has. */
    first_day: z.nullable(Day),
  }),
  /**
   * Days of buses whose newest records, edits or silent hours are not in the figures yet, at most 100,000; 0 but for a
   * backlog and right after midnight.
   */
  pending: z.int(),
  /** Records of the chosen days that are on their way; null: none that the server knows of. */
  arriving: z.nullable(ArrivingRecords),
});
export type PassengerTraffic = z.infer<typeof PassengerTraffic>;

const reading = ['unauthorized', 'invalid_request', 'not_found', 'too_many_buses'] as const;

export const findPassengerTraffic = endpoint({
  method: 'GET',
  path: '/api/stat/passenger-traffic',
  summary: 'People and revenue by bus or route, by day, month or year',
  access: 'user',
  scope: 'statistics',
  query: z.object({
    ...selection,
    groupby: z._default(z.enum(['bus', 'route']), 'bus'),
    /** Unless given, as the period asks: see `tickOf`. */
    tick: z.optional(z.enum(STAT_TICKS)),
    /** `now`: totals include the running day of each bus, of a compared range its day until the same time of the clock. */
    until: z.optional(z.enum(['now'])),
    /**
     * The days of another range, with which this one is compared. While that one runs for a bus, only as many days count
     * here as are over there. Both or neither.
     */
    comparedFrom: z.optional(Day),
    comparedTo: z.optional(Day),
  }),
  tagged: true,
  response: PassengerTraffic,
  errors: reading,
});

/** People of one day, of one local hour, or of the same hour of one weekday. */
export const DayTraffic = z.object({
  /** Null by weekday and hour. */
  date: z.nullable(Day),
  /** 1 = Monday. */
  weekday: z.int(),
  /** Local hour of the clock, 0 to 23; null by day. An hour that a change of the clocks repeats counts once. */
  hour: z.nullable(z.int()),
  entered: z.int(),
  exited: z.int(),
});
export type DayTraffic = z.infer<typeof DayTraffic>;

const DayTrafficAnswer = z.object({
  /** Ascending; only those with people. */
  items: z.array(DayTraffic),
  number: z.int(),
  total: z.int(),
  /** Both as in the passenger traffic. */
  pending: z.int(),
  arriving: z.nullable(ArrivingRecords),
});
export type DayTrafficAnswer = z.infer<typeof DayTrafficAnswer>;

/** Most days of which the hours are answered one by one. */
export const MAX_HOURLY_DAYS = 31;

export const findDayTraffic = endpoint({
  method: 'GET',
  path: '/api/stat/day-traffic',
  summary: 'People by day, by hour, or by weekday and hour, of all chosen buses together',
  access: 'user',
  scope: 'statistics',
  query: z.object({
    ...selection,
    by: z._default(z.enum(['day', 'hour', 'weekday_hour']), 'day'),
  }),
  tagged: true,
  response: DayTrafficAnswer,
  errors: [...reading, 'too_large'],
});

export const DayResults = z.extend(TrafficSum, {
  workplace_id: Id,
  date: Day,
  timezone: Zone,
  /** The route valid on the day. */
  group: z.nullable(z.object({ id: Id, name: z.string() })),
  /** People whom the counter saw within the shift, without manual counts. */
  totalEntered: z.int(),
  totalExited: z.int(),
  /** Laps that start on the day. */
  laps: z.int(),
});
export type DayResults = z.infer<typeof DayResults>;

export const findDayResults = endpoint({
  method: 'GET',
  path: '/api/stat/day-results',
  summary: "What a bus's day came to, within its shift",
  access: 'user',
  scope: 'counts',
  query: z.object({ workplaceId: IdText, date: Day }),
  response: DayResults,
  errors: ['unauthorized', 'invalid_request', 'not_found', 'too_large'],
});

const recalculatePath = '/api/stat/passenger-traffic/recalculate-bus';
const Latest = z.object({ recalculation: z.nullable(LapRecalculation) });
const ofBus = z.object({ workplaceId: IdText });

export const recalculateBus = endpoint({
  method: 'POST',
  path: recalculatePath,
  summary:
    "Rebuilds the laps, hours and revenue of a bus's days in the background; an equal request joins the running one",
  access: 'user',
  body: z.object({ workplaceId: Id, dateFrom: Day, dateTo: Day }),
  response: Latest,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const findBusRecalculation = endpoint({
  method: 'GET',
  path: recalculatePath,
  summary: 'The last recalculation of a bus, with its progress',
  access: 'user',
  query: ofBus,
  response: Latest,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const cancelBusRecalculation = endpoint({
  method: 'DELETE',
  path: recalculatePath,
  summary: 'Cancels the recalculation of a bus after the running day; finished days stay',
  access: 'user',
  query: ofBus,
  response: Latest,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
