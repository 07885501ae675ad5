// The tables that were loaded.
import type { ImportKind } from '@ridewatch/contract/admin-import';
import { type LoadedTable, MOST_LOADED, UNDO_HOURS } from '@ridewatch/contract/admin-import-undo';
import { sql } from 'kysely';
import { checkAdministers } from '../../access/administration.ts';
import type { Actor } from '../../core/audit.ts';
import type { Db, Tx } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import type { Viewer } from '../../core/viewer.ts';

const UNDO_MS = UNDO_HOURS * 3_600_000;

/** @throws AppError no_right for who may not load, export and undo tables of a kind */
export function checkMayImport(viewer: Viewer, kind: ImportKind): void {
  checkAdministers(viewer);
  if (kind !== 'customers' || viewer.role === 'ADMIN') return;
  throw new AppError('no_right', 'Only administrators see all customers.', { field: 'kind' });
}

/** Key of the lock under which tables are written and undone, one at a time in all processes. */
const IMPORT_LOCK = 1_900_060_001;

/** Takes the lock of tables until the transaction ends. @throws AppError conflict at once when another one is written */
export async function lockImports(tx: Tx, field: string): Promise<void> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(${IMPORT_LOCK}) as "isFree"`.execute(tx);
  if (rows[0]?.isFree === true) return;
  throw new AppError('conflict', 'Another table is being loaded. Try again in a minute.', {
    field,
  });
}

interface NewImport {
  readonly userId: number;
  readonly kind: ImportKind;
  readonly file: string;
  readonly created: number;
  readonly changed: number;
}

/** Notes a table that is being written. @returns its number */
export async function insertImport(
  tx: Tx,
  actor: Actor,
  { userId, ...table }: NewImport,
): Promise<number> {
  const { id } = await tx
    .insertInto('imports')
    .values({ ...table, user_id: userId, at: new Date(actor.atMs) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const isOwn = ({ role, userId }: Viewer) =>
  sql<boolean>`(${role === 'ADMIN'} or imports.user_id = ${userId})`;

/** The tables of a kind that can still be undone, or were; one's own, to administrators all; the latest first. */
export async function listImports(
  db: Db,
  viewer: Viewer,
  kind: ImportKind,
  nowMs: number,
): Promise<LoadedTable[]> {
  const { rows } = await sql<
    Omit<LoadedTable, 'at' | 'undone_at'> & { at: Date; undone_at: Date | null }
  >`
    select imports.id, at, login as user, file, created, changed, undone_at
    from imports join users on users.id = imports.user_id
    where kind = ${kind} and at > ${new Date(nowMs - UNDO_MS)} and ${isOwn(viewer)}
    order by at desc, imports.id desc limit ${MOST_LOADED}`.execute(db);
  return rows.map(({ at, undone_at, ...table }) => ({
    ...table,
    at: at.toISOString(),
    undone_at: undone_at?.toISOString() ?? null,
  }));
}

/**
 * Marks a table as undone.
 * @returns what its rows describe
 * @throws AppError not_found for a foreign one, no_right for a kind that the user no longer loads, conflict for one that
 *   was undone or is too old
 */
export async function markUndone(
  tx: Tx,
  viewer: Viewer,
  id: number,
  nowMs: number,
): Promise<ImportKind> {
  const { rows } = await sql<{ kind: ImportKind; at: Date; undone_at: Date | null }>`
    select kind, at, undone_at from imports
    where id = ${id} and ${isOwn(viewer)} for update`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw notFound();
  checkMayImport(viewer, found.kind);
  const isLate = found.at.getTime() <= nowMs - UNDO_MS;
  if (isLate || found.undone_at !== null) {
    const message = isLate
      ? `A table can be undone for ${UNDO_HOURS} hours.`
      : 'The table was undone.';
    throw new AppError('conflict', message, { field: 'importId' });
  }
  await tx
    .updateTable('imports')
    .set({ undone_at: new Date(nowMs) })
    .where('id', '=', id)
    .execute();
  return found.kind;
}
