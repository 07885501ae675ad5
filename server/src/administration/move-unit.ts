// A unit that has sent something moves to another bus, or out of its bus, from a moment on. Its records before then stay
// with the old bus, also those that it still has to send; those since then go to the new one
// (docs/decisions/101-units-that-move.md).
import { addDays, countDays } from '@ridewatch/contract/day';
import { MoveRefusal } from '@ridewatch/contract/move-refusal';
import { sql } from 'kysely';
import { refuseForeignDays } from '../access/own-days.ts';
import { freeFrom } from '../access/unit-assignments.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { noteCounted, rebuildHours } from '../counts/rebuild-hours.ts';
import { inLockOrder } from '../days/bound-days.ts';
import {
  bumpAllDays,
  bumpDays,
  createDayFinder,
  type DayOfBus,
  listZonesOf,
  type ZoneSpan,
} from '../days/bus-days.ts';
import { createDayRecords } from '../days/day-records.ts';
import { LAP_MARGIN_MS, requestLapsOf } from '../days/due-laps.ts';
import { endStreamsOf } from '../live/streams.ts';
import { MOST_MOVED, moveQueued } from '../retranslation/moved-rows.ts';
import { MOST_AGO_MS, type PlannedMove } from './move-moment.ts';
import {
  checkEvents,
  listRecordedHours,
  momentIn,
  moveCameraStates,
  moveEvents,
  moveFragments,
  tooMany,
  type UnitMove,
} from './move-records.ts';

const HOUR_MS = 3_600_000;
/** Most local days with records of a bus that a move from more than 7 days ago changes: a year. */
const MOST_DAYS = 366;
/** Delay of the laps, ms: a user looks at a change at once. */
const EDIT_WAIT_MS = 1000;

/**
 * Locks buses from and to which a unit moves until the transaction ends, after the unit's row: moves from and to one bus
 * take turns, so that each knows until when another unit sat in it.
 * @param busIds null: none
 */
export async function lockBusesOfMove(tx: Tx, busIds: readonly (number | null)[]): Promise<void> {
  const ids = busIds.filter((id) => id !== null);
  if (ids.length === 0) return;
  await sql`
    select from workplaces where id = any(${ids}::bigint[]) order by id for no key update`.execute(
    tx,
  );
}

/**
 * Moves a unit as planned. One that has never sent anything belongs to its new bus as if it had been there since then.
 * @throws AppError invalid_request for days of other customers; conflict for more records than a move takes along, and for
 *   cameras that the new bus lacks
 */
export async function moveUnit(tx: Tx, viewer: Viewer, move: PlannedMove): Promise<void> {
  const { unitId, to, fromMs, nowMs } = move;
  await endFeed(tx, unitId);
  if (!move.isHeard) {
    const since = momentIn(to === null ? Number.NEGATIVE_INFINITY : fromMs);
    await sql`update units set workplace_id = ${to}, assigned_from = ${since} where id = ${unitId}`.execute(
      tx,
    );
    return;
  }
  const days = await checkTaken(tx, viewer, move);
  await endStreamsOf(tx, unitId, nowMs);
  const fragments = await moveFragments(tx, move);
  await writeAssignment(tx, move);
  const hours = await moveEvents(tx, move);
  await moveCameraStates(tx, move);
  await noteCounted(tx, fragments);
  await rework(tx, move, { days, hours, fragments });
  if (!(await moveQueued(tx, move))) {
    throw tooMany(`${MOST_MOVED} batches that wait for other systems`);
  }
}

// Somebody who listens to the unit may not see the other bus. A message of before may not be noted yet.
async function endFeed(tx: Tx, unitId: number): Promise<void> {
  await sql`update units set feed_until = null where id = ${unitId} and feed_until is not null`.execute(
    tx,
  );
  await sql`delete from unit_feed where unit_id = ${unitId}`.execute(tx);
}

/**
 * Tells why a spare unit that has been in no bus, and has sent something, cannot give a bus all of that.
 * @param nowMs the present, ms since 1970 UTC
 * @returns undefined when it can
 */
export async function findTooMuch(
  db: Db,
  viewer: Viewer,
  { unitId, busId }: { readonly unitId: number; readonly busId: number },
  nowMs: number,
): Promise<'too_much' | 'foreign_day' | undefined> {
  const { rows } = await sql<{ since: Date | number }>`
    select ${freeFrom(sql`${busId}::bigint`, sql`${unitId}::bigint`)} as since`.execute(db);
  const fromMs = Number(rows[0]?.since);
  try {
    await checkTaken(db, viewer, { ...{ unitId, from: null, to: busId }, fromMs, nowMs });
    return undefined;
  } catch (error) {
    const { current } = error instanceof AppError ? error : {};
    const refusal = MoveRefusal.safeParse(current).data?.cause;
    if (refusal === 'too_much' || refusal === 'foreign_day') return refusal;
    throw error;
  }
}

/** @returns the days of both buses that the move changes @throws AppError as `moveUnit`, but not for cameras */
async function checkTaken(db: Db, viewer: Viewer, move: UnitMove): Promise<DayOfBus[]> {
  const days = await daysOfMove(db, move);
  // From now on nothing passes between customers that is there already.
  const foreign = { cause: 'foreign_day' } as const;
  if (move.fromMs < move.nowMs) await refuseForeignDays(db, viewer, days, 'moved_from', foreign);
  await checkEvents(db, move);
  return days;
}

