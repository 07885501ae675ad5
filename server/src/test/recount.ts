// Recounts a bus's passengers and revenue from its records by the simplest algorithm, for comparison with the rollups.
import { dayOf, dayRange, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { type HourSum, NO_PEOPLE } from '../counts/hours.ts';

interface Setting {
  readonly valid_from: string;
  readonly timezone: string;
  readonly count_source: string;
}

interface Fragment {
  readonly id: number;
  readonly unitId: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly door: number | null;
  readonly manual: readonly (number | null)[] | null;
}

interface Seen {
  readonly unitId: number;
  readonly ms: number;
  readonly door: number;
  readonly fragment: number | null;
  readonly side: 0 | 1 | 2 | 3;
  readonly count: number;
}

const SIDES = ['enteredAdults', 'enteredKids', 'exitedAdults', 'exitedKids'] as const;
const DIRECTIONS = ['entered', 'entered', 'exited', 'exited'] as const;

interface Calculation {
  readonly day: string;
  readonly kopecks: number;
  readonly event: string;
  /** ms since 1970 UTC */
  readonly shift: readonly [number | null, number | null];
}

const listCalculations = (db: Db, busId: number): Promise<Calculation[]> =>
  read<Calculation>(
    db,
    sql`select day, fare_kopecks as kopecks, calculation_event as event,
        array[(extract(epoch from shift_start) * 1000)::float8,
          (extract(epoch from shift_end) * 1000)::float8] as shift
      from calculations where workplace_id = ${busId} order by day`,
  );

function isWithin([startMs, endMs]: Calculation['shift'], ms: number): boolean {
  return (startMs === null || ms >= startMs) && (endMs === null || ms < endMs);
}

const NO_SHIFT: Calculation['shift'] = [null, null];

// Back to where the clock shows another hour or is changed, minute by minute.
const clocks = new Map<string, Intl.DateTimeFormat>();
function startOfHour(ms: number, zone: string): number {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en', {
      ...{ timeZone: zone, day: 'numeric', hour: 'numeric', timeZoneName: 'longOffset' },
    });
  clocks.set(zone, clock);
  let startMs = Math.floor(ms / 60_000) * 60_000;
  while (clock.format(startMs - 60_000) === clock.format(ms)) startMs -= 60_000;
  return startMs;
}

/** The passengers of a bus by local hour and unit, ascending, without empty hours. */
export async function recountHours(db: Db, busId: number): Promise<HourSum[]> {
  const calculations = new Map((await listCalculations(db, busId)).map((one) => [one.day, one]));
  const settings = await read<Setting>(
    db,
    sql`select valid_from, timezone, count_source from workplace_settings
      where workplace_id = ${busId} order by valid_from`,
  );
  const fragments = await read<Fragment>(
    db,
    sql`select segments.id, unit_id as "unitId", (extract(epoch from start_time) * 1000)::bigint as "startMs",
        (extract(epoch from end_time) * 1000)::bigint as "endMs",
        case when counts then door end as door,
        case when segment_id is not null
          then array[entered, entered_kids, exited, exited_kids]::int[] end as manual
      from segments join cameras on cameras.id = camera_id
      left join manual_counts on segment_id = segments.id
      where workplace_id = ${busId} and not live order by start_time, segments.id`,
  );
  const side = sql`case direction when 'entered' then 0 else 2 end
    + case passenger when 'adult' then 0 else 1 end as side`;
  const byUnit = await read<Seen>(
    db,
    sql`select unit_id as "unitId", (extract(epoch from time) * 1000)::bigint as ms, door, null as fragment, ${side},
        count
      from passenger_events where workplace_id = ${busId}`,
  );
  const byVideo = await read<Seen>(
    db,
    sql`select unit_id as "unitId", (extract(epoch from time) * 1000)::bigint as ms, 0 as door,
        segment_id as fragment, ${side}, count
      from video_events join segments on segments.id = segment_id where segment_id = any(${fragments.map(({ id }) => id)}::bigint[])`,
  );
  const settingAt = (ms: number): Setting =>
    (settings.findLast((one) => dayRange(one.valid_from, one.timezone).startMs <= ms) ??
      settings[0]) as Setting;
  const seen = [
    ...byUnit.filter(({ ms }) => settingAt(ms).count_source === 'unit'),
    ...byVideo.filter(({ ms }) => settingAt(ms).count_source === 'video'),
  ];
  const ownerOf = (one: Seen): number | undefined =>
    one.fragment ??
    fragments.find(
      ({ door, startMs, endMs }) => door === one.door && startMs <= one.ms && one.ms < endMs,
    )?.id;

  const hours = new Map<string, HourSum>();
  const sumAt = (ms: number, unitId: number): HourSum => {
    const hourMs = startOfHour(ms, settingAt(ms).timezone);
    const sum = hours.get(`${hourMs} ${unitId}`) ?? { hourMs, unitId, ...NO_PEOPLE };
    hours.set(`${hourMs} ${unitId}`, sum);
    return sum;
  };
  const add = (ms: number, unitId: number, which: number, people: number, isManual: boolean) => {
    const sum = sumAt(ms, unitId);
    const [side, direction] = [SIDES[which] ?? 'exitedKids', DIRECTIONS[which] ?? 'exited'];
    const { shift } = calculations.get(dayOf(ms, settingAt(ms).timezone)) ?? { shift: NO_SHIFT };
    if (!isWithin(shift, ms)) {
      sum[`${direction}Outside`] += people;
      return;
    }
    sum[side] += people;
    if (isManual) sum[`${direction}Manual`] += people;
  };
  for (const one of seen) add(one.ms, one.unitId, one.side, one.count, false);
  for (const { id, unitId, startMs, manual } of fragments) {
    for (const [which, typed] of (manual ?? []).entries()) {
      if (typed === null) continue;
      const own = seen.filter((one) => one.side === which && ownerOf(one) === id);
      add(startMs, unitId, which, typed - own.reduce((sum, { count }) => sum + count, 0), true);
    }
  }
  return [...hours.values()]
    .filter(({ hourMs: _hour, unitId: _unit, ...people }) =>
      Object.values(people).some((count) => count !== 0),
    )
    .sort((a, b) => a.hourMs - b.hourMs || a.unitId - b.unitId);
}

