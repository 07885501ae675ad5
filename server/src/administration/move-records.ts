// A unit takes along what it has sent since the moment from which on it is in another bus. Positions need nothing: they
// are those of the bus in which their unit sat then.
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import type { AppError } from '../core/errors.ts';
import { refusedCameras, refusedMove } from './move-refusals.ts';

/** Most passenger events that move along, as of one batch five times: a unit counts about 3,000 a day. */
const MOST_EVENTS = 50_000;
/** Most fragments: four cameras announce 25,000 in 7 days. */
const MOST_FRAGMENTS = 50_000;

/** A unit that goes from one bus to another one. */
export interface UnitMove {
  readonly unitId: number;
  /** null: it is a spare one. */
  readonly from: number | null;
  /** null: it becomes a spare one. */
  readonly to: number | null;
  /** From when on, ms since 1970 UTC; minus infinity: always. */
  readonly fromMs: number;
  /** The present, ms since 1970 UTC. */
  readonly nowMs: number;
}

/** A moment for a statement. @param ms since 1970 UTC, or infinite */
export const momentIn = (ms: number): Date | number => (Number.isFinite(ms) ? new Date(ms) : ms);

// The events of the unit since the move that count for its old bus.
const eventsOf = ({ unitId, from, fromMs }: UnitMove) => sql`passenger_events
  where unit_id = ${unitId} and time >= ${momentIn(fromMs)}::timestamptz and not in_test
    and workplace_id is not distinct from ${from}::bigint`;

/** The hours (ms since 1970 UTC) in which the unit has positions since the move, or events that move along. */
export async function listRecordedHours(db: Db, move: UnitMove): Promise<number[]> {
  const blocks = sql`position_blocks
    where unit_id = ${move.unitId} and last_time >= ${momentIn(move.fromMs)}::timestamptz`;
  const { rows } = await sql<{ hour: Date }>`
    select date_trunc('hour', first_time) as hour from ${blocks}
    union select date_trunc('hour', last_time) from ${blocks}
    union select date_trunc('hour', time) from ${eventsOf(move)}`.execute(db);
  return rows.map(({ hour }) => hour.getTime());
}

/** @throws AppError conflict for too many events */
export async function checkEvents(db: Db, move: UnitMove): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from (select from ${eventsOf(move)} limit ${MOST_EVENTS + 1}) as since`.execute(
    db,
  );
  if ((rows[0]?.count ?? 0) > MOST_EVENTS) throw tooMany(`${MOST_EVENTS} passenger events`);
}

/** The refusal of a move that would take too much along. */
export const tooMany = (what: string): AppError =>
  refusedMove(`The unit has sent more than ${what} since then.`, { cause: 'too_much' });

/** Gives the events since the move to the new bus. @returns the hours (ms since 1970 UTC) in which they lie */
export async function moveEvents(tx: Tx, move: UnitMove): Promise<number[]> {
  const { rows } = await sql<{ hour: Date }>`
    with moved as (
      update passenger_events as event set workplace_id = ${move.to}
      from (select stream_id, seq, time from ${eventsOf(move)}) as since
      where event.unit_id = ${move.unitId} and event.stream_id = since.stream_id
        and event.seq = since.seq and event.time = since.time
      returning event.time
    )
    select distinct date_trunc('hour', time) as hour from moved`.execute(tx);
  return rows.map(({ hour }) => hour.getTime());
}

/**
 * Gives the fragments since the move to the cameras of the new bus that have the same keys.
 * @returns their ids
 * @throws AppError conflict when it lacks some of the cameras, and for too many
 */
export async function moveFragments(
  tx: Tx,
  { unitId, from, to, fromMs }: UnitMove,
): Promise<number[]> {
  if (from === null) return [];
  const since = momentIn(fromMs);
  const { rows } = await sql<{ id: number; name: string; stream_id: string; to: number | null }>`
    select segments.id, own.name, own.stream_id, same.id as "to"
    from segments join cameras as own on own.id = camera_id
    left join cameras as same on same.workplace_id = ${to}::bigint and same.stream_id = own.stream_id
    where segments.unit_id = ${unitId} and start_time >= ${since}::timestamptz and own.workplace_id = ${from}
    order by segments.id limit ${MOST_FRAGMENTS + 1} for no key update of segments`.execute(tx);
  if (rows.length > MOST_FRAGMENTS) throw tooMany(`${MOST_FRAGMENTS} fragments`);
  const lacking = new Map(
    rows.filter((row) => row.to === null).map((row) => [row.stream_id, row] as const),
  );
  if (lacking.size > 0) throw refusedCameras([...lacking.values()]);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const moved = sql`unnest(${ids}::bigint[], ${rows.map((row) => row.to)}::bigint[]) as moved (id, camera_id)`;
  await sql`update segments set camera_id = moved.camera_id from ${moved} where segments.id = moved.id`.execute(
    tx,
  );
  await sql`update segment_announcements set camera_id = moved.camera_id from ${moved}
    where segment_id = moved.id`.execute(tx);
  return ids;
}

/** The cameras of the new bus have the states that the unit reported last; nobody knows those of the old one. */
export async function moveCameraStates(
  tx: Tx,
  { unitId, from, to, fromMs, nowMs }: UnitMove,
): Promise<void> {
  if (from === null) return;
  const since = momentIn(fromMs);
  await sql`
    update camera_states set camera_id = same.id
    from cameras as own join cameras as same on same.stream_id = own.stream_id
    where own.id = camera_states.camera_id and own.workplace_id = ${from}
      and same.workplace_id = ${to}::bigint and unit_id = ${unitId} and time >= ${since}::timestamptz`.execute(
    tx,
  );
  await sql`
    update cameras as same set status = own.status, status_at = own.status_at,
      offline_since = own.offline_since
    from cameras as own
    where own.workplace_id = ${from} and same.workplace_id = ${to}::bigint
      and same.stream_id = own.stream_id and own.status is not null`.execute(tx);
  await sql`
    update cameras set status = null, status_at = ${new Date(Number.isFinite(fromMs) ? fromMs : nowMs)}, offline_since = null
    where workplace_id = ${from} and status is not null`.execute(tx);
}
