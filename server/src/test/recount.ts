// Recounts a bus's passengers from its records by the simplest algorithm, for comparison with the rollup.
import { dayOf, dayRange } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { HourSum } from '../counts/hours.ts';

interface Setting {
  readonly valid_from: string;
  readonly timezone: string;
  readonly count_source: string;
}

interface Fragment {
  readonly id: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly door: number | null;
  readonly manual: readonly (number | null)[] | null;
}

interface Seen {
  readonly ms: number;
  readonly door: number;
  readonly fragment: number | null;
  readonly side: 0 | 1 | 2 | 3;
  readonly count: number;
}

const SIDES = ['enteredAdults', 'enteredKids', 'exitedAdults', 'exitedKids'] as const;

/** The passengers of a bus by local hour, ascending, without empty hours. */
export async function recountHours(db: Db, busId: number): Promise<HourSum[]> {
  const settings = await read<Setting>(
    db,
    sql`select valid_from, timezone, count_source from workplace_settings
      where workplace_id = ${busId} order by valid_from`,
  );
  const fragments = await read<Fragment>(
    db,
    sql`select segments.id, (extract(epoch from start_time) * 1000)::bigint as "startMs",
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
    sql`select (extract(epoch from time) * 1000)::bigint as ms, door, null as fragment, ${side}, count
      from passenger_events where workplace_id = ${busId}`,
  );
  const byVideo = await read<Seen>(
    db,
    sql`select (extract(epoch from time) * 1000)::bigint as ms, 0 as door, segment_id as fragment,
        ${side}, count
      from video_events where segment_id = any(${fragments.map(({ id }) => id)}::bigint[])`,
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

  const hours = new Map<number, HourSum>();
  const add = (ms: number, which: number, people: number): void => {
    const { timezone } = settingAt(ms);
    const { startMs } = dayRange(dayOf(ms, timezone), timezone);
    const hourMs = startMs + Math.floor((ms - startMs) / 3_600_000) * 3_600_000;
    const sum = hours.get(hourMs) ?? {
      hourMs,
      ...{ enteredAdults: 0, enteredKids: 0, exitedAdults: 0, exitedKids: 0 },
    };
    sum[SIDES[which] as (typeof SIDES)[number]] += people;
    hours.set(hourMs, sum);
  };
  for (const one of seen) add(one.ms, one.side, one.count);
  for (const { id, startMs, manual } of fragments) {
    for (const [which, typed] of (manual ?? []).entries()) {
      if (typed === null) continue;
      const own = seen.filter((one) => one.side === which && ownerOf(one) === id);
      add(startMs, which, typed - own.reduce((sum, { count }) => sum + count, 0));
    }
  }
  return [...hours.values()]
    .filter((sum) => SIDES.some((name) => sum[name] !== 0))
    .sort((a, b) => a.hourMs - b.hourMs);
}

async function read<Row>(db: Db, query: ReturnType<typeof sql>): Promise<Row[]> {
  return (await query.execute(db)).rows as Row[];
}
