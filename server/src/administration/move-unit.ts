// A unit that has sent something moves to another bus, or out of its bus, from a moment on. Its records before then stay
// with the old bus, also those that it still has to send; those since then go to the new one
// (docs/decisions/101-units-that-move.md).
import { addDays, countDays } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Administered, UnitRow } from '../access/administration.ts';
import { refuseForeignDays } from '../access/own-days.ts';
import { freeFrom } from '../access/unit-assignments.ts';
import type { Tx } from '../core/db/db.ts';
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
import {
  checkEvents,
  moveCameraStates,
  moveEvents,
  moveFragments,
  type UnitMove,
} from './move-records.ts';
import { findLastUnit, refusedMove } from './move-refusals.ts';

/** A move may begin so long ago: a fitter moved the unit, and the office writes it down later, ms. */
const MOST_AGO_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;
/** Delay of the laps, ms: a user looks at a change at once. */
const EDIT_WAIT_MS = 1000;

/** Where a unit goes, and from when on. */
export interface Move {
  /** null: it becomes a spare one. */
  readonly busId: number | null;
  /** ms since 1970 UTC */
  readonly fromMs: number;
}

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
 * Moves a unit whose row is locked, and those of both buses. One that has never sent anything belongs to its new bus as
 * if it had always been there.
 * @param nowMs the present, ms since 1970 UTC
 * @throws AppError invalid_request for a moment that cannot be, and for days of other customers; conflict for a unit in
 *   test mode, and when another unit sat in the bus then
 */
export async function moveUnit(
  tx: Tx,
  viewer: Viewer,
  unit: Administered<UnitRow>,
  { busId, fromMs }: Move,
  nowMs: number,
): Promise<void> {
  const state = await readState(tx, unit.id, busId);
  if (!state.isHeard) {
    const from = state.freeFrom;
    await sql`update units set workplace_id = ${busId}, assigned_from = ${from} where id = ${unit.id}`.execute(
      tx,
    );
    return;
  }
  checkMoment(state, fromMs, nowMs);
  if (busId !== null && fromMs < Number(state.freeFrom)) {
    const until = new Date(state.freeFrom).toISOString();
    const device_id = await findLastUnit(tx, viewer, busId, unit.id);
    const message = `Another unit sat in the bus until ${until}.`;
    throw refusedMove(message, { cause: 'other_unit', until, device_id });
  }
  const move = { unitId: unit.id, from: unit.busId, to: busId, fromMs, nowMs };
  const days = await daysSince(tx, move);
  // From now on nothing passes between customers that is there already.
  const foreign = { cause: 'foreign_day' } as const;
  if (fromMs < nowMs) await refuseForeignDays(tx, viewer, days, 'moved_from', foreign);
  await checkEvents(tx, move);
  await endStreamsOf(tx, unit.id, nowMs);
  const fragments = await moveFragments(tx, move);
  await writeAssignment(tx, move, state.assignedFromMs);
  const hours = await moveEvents(tx, move);
  await moveCameraStates(tx, move);
  // Somebody who listened to the unit may not see the other bus.
  await sql`delete from unit_feed where unit_id = ${unit.id}`.execute(tx);
  await noteCounted(tx, fragments);
  await rework(tx, move, { days, hours, fragments });
}

interface State {
  readonly isHeard: boolean;
  readonly isTested: boolean;
  /** Its last test is still being counted. */
  readonly isCounted: boolean;
  readonly assignedFromMs: number;
  /** Since when no other unit has been in the new bus; infinite: always. */
  readonly freeFrom: Date | number;
}

async function readState(tx: Tx, unitId: number, busId: number | null): Promise<State> {
  const { rows } = await sql<Omit<State, 'assignedFromMs'> & { assignedFrom: Date | number }>`
    select last_seen_at is not null
        or exists (select from aside_records where unit_id = units.id) as "isHeard", assigned_from as "assignedFrom",
      test_since is not null as "isTested",
      exists (select from test_releases where unit_id = units.id) as "isCounted",
      ${freeFrom(sql`${busId}::bigint`, sql.ref('units.id'))} as "freeFrom"
    from units where id = ${unitId}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('The unit that moves is not there.');
  const { assignedFrom, ...state } = row;
  return { ...state, assignedFromMs: Number(assignedFrom) };
}

function checkMoment(state: State, fromMs: number, nowMs: number): void {
  const { isTested, isCounted, assignedFromMs } = state;
  if (isTested) throw refusedMove('The unit is in test mode.', { cause: 'in_test' });
  if (isCounted) {
    const message = 'The last test of the unit is still being counted.';
    throw refusedMove(message, { cause: 'test_counted' });
  }
  if (fromMs > nowMs) throw refusedMove('lies in the future', { cause: 'future' });
  if (fromMs < nowMs - MOST_AGO_MS)
    throw refusedMove('is more than 7 days ago', { cause: 'too_old' });
  if (fromMs < assignedFromMs) {
    const since = new Date(assignedFromMs).toISOString();
    const message = `The unit has been where it is since ${since}.`;
    throw refusedMove(message, { cause: 'came_later', since });
  }
}

/** The local days of both buses since the move. */
async function daysSince(tx: Tx, { from, to, fromMs, nowMs }: UnitMove): Promise<DayOfBus[]> {
  const buses = [from, to].filter((id) => id !== null).sort((a, b) => a - b);
  const zones = await listZonesOf(tx, buses);
  return buses.flatMap((busId) => {
    const dayAt = createDayFinder(zones.get(busId) ?? []);
    const [first, last] = [dayAt(fromMs).day, dayAt(nowMs).day];
    return Array.from({ length: countDays(first, last) }, (_, n) => ({
      busId,
      day: addDays(first, n),
    }));
  });
}

// Where a unit is put back at the very moment at which it left, it has never been away.
async function writeAssignment(tx: Tx, move: UnitMove, assignedFromMs: number): Promise<void> {
  const { unitId, from, to, fromMs } = move;
  const since = new Date(fromMs);
  if (from !== null && assignedFromMs < fromMs) {
    await sql`insert into past_assignments (unit_id, workplace_id, from_at, until_at)
      select id, ${from}, assigned_from, ${since} from units where id = ${unitId}`.execute(tx);
  }
  const { rows } = await sql<{ from_at: Date }>`
    delete from past_assignments
    where unit_id = ${unitId} and workplace_id = ${to}::bigint and until_at = ${since}
    returning from_at`.execute(tx);
  const [{ from_at: assignedFrom } = { from_at: since }] = rows;
  await sql`
    update units set workplace_id = ${to}, assigned_from = ${assignedFrom}, batches = batches + 1,
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
  // A local day may begin within an hour of UTC.
  const people = daysOf(zones, [...hours, ...hours.map((ms) => ms + HOUR_MS - 1)]);
  const shown = inLockOrder([...people, ...daysOf(zones, edges)]);
  const ofNewBus = ({ busId }: DayOfBus): boolean => busId === to;
  // A clock that is ahead has made records of later days.
  const touched = inLockOrder([...days, ...shown]);
  // The last lap of the day before may go on after the move.
  const laps = [...daysOf(zones, [fromMs - LAP_MARGIN_MS]), ...touched];
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
