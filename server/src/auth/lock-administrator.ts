import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { lockRights } from './accounts.ts';

/**
 * Locks the rights of an administrator until the transaction ends: those of the request may be some seconds old. Call it
 * before anything else is locked.
 * @throws AppError no_right for a user who is no administrator any more; user_blocked, user_inactive, unauthorized
 */
export async function lockAdministrator(tx: Tx, viewer: Viewer): Promise<void> {
  const { role } = await lockRights(tx, viewer, {}, 'share');
  if (role !== 'ADMIN') throw new AppError('no_right', 'Only administrators may do this.');
}

/**
 * Makes a change in a transaction of its own that first locks the rights of its administrator.
 * @throws AppError as {@link lockAdministrator}, and whatever the change throws; then nothing is changed
 */
export const writeAsAdministrator = <T>(
  db: Db,
  viewer: Viewer,
  change: (tx: Tx) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await lockAdministrator(tx, viewer);
    return change(tx);
  });
