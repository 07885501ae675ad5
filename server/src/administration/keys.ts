import * as contract from '@ridewatch/contract/api-keys';
import { dayRange, FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import { isKeyInCare, type KeyRow } from '../access/api-key.ts';
import type { ClientRow } from '../access/client.ts';
import { clientName } from '../access/client.ts';
import type { Editable } from '../access/visible.ts';
import { insertApiKey, lockClients } from '../auth/accounts.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { contains, equals, type Page, readPage, wireOf } from './page.ts';

type Key = contract.ApiKey;
type Row = Omit<Key, 'created_at' | 'expires_at' | 'last_used_at'> & {
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
};

const columns = {
  name: sql`name collate natural_ru`,
  client: sql`client ->> 'name' collate natural_ru`,
  created_at: sql`created_at`,
  last_used_at: sql`last_used_at`,
} as const;

const keyRows = (where: RawBuilder<boolean>) => sql`
  select api_keys.id, api_keys.name, scopes, api_keys.created_at, expires_at, last_used_at,
    jsonb_build_object('id', clients.id, 'name', ${clientName}) as client,
    jsonb_build_object('id', users.id, 'name', login) as created_by
  from api_keys join clients on clients.id = api_keys.client_id
  join users on users.id = api_keys.created_by
  where revoked_at is null and ${where}`;

/** One page of the keys in the viewer's care, by name unless asked otherwise. */
export async function listKeys(
  db: Db,
  viewer: Viewer,
  query: QueryOf<typeof contract.listApiKeys>,
): Promise<Page<Key>> {
  const where = sql<boolean>`${isKeyInCare(viewer)}
    and ${contains(query.search, sql`api_keys.name`, clientName)}
    and ${equals(sql`api_keys.client_id`, query.clientId)}`;
  return readPage<Row>(db, keyRows(where), query, { by: columns[query.sortBy ?? 'name'] });
}

/** A key as in answers. */
export async function readKey(db: Db, { id }: { readonly id: number }): Promise<Key> {
  const { rows } = await keyRows(sql`api_keys.id = ${id}`).execute(db);
  const [row] = rows as Row[];
  if (row === undefined) throw notFound();
  return wireOf(row);
}

/**
 * Makes a key of a customer.
 * @throws AppError invalid_request for a last day that has passed, conflict above MAX_API_KEYS
 */
export async function createKey(
  tx: Tx,
  actor: Actor & { readonly userId: number },
  client: Editable<ClientRow>,
  { name, scopes, last_day: lastDay }: BodyOf<typeof contract.createApiKey>,
): Promise<{ key: Key; secret: string }> {
  const expiresMs = lastDay === null ? null : dayRange(lastDay, FALLBACK_ZONE).endMs;
  if (expiresMs !== null && expiresMs <= actor.atMs) {
    throw new AppError('invalid_request', 'has passed', { field: 'last_day' });
  }
  // Two at once must not pass the limit together.
  await lockClients(tx, [client.id]);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from api_keys
    where client_id = ${client.id} and revoked_at is null`.execute(tx);
  if ((rows[0]?.count ?? 0) >= contract.MAX_API_KEYS) {
    const message = `A customer has at most ${contract.MAX_API_KEYS} keys. Revoke one first.`;
    throw new AppError('conflict', message, { field: 'client_id' });
  }
  const made = { clientId: client.id, name, scopes: [...new Set(scopes)], expiresMs };
  const { id, secret } = await insertApiKey(tx, { ...made, createdBy: actor.userId }, actor.atMs);
  const key = await readKey(tx, { id });
  await insertAudit(tx, actor, {
    action: 'create_api_key',
    objectType: 'api_key',
    objectId: id,
    after: { client: key.client, name, scopes: key.scopes, expires_at: key.expires_at },
  });
  return { key, secret };
}

/**
 * Revokes a key; other processes learn it within 5 s.
 * @returns what stands for the key in caches of sessions
 */
export async function revokeKey(tx: Tx, actor: Actor, key: Editable<KeyRow>): Promise<string> {
  const revoked = await tx
    .updateTable('api_keys')
    .set({ revoked_at: new Date(actor.atMs) })
    .where('id', '=', key.id)
    .where('revoked_at', 'is', null)
    .returning('holder_id')
    .executeTakeFirst();
  // Somebody else may have revoked it meanwhile.
  if (revoked === undefined) throw notFound();
  await insertAudit(tx, actor, {
    action: 'revoke_api_key',
    objectType: 'api_key',
    objectId: key.id,
    before: { name: key.name },
  });
  return revoked.holder_id;
}
