import type { FailReason } from '@ridewatch/contract/fail-reasons';
import { type FragmentStatus, fragmentMoves } from '@ridewatch/contract/fragment-states';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { bumpDaysBetween } from '../days/bus-days.ts';

/** States that begin a new series of attempts. */
const FRESH: ReadonlySet<FragmentStatus> = new Set([
  'ADDED',
  'LIVE',
  'DOWNLOADING_FROM_TASK',
  'LOADED',
]);

interface Move {
  /** When it happens, ms since 1970 UTC. */
  readonly atMs: number;
  /** Why it failed; a move without one clears the last reason. */
  readonly failReason?: FailReason;
  /** The unit's own words about it. */
  readonly failDetail?: string | undefined;
}

/**
 * Moves a fragment to another state, if the table of moves allows it, and marks its bus's days as changed.
 * The fragment's row stays locked until the transaction ends.
 * @returns the former state
 * @throws AppError not_found, or conflict for a move that the table does not have
 */
export async function moveFragment(
  tx: Db,
  fragmentId: number,
  to: FragmentStatus,
  move: Move,
): Promise<FragmentStatus> {
  const [before] = await moveFragments(tx, [fragmentId], to, move);
  if (before === undefined) throw notFound();
  return before;
}

/**
 * Moves several fragments to one state, as `moveFragment` does, in as many statements as one takes.
 * @param fragmentIds each once
 * @returns the states they were in, in the order of their ids
 * @throws AppError not_found when one is missing, conflict for a move that the table does not have; then none is moved
 */
export async function moveFragments(
  tx: Db,
  fragmentIds: readonly number[],
  to: FragmentStatus,
  { atMs, failReason, failDetail }: Move,
): Promise<FragmentStatus[]> {
  if (fragmentIds.length === 0) return [];
  const { rows } = await sql<{ status: FragmentStatus }>`
    select status from segments where id = any(${[...fragmentIds]}::bigint[])
    order by id for update`.execute(tx);
  if (rows.length < fragmentIds.length) throw notFound();
  const before = rows.map(({ status }) => status);
  const refused = before.find((status) => !fragmentMoves[status].includes(to));
  if (refused !== undefined) {
    throw new AppError('conflict', `A fragment in state ${refused} cannot become ${to}.`);
  }
  await tx
    .updateTable('segments')
    .set((eb) => ({
      status: to,
      status_from: eb.ref('status'),
      status_at: new Date(atMs),
      fail_reason: failReason ?? null,
      fail_detail: failDetail ?? null,
      retry_at: null,
      counting_percent: null,
      ...(FRESH.has(to) ? { failed_tries: 0 } : {}),
      // It has come again.
      ...(to === 'LOADED' ? { video_deleted_at: null, video_deleted_for: null } : {}),
    }))
    .where(isOneOf('id', fragmentIds))
    .execute();
  await endInPreloads(tx, fragmentIds, to, atMs);
  await markFragmentsChanged(tx, fragmentIds);
  return before;
}

const isOneOf = (column: string, ids: readonly number[]) =>
  sql<boolean>`${sql.ref(column)} = any(${[...ids]}::bigint[])`;

// Preload requests wait until their fragments have arrived or failed.
async function endInPreloads(
  tx: Db,
  fragmentIds: readonly number[],
  to: FragmentStatus,
  atMs: number,
): Promise<void> {
  if (to !== 'LOADED' && to !== 'DOWNLOAD_FAIL') return;
  const isHere = to === 'LOADED';
  await tx
    .updateTable('preload_segments')
    .set((eb) => ({
      ended_at: eb.fn.coalesce('ended_at', eb.val(new Date(atMs))),
      ...(isHere ? { percent: 100 } : {}),
    }))
    .where(isOneOf('segment_id', fragmentIds))
    .where('percent', '<', 100)
    .execute();
}

/**
 * Returns a fragment that is being counted or merged to its former state, with the reason. Does nothing when it is in
 * another state.
 */
export async function returnFragment(
  tx: Db,
  fragmentId: number,
  from: 'PROCESSING' | 'MERGING',
  { atMs, failReason }: { atMs: number; failReason: FailReason },
): Promise<void> {
  const fragment = await tx
    .selectFrom('segments')
    .select(['status', 'status_from'])
    .where('id', '=', fragmentId)
    .forUpdate()
    .executeTakeFirst();
  if (fragment?.status !== from) return;
  const home = fragmentMoves[from].find((status) => status === fragment.status_from);
  const otherwise = from === 'PROCESSING' ? 'LOADED' : 'PROCESSED';
  await moveFragment(tx, fragmentId, home ?? otherwise, { atMs, failReason });
}

/** Marks the days that show a fragment as changed. Call it last in a transaction. */
export async function markFragmentChanged(tx: Db, fragmentId: number): Promise<void> {
  await markFragmentsChanged(tx, [fragmentId]);
}

async function markFragmentsChanged(tx: Db, fragmentIds: readonly number[]): Promise<void> {
  const rows = await tx
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select(['start_time', 'end_time', 'workplace_id'])
    .where(isOneOf('segments.id', fragmentIds))
    .orderBy('workplace_id')
    .orderBy('start_time')
    .execute();
  if (rows.length === 0) throw notFound();
  for (const [busId, own] of Map.groupBy(rows, (row) => row.workplace_id)) {
    const spans = own.map((row) => [row.start_time.getTime(), row.end_time.getTime()] as const);
    await bumpDaysBetween(tx, busId, spans);
  }
}
