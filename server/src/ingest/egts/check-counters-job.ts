// Every hour: looks whether the counts of each unit of EGTS look as its setting says. A unit whose counts do not is a cause
// of attention (server/src/attention/find-causes.ts), which ends when the setting or the numbers change.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import type { JobDefinition } from '../../core/jobs/jobs.ts';
import type { Deps } from '../../deps.ts';
import { COUNT_NUMBERS, countNumber } from '../by-id/numbers.ts';
import { TIMED_STREAM } from '../store/timed-stream.ts';
import { type Counts, changesOf, sumOf, verdictOf } from './counter-verdict.ts';

const EVERY_HOUR = '35 * * * *';
/** Units that are looked at in one go. */
const UNITS_AT_ONCE = 50;
/** The latest counts of a unit that are looked at, and how old they may be, ms. */
const LOOKED_AT = 300;
const LOOKED_BACK_MS = 3 * 86_400_000;

/** A unit and its setting. */
interface Check {
  readonly unitId: number;
  readonly counts: Counts;
  /** Since when it is that; null: since before the first check. */
  readonly since: Date | null;
}

/** Looks at all units of EGTS. */
export function checkCountersJob({
  database: { db },
  clock,
}: Pick<Deps, 'database' | 'clock'>): JobDefinition {
  return {
    name: 'check_counters',
    schedule: EVERY_HOUR,
    run: async () => {
      const nowMs = clock.nowMs();
      await noteSettings(db, nowMs);
      const checks = await db
        .selectFrom('counter_checks')
        .select(['unit_id as unitId', 'counts', 'since'])
        .orderBy('unit_id')
        .execute();
      for (let from = 0; from < checks.length; from += UNITS_AT_ONCE) {
        const some = checks.slice(from, from + UNITS_AT_ONCE);
        const byCounts = Map.groupBy(some, ({ counts }) => counts);
        const verdicts = [
          ...(await judgeEvents(db, byCounts.get('delta') ?? [], nowMs)),
          ...(await judgeReadings(db, byCounts.get('cumulative') ?? [])),
        ];
        await noteVerdicts(db, verdicts, nowMs);
      }
    },
  };
}

// Numbers that a unit sent under another setting say nothing, and its readings would make wrong differences later.
async function noteSettings(db: Db, nowMs: number): Promise<void> {
  const counts = sql`case when protocol_settings ->> 'counts' = 'cumulative' then 'cumulative' else 'delta' end`;
  await sql`delete from counter_checks using units
    where units.id = unit_id and (protocol is distinct from 'egts' or not enabled)`.execute(db);
  await sql`
    insert into counter_checks as known (unit_id, counts)
    select id, ${counts} from units where protocol = 'egts' and enabled order by id
    on conflict (unit_id) do update
      set counts = excluded.counts, since = ${new Date(nowMs)}, looks = null, found_at = null
      where known.counts <> excluded.counts`.execute(db);
  await sql`delete from counter_readings using units
    where units.id = unit_id and protocol = 'egts' and ${counts} = 'delta'`.execute(db);
}

interface Verdict {
  readonly unitId: number;
  readonly counts: Counts;
  /** Undefined: nobody knows. */
  readonly looks: Counts | undefined;
}

// Numbers of counts grow with their times, so the key of the months since then has the latest ones. The time only tells
// the months.
async function judgeEvents(db: Db, checks: readonly Check[], nowMs: number): Promise<Verdict[]> {
  if (checks.length === 0) return [];
  const { first, counters } = COUNT_NUMBERS;
  const from = new Date(nowMs - LOOKED_BACK_MS);
  const numbers = checks.map(({ since }) => {
    const nextSecondMs = Math.max(from.getTime(), since?.getTime() ?? 0) + 1000;
    return countNumber({ timeMs: nextSecondMs, module: 0, door: 1, direction: 'entered' });
  });
  const { rows } = await sql<{ unit_id: number; counter: number; count: number }>`
    select asked.unit_id, counter, count
    from unnest(${checks.map(({ unitId }) => unitId)}::bigint[],
      ${numbers}::bigint[]) as asked (unit_id, number)
    join unit_streams as own on own.unit_id = asked.unit_id and own.stream = ${TIMED_STREAM}::uuid
    cross join lateral (
      select seq, ((seq - ${first}::bigint) % ${counters}::bigint)::int as counter, count
      from passenger_events
      where unit_id = asked.unit_id and stream_id = own.id and seq >= asked.number
        and time > ${from}::timestamptz and time <= ${new Date(nowMs)}::timestamptz
      order by seq desc limit ${LOOKED_AT}
    ) as latest
    order by asked.unit_id, seq`.execute(db);
  const byUnit = Map.groupBy(rows, (row) => row.unit_id);
  return checks.map(({ unitId, counts }) => {
    const events = byUnit.get(unitId) ?? [];
    const byCounter = [...Map.groupBy(events, ({ counter }) => counter).values()];
    const changes = byCounter.map((some) => changesOf(some.map(({ count }) => count)));
    const most = events.reduce((greatest, { count }) => Math.max(greatest, count), 0);
    return { unitId, counts, looks: verdictOf(counts, sumOf(changes), most) };
  });
}

async function judgeReadings(db: Db, checks: readonly Check[]): Promise<Verdict[]> {
  if (checks.length === 0) return [];
  const { rows } = await sql<{ unit_id: number; rises: number; falls: number; most: number }>`
    select unit_id, sum(rises)::int as rises, sum(falls)::int as falls, max(reading) as most
    from counter_readings where unit_id = any(${checks.map(({ unitId }) => unitId)}::bigint[])
    group by unit_id`.execute(db);
  const byUnit = new Map(rows.map((row) => [row.unit_id, row]));
  return checks.map(({ unitId, counts }) => {
    const known = byUnit.get(unitId) ?? { rises: 0, falls: 0, most: 0 };
    return { unitId, counts, looks: verdictOf(counts, known, known.most) };
  });
}

async function noteVerdicts(db: Db, verdicts: readonly Verdict[], nowMs: number): Promise<void> {
  const known = verdicts.filter(({ looks }) => looks !== undefined);
  if (known.length === 0) return;
  await sql`
    update counter_checks as known
    set looks = said.looks,
      found_at = case when said.looks is null then null else ${new Date(nowMs)}::timestamptz end
    from (select unit_id, counts, nullif(looks, counts) as looks from unnest(
      ${known.map(({ unitId }) => unitId)}::bigint[], ${known.map(({ counts }) => counts)}::text[],
      ${known.map(({ looks }) => looks)}::text[]) as one (unit_id, counts, looks)) as said
    where known.unit_id = said.unit_id and known.counts = said.counts
      and known.looks is distinct from said.looks`.execute(db);
}