// Records of a unit may reach back for months, with long gaps: only the days that have some count.
async function daysOfMove(db: Db, move: UnitMove): Promise<DayOfBus[]> {
  const { from, to, fromMs, nowMs } = move;
  if (fromMs >= nowMs - MOST_AGO_MS) return daysSince(db, move);
  const hours = await listRecordedHours(db, move);
  const buses = [from, to].filter((id) => id !== null).sort((a, b) => a - b);
  const zones = await listZonesOf(db, buses);
  const days = inLockOrder(daysOf(zones, [...bothEnds(hours), nowMs]));
  if (days.length > MOST_DAYS * buses.length) throw tooMany(`${MOST_DAYS} days with records`);
  return days;
}

/** The local days of both buses since the move. */
async function daysSince(db: Db, { from, to, fromMs, nowMs }: UnitMove): Promise<DayOfBus[]> {
  const buses = [from, to].filter((id) => id !== null).sort((a, b) => a - b);
  const zones = await listZonesOf(db, buses);
  return buses.flatMap((busId) => {
    const dayAt = createDayFinder(zones.get(busId) ?? []);
    const [first, last] = [dayAt(fromMs).day, dayAt(nowMs).day];
    return Array.from({ length: countDays(first, last) }, (_, n) => ({
      busId,
      day: addDays(first, n),
    }));
  });
}

// A unit that is put back at the very moment at which it left has never been away.
async function writeAssignment(tx: Tx, move: PlannedMove): Promise<void> {
  const { unitId, from, to, fromMs, assignedFromMs } = move;
  const since = momentIn(fromMs);
  if (from !== null && assignedFromMs < fromMs) {
    await sql`insert into past_assignments (unit_id, workplace_id, from_at, until_at)
      select id, ${from}, assigned_from, ${since} from units where id = ${unitId}`.execute(tx);
  }
  const { rows } = await sql<{ from_at: Date | number }>`
    delete from past_assignments
    where unit_id = ${unitId} and workplace_id = ${to}::bigint and until_at = ${since}
    returning from_at`.execute(tx);
  const [{ from_at: assignedFrom } = { from_at: since }] = rows;
  // One that was in no other bus has been spare always.
  const isSpare = sql`${to}::bigint is null
    and not exists (select from past_assignments where unit_id = ${unitId})`;
  await sql`
    update units set workplace_id = ${to}, batches = batches + 1,
      assigned_from = case when ${isSpare} then '-infinity' else ${assignedFrom}::timestamptz end,
      last_moved_at = case when last_moved_at >= ${since} then last_moved_at end
    where id = ${unitId}`.execute(tx);
  // The page of the new bus shows no place in which the old one was.
  await sql`
    update units set last_fix_at = null, last_latitude = null, last_longitude = null,
      last_course = null, last_speed_kmh = null
    where id = ${unitId} and last_fix_at < ${since}`.execute(tx);
}

interface Moved {
  /** The days of both buses since the move. */
  readonly days: readonly DayOfBus[];
  readonly hours: readonly number[];
  readonly fragments: readonly number[];
}

/** Has everything worked out anew that depends on what moved. */
async function rework(
  tx: Tx,
  { from, to, fromMs, nowMs }: UnitMove,
  { days, hours, fragments }: Moved,
): Promise<void> {
  const buses = [from, to].filter((id) => id !== null);
  const zones = await listZonesOf(tx, buses);
  const edges = await listEdges(tx, fragments);
  const people = daysOf(zones, bothEnds(hours));
  const shown = inLockOrder([...people, ...daysOf(zones, edges)]);
  const ofNewBus = ({ busId }: DayOfBus): boolean => busId === to;
  // A clock that is ahead has made records of later days.
  const touched = inLockOrder([...days, ...shown]);
  // The last lap of the day before may go on after the move.
  const before = Number.isFinite(fromMs) ? [fromMs - LAP_MARGIN_MS] : [];
  const laps = [...daysOf(zones, before), ...touched];
  await requestLapsOf(tx, laps, { nowMs, waitMs: EDIT_WAIT_MS });
  // Batches lock the days of laps first, too.
  await createDayRecords(tx, inLockOrder(people.filter(ofNewBus)), nowMs);
  const byBus = Map.groupBy(touched, ({ busId }) => busId);
  for (const [busId, own] of byBus) await rebuildHours(tx, busId, textsOf(own));
  for (const [busId, own] of byBus) {
    if (busId === to) await bumpDays(tx, busId, textsOf(shown.filter(ofNewBus)));
    await bumpAllDays(tx, [busId], own[0]?.day);
  }
}

// A local day may begin within an hour of UTC.
const bothEnds = (hours: readonly number[]): number[] =>
  hours.flatMap((ms) => [ms, ms + HOUR_MS - 1]);

const textsOf = (days: readonly DayOfBus[]): string[] => days.map(({ day }) => day);

/** The local days of each bus at moments, ms since 1970 UTC. */
function daysOf(
  zones: ReadonlyMap<number, readonly ZoneSpan[]>,
  moments: readonly number[],
): DayOfBus[] {
  return [...zones].flatMap(([busId, spans]) => {
    const dayAt = createDayFinder(spans);
    return moments.map((ms) => ({ busId, day: dayAt(ms).day }));
  });
}

/** When fragments begin and end, ms since 1970 UTC. */
async function listEdges(tx: Tx, fragments: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ start: Date; end: Date }>`
    select start_time as start, end_time as "end" from segments
    where id = any(${[...fragments]}::bigint[])`.execute(tx);
  return rows.flatMap(({ start, end }) => [start.getTime(), end.getTime() - 1]);
}
