// The release of a test: gives what a unit sent in its test to its bus, the oldest first, a lot a transaction, because a
// long test has hundreds of thousands of records, and batches of the unit wait for each transaction.
import { sql } from 'kysely';
import type { Actor } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { addJob, EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import { rebuildHours } from '../counts/rebuild-hours.ts';
import { bumpDays, createDayFinder, listZoneSpans } from '../days/bus-days.ts';
import { createDayRecords } from '../days/day-records.ts';
import { LAP_MARGIN_MS, requestLaps } from '../days/due-laps.ts';
import type { Deps } from '../deps.ts';

const HOUR_MS = 3_600_000;
/** Delay of the laps, ms: a user looks at a release at once. */
const EDIT_WAIT_MS = 1000;
/** Records of a transaction: about a tenth of a second. */
const LOT = 5000;
/** Most units that one run of the job serves, and most lots of one before the others go on. */
const MOST_UNITS = 100;
const MOST_LOTS = 20;
const JOB = 'release_tests';

/**
 * Begins to release a test. A short one is released at once, a long one by a job.
 * @param since when the test began
 * @returns the records of the test
 */
export async function beginRelease(
  tx: Tx,
  unitId: number,
  since: Date,
  { atMs: nowMs }: Pick<Actor, 'atMs'>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    insert into test_releases (unit_id, since, total)
    select ${unitId}::bigint, ${since}, count(*) from passenger_events
    where unit_id = ${unitId} and in_test returning total`.execute(tx);
  const total = rows[0]?.total ?? 0;
  if (total <= LOT) await releaseLot(tx, unitId, nowMs);
  else await addJob(tx, JOB, {}, { key: JOB });
  return total;
}

/** A job that releases tests; it also runs every minute, for what a killed process left. */
export function releaseTestsJob({
  database: { db },
  clock,
  log,
}: Pick<Deps, 'database' | 'clock' | 'log'>): JobDefinition {
  return {
    name: JOB,
    schedule: EVERY_MINUTE,
    run: async () => {
      const units = await db
        .selectFrom('test_releases')
        .select('unit_id as id')
        .orderBy('unit_id')
        .limit(MOST_UNITS)
        .execute();
      let isLeft = false;
      for (const { id } of units) {
        try {
          isLeft = (await releaseLots(db, id, clock.nowMs())) || isLeft;
        } catch (error) {
          log.error({ unitId: id, err: error }, 'the test of a unit was not released');
        }
      }
      // Failed units wait for the next minute.
      if (isLeft) await addJob(db, JOB, {}, { key: JOB });
    },
  };
}

/** @returns whether the unit has more */
async function releaseLots(db: Db, unitId: number, nowMs: number): Promise<boolean> {
  for (let lot = 0; lot < MOST_LOTS; lot += 1) {
    const isDone = await db.transaction().execute((tx) => releaseLot(tx, unitId, nowMs));
    if (isDone) return false;
  }
  return true;
}

/** Releases the oldest records of a test. @returns whether these were the last ones */
async function releaseLot(tx: Tx, unitId: number, nowMs: number): Promise<boolean> {
  const { rows } = await sql<{ busId: number | null; since: Date }>`
    select workplace_id as "busId", since from units join test_releases on unit_id = units.id
    where units.id = ${unitId} for no key update of units`.execute(tx);
  const [release] = rows;
  if (release === undefined) return true;
  const { busId, since } = release;
  const { hours, count } = await giveToBus(tx, unitId, busId);
  const isDone = count < LOT;
  if (isDone) await sql`delete from test_releases where unit_id = ${unitId}`.execute(tx);
  else {
    await sql`update test_releases set released = least(total, released + ${count})
      where unit_id = ${unitId}`.execute(tx);
  }
  if (busId === null) return isDone;
  const localDay = createDayFinder(await listZoneSpans(tx, busId));
  const dayOf = (ms: number): string => localDay(ms).day;
  // A local day may begin within an hour of UTC.
  const counted = hours.flatMap((ms) => [ms, ms + HOUR_MS - 1]);
  const driven = isDone ? (await listDriven(tx, unitId, since)).flat() : [];
  const unique = (days: readonly string[]): string[] => [...new Set(days)].sort();
  const eventDays = unique(counted.map(dayOf));
  const changed = unique([...counted, ...driven].map(dayOf));
  // Laps of the day before and of the day after may have these records, too. A day that is to come has none.
  const around = [...counted, ...driven]
    .flatMap((ms) => [ms - LAP_MARGIN_MS, ms + LAP_MARGIN_MS].map(localDay))
    .filter(({ startMs }) => startMs <= nowMs)
    .map(({ day }) => day);
  await requestLaps(tx, busId, [...changed, ...around], { nowMs, waitMs: EDIT_WAIT_MS });
  // Batches lock the days of laps first, too.
  const records = eventDays.map((day) => ({ busId, day }));
  await createDayRecords(tx, records, nowMs);
  await rebuildHours(tx, busId, eventDays);
  await bumpDays(tx, busId, changed);
  return isDone;
}

async function giveToBus(
  tx: Tx,
  unitId: number,
  busId: number | null,
): Promise<{ hours: number[]; count: number }> {
  const { rows } = await sql<{ hour: Date; count: number }>`
    with lot as (
      select stream_id, seq, time from passenger_events
      where unit_id = ${unitId} and in_test order by time limit ${LOT}
    ),
    released as (
      update passenger_events as event set workplace_id = ${busId}, in_test = false
      from lot where event.unit_id = ${unitId} and event.stream_id = lot.stream_id
        and event.seq = lot.seq and event.time = lot.time
      returning event.time
    )
    select date_trunc('hour', time) as hour, count(*)::int as count from released group by 1`.execute(
    tx,
  );
  return {
    hours: rows.map(({ hour }) => hour.getTime()),
    count: rows.reduce((sum, { count }) => sum + count, 0),
  };
}

// From when to when the unit sent positions in its test, ms since 1970 UTC, by hour.
async function listDriven(tx: Tx, unitId: number, since: Date): Promise<[number, number][]> {
  const { rows } = await sql<{ first: Date; last: Date }>`
    select min(first_time) as first, max(last_time) as last from position_blocks
    where unit_id = ${unitId} and last_time >= ${since}
    group by date_trunc('hour', block_start)`.execute(tx);
  return rows.map(({ first, last }) => [
    Math.max(first.getTime(), since.getTime()),
    last.getTime(),
  ]);
}
