import { type RawBuilder, sql } from 'kysely';
import { isVisibleUser } from '../access/administration.ts';
import { lockRights } from '../auth/accounts.ts';
import type { Tx } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';

/**
 * Locks what the rights of the user depend on, and users whom a command is about, until the transaction ends: nobody
 * takes a customer away before the command is done. Commands that write neither users nor customers go on beside each
 * other. Call it before units and buses are locked.
 * @param concerned a condition on `users`, for a command that writes users
 * @returns the user with its present rights; judge and write by them
 * @throws AppError user_blocked, user_inactive, unauthorized
 */
export async function lockRightsOver(
  tx: Tx,
  viewer: Viewer,
  concerned?: RawBuilder<boolean>,
): Promise<Viewer> {
  const clientIds = viewer.clientIds === 'all' ? [] : viewer.clientIds;
  if (concerned === undefined) return lockRights(tx, viewer, { clientIds }, 'share');
  await sql`
    select from users where id = ${viewer.userId} or (${concerned} and ${isVisibleUser(viewer)})
    order by id for no key update`.execute(tx);
  return lockRights(tx, viewer, { clientIds });
}
