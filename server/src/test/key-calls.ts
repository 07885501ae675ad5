import { ApiScope } from '@ridewatch/contract/api-scope';
import { insertApiKey } from '../auth/accounts.ts';
import type { Db } from '../core/db/db.ts';

/** The calls about API keys, which access/api-keys.test.ts tries. */
export const callsOfKeys = [
  'GET /api/keys',
  'GET /api/keys/{keyId}',
  'POST /api/keys',
  'DELETE /api/keys/{keyId}',
];

/** Inserts an API key of a customer, made by the administrator. @returns its id, and its secret */
export async function insertTestKey(
  db: Db,
  clientId: number,
  {
    scopes = ApiScope.options,
    expiresMs = null,
    nowMs = Date.now(),
  }: { scopes?: readonly ApiScope[]; expiresMs?: number | null; nowMs?: number } = {},
): Promise<{ id: number; secret: string }> {
  const { id: createdBy } = await db
    .selectFrom('users')
    .select('id')
    .where('login', '=', 'admin')
    .executeTakeFirstOrThrow();
  return insertApiKey(db, { clientId, name: 'Табло', scopes, createdBy, expiresMs }, nowMs);
}