/** The figures of a local day of a bus. */
export interface RecountedDay {
  readonly busId: number;
  readonly day: string;
  /** The route valid on the day. */
  readonly routeId: number | null;
  readonly entered: number;
  readonly exited: number;
  readonly enteredKids: number;
  readonly exitedKids: number;
  readonly kopecks: number;
}

/** The local days of a bus with passengers or revenue. Laps are taken as they are stored. */
export async function recountDays(db: Db, busId: number): Promise<RecountedDay[]> {
  const hours = await recountHours(db, busId);
  const calculations = await listCalculations(db, busId);
  const settings = await read<Setting & { readonly group_id: number | null }>(
    db,
    sql`select valid_from, timezone, count_source, group_id from workplace_settings
      where workplace_id = ${busId} order by valid_from`,
  );
  const laps = await read<{ day: string; ms: number; kopecks: number | null }>(
    db,
    sql`select day, (extract(epoch from start_time) * 1000)::float8 as ms, revenue_kopecks as kopecks
      from laps where workplace_id = ${busId}`,
  );
  const zoneAt = (ms: number): string =>
    (
      settings.findLast((one) => dayRange(one.valid_from, one.timezone).startMs <= ms) ??
      settings[0]
    )?.timezone ?? FALLBACK_ZONE;
  const dayAt = (ms: number): string => dayOf(ms, zoneAt(ms));
  const days = new Set([
    ...hours.map(({ hourMs }) => dayAt(hourMs)),
    ...laps.map(({ day }) => day),
  ]);
  return [...days].sort().map((day) => {
    const own = hours.filter(({ hourMs }) => dayAt(hourMs) === day);
    const sum = (pick: (hour: HourSum) => number) => own.reduce((all, hour) => all + pick(hour), 0);
    const people = {
      entered: sum((hour) => hour.enteredAdults + hour.enteredKids),
      exited: sum((hour) => hour.exitedAdults + hour.exitedKids),
    };
    const calculation = calculations.findLast((one) => one.day <= day);
    const shift = calculation?.day === day ? calculation.shift : NO_SHIFT;
    const driven = laps.filter((lap) => lap.day === day);
    const isPriced = driven.some(({ kopecks }) => kopecks !== null);
    const count = calculation?.event === 'EXITED' ? people.exited : people.entered;
    const byLaps = driven
      .filter(({ ms }) => isWithin(shift, ms) && dayAt(ms) === day)
      .reduce((all, { kopecks }) => all + (kopecks ?? 0), 0);
    return {
      busId,
      day,
      routeId: (settings.findLast((one) => one.valid_from <= day) ?? settings[0])?.group_id ?? null,
      ...people,
      enteredKids: sum((hour) => hour.enteredKids),
      exitedKids: sum((hour) => hour.exitedKids),
      kopecks: isPriced ? byLaps : (calculation?.kopecks ?? 0) * count,
    };
  });
}

async function read<Row>(db: Db, query: ReturnType<typeof sql>): Promise<Row[]> {
  return (await query.execute(db)).rows as Row[];
}
