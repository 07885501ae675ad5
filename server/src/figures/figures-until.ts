// The figures of days until a time of the clock: of a running day the others are compared with no more than that.
import { type DayRange, formatMoment, momentOf } from '@ridewatch/contract/day';
import { hourEndOf, hoursOf } from '@ridewatch/contract/hours';
import { type RawBuilder, sql } from 'kysely';
import { boundDays } from '../days/bound-days.ts';
import {
  type BusDay,
  boundsOfDay,
  type LocalDay,
  type ZoneSpan,
  zoneAt,
} from '../days/bus-days.ts';
import { FIGURE_COLUMNS, figuresOf } from './day-figures.ts';

/** A local day of a bus, and a moment of it. */
export interface TimedDay extends BusDay {
  /** ms since 1970 UTC; when the bus's clock showed what it shows now. */
  readonly atMs: number;
  /** The hour of the clock that then ran. */
  readonly hour: Readonly<DayRange>;
}

/**
 * The present time of the clock on other days of buses. A time that a clock showed twice is the first one; one that it
 * skipped is the moment of the jump.
 * @param zones of each bus over time
 * @param days a local day of each bus, `YYYY-MM-DD`
 * @param nowMs ms since 1970 UTC
 */
export function sameTimeOn(
  zones: ReadonlyMap<number, readonly ZoneSpan[]>,
  days: readonly { readonly busId: number; readonly day: string }[],
  nowMs: number,
): TimedDay[] {
  // Most buses have the same day and zone, and a conversion takes long.
  const known = new Map<string, Pick<TimedDay, 'atMs' | 'hour'>>();
  return days.map(({ busId, day }) => {
    const spans = zones.get(busId) ?? [];
    const bounds = boundsOfDay(spans, day);
    const [zone, zoneNow] = [zoneAt(spans, bounds.startMs), zoneAt(spans, nowMs)];
    const key = `${day} ${bounds.startMs} ${bounds.endMs} ${zone} ${zoneNow}`;
    const found = known.get(key) ?? timeOn({ day, ...bounds }, zone, timeOf(nowMs, zoneNow));
    known.set(key, found);
    return { busId, day, ...bounds, ...found };
  });
}

function timeOn(day: LocalDay, zone: string, time: string): Pick<TimedDay, 'atMs' | 'hour'> {
  const atMs = momentWithin(day, zone, time);
  const startMs = hoursOf(day, zone).findLast((ms) => ms <= atMs) ?? day.startMs;
  return { atMs, hour: { startMs, endMs: hourEndOf(startMs, zone) } };
}

// When clocks of a zone show a time on a day. An hour of the day begins where they jump.
function momentWithin(day: LocalDay, zone: string, time: string): number {
  const found = momentOf(`${day.day}T${time}`, zone);
  const isSkipped = timeOf(found, zone) !== time;
  const afterJump = hoursOf(day, zone).find((ms) => timeOf(ms, zone) > time);
  const atMs = isSkipped ? (afterJump ?? day.endMs) : found;
  return Math.min(Math.max(atMs, day.startMs), day.endMs);
}

const timeOf = (momentMs: number, zone: string): string =>
  formatMoment(momentMs, zone, 'HH:mm:ss.SSS');

/**
 * The figures of days until their moments, as a query with the columns of `figuresOf`. Of the hour that runs at the
 * moment its share is counted: half of it at half past.
 * @param days each once
 */
export function figuresUntil(days: readonly TimedDay[]): RawBuilder<unknown> {
  const whole = days.map((day): BusDay => ({ ...day, endMs: day.hour.startMs }));
  const withHour = days.map(
    (day): BusDay => ({ ...day, endMs: Math.min(day.endMs, day.hour.endMs) }),
  );
  const shares = days.map(({ atMs, hour: { startMs, endMs } }) =>
    endMs > startMs ? (atMs - startMs) / (endMs - startMs) : 0,
  );
  const at = (name: string): RawBuilder<unknown> => {
    const [first, last] = [sql.ref(`before.${name}`), sql.ref(`after.${name}`)];
    return sql`(${first} + round((${last} - ${first}) * share::numeric))::bigint as ${sql.ref(name)}`;
  };
  return sql`
    select workplace_id, day, after.client_id, after.group_id, ${sql.join(FIGURE_COLUMNS.map(at))}
    from (${figuresOf(boundDays(whole))}) as before
    join (${figuresOf(boundDays(withHour))}) as after using (workplace_id, day)
    join unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[],
      ${shares}::float8[]) as part (workplace_id, day, share) using (workplace_id, day)`;
}
