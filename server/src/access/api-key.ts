// Rights to API keys: those who administer the customer, and its own users with the edit right, make, see and revoke
// them.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { checkSeesAllOf } from './administration.ts';
import { type ClientRow, findClient } from './client.ts';
import { type Editable, isOfVisibleClient } from './visible.ts';

const administers = ({ role }: Viewer): boolean => role === 'ADMIN' || role === 'INTEGRATOR';

/** @throws AppError no_right for a user who has nothing to do with keys */
export function checkHasKeys(viewer: Viewer): void {
  if (administers(viewer) || viewer.canEdit) return;
  throw new AppError('no_right', 'You may not look after API keys: you lack the edit right.');
}

/** Whether a key is in the viewer's care. */
export function isKeyInCare(viewer: Viewer): RawBuilder<boolean> {
  const clientId = sql.ref('api_keys.client_id');
  if (administers(viewer)) return isOfVisibleClient(viewer, clientId);
  return sql<boolean>`${clientId} = ${viewer.clientId}`;
}

/**
 * A customer for whose keys the viewer cares.
 * @throws AppError not_found for a foreign customer, no_right for one that others look after
 */
export async function findKeyClient(
  db: Db,
  viewer: Viewer,
  clientId: number,
): Promise<Editable<ClientRow>> {
  const client = await findClient(db, viewer, clientId);
  checkHasKeys(viewer);
  if (!administers(viewer) && clientId !== viewer.clientId) {
    throw new AppError('no_right', 'You may look after the API keys of your own customer only.');
  }
  await checkSeesAllOf(db, viewer, clientId);
  return client as Editable<ClientRow>;
}

export interface KeyRow {
  readonly id: number;
  readonly clientId: number;
  readonly name: string;
}

/** @throws AppError not_found, also for a revoked key and for one of a foreign customer; no_right as findKeyClient */
export async function findKey(db: Db, viewer: Viewer, id: number): Promise<Editable<KeyRow>> {
  const key = await db
    .selectFrom('api_keys')
    .select(['id', 'client_id as clientId', 'name'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (key === undefined) throw notFound();
  await findKeyClient(db, viewer, key.clientId);
  return key as Editable<KeyRow>;
}
