// Requests with an API key. A key reads as its customer: it has the rights of an account without the edit right. What is
// known of keys is cached as long as sessions: a revoked one ends at once in the process that revokes it, within 5 s in
// others. An expiry is compared with the clock at every request.
import { MAX_KEY_CALLS } from '@ridewatch/contract/api-keys';
import type { ApiScope } from '@ridewatch/contract/api-scope';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { Cache } from '../core/cache.ts';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { createJoinedReads } from '../core/joined-reads.ts';
import type { Deps } from '../deps.ts';
import { type AccountCache, createAccountCache } from './account-cache.ts';
import { type Account, clientColumns } from './accounts.ts';
import { hashSecret, KEY_PREFIX } from './tokens.ts';

/** A call counts for a minute, ms. */
const WINDOW_MS = 60_000;
/** The last use of a key is written at most this often, ms. */
const NOTE_EVERY_MS = 60_000;
/** Most keys that a process knows. */
const MOST_KEPT = 10_000;
const SCHEME = 'Bearer ';

/** The account of a key: that of its customer. */
export interface KeyAccount extends Account {
  readonly scopes: readonly ApiScope[];
  /** Null: the key does not expire. */
  readonly expiresAt: Date | null;
}

/** API keys of one process. */
export interface ApiKeys {
  /** The account of the request's key. @returns undefined for an unknown, expired or revoked one */
  findOfRequest(
    request: FastifyRequest,
  ): Promise<{ account: KeyAccount; holderId: string } | undefined>;
  /** The account of a key by what stands for its session in addresses of video. */
  readonly find: AccountCache<KeyAccount>['find'];
  /** Drops keys that this process has ended, by the same. */
  readonly forget: AccountCache<KeyAccount>['forget'];
  /**
   * Counts a call and notes that the key is used.
   * @throws AppError too_many_attempts
   */
  use(account: KeyAccount): Promise<void>;
}

/** Whether a request shows an API key; no look at the key itself. */
export function hasApiKey({ headers: { authorization } }: FastifyRequest): boolean {
  return authorization?.startsWith(KEY_PREFIX, SCHEME.length) === true;
}

/** @throws AppError no_right unless the key has the scope of the call */
export function checkScope(account: Account | KeyAccount, scope: ApiScope | undefined): void {
  if (!('scopes' in account)) return;
  if (scope !== undefined && account.scopes.includes(scope)) return;
  const message =
    scope === undefined
      ? 'API keys may not make this call.'
      : `The API key lacks the scope ${scope}.`;
  throw new AppError('no_right', message);
}

/** Creates the key check of one process. */
export function createApiKeys({
  database: { db },
  clock,
}: Pick<Deps, 'database' | 'clock'>): ApiKeys {
  const accounts = createAccountCache<KeyAccount>(clock, (ids) => listKeyAccounts(db, ids));
  // Only known secrets are cached, so that guesses do not fill the memory.
  const holders = new Cache<string, string>({ most: MOST_KEPT });
  const readHolder = createJoinedReads((header: string) => findHolder(db, header));
  const calls = new Cache<number, { fromMs: number; count: number }>({ most: MOST_KEPT });
  const noted = new Cache<number, number>({ most: MOST_KEPT });

  const holderOf = async (header: string): Promise<string | undefined> => {
    const known = holders.get(header) ?? (await readHolder(header));
    if (known !== undefined) holders.set(header, known);
    return known;
  };
  const find = async (holderId: string): Promise<KeyAccount | undefined> => {
    const account = await accounts.find(holderId);
    const endsMs = account?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    return clock.nowMs() < endsMs ? account : undefined;
  };
  return {
    find,
    forget: accounts.forget,
    findOfRequest: async ({ headers: { authorization = '' } }) => {
      const holderId = await holderOf(authorization);
      const account = holderId === undefined ? undefined : await find(holderId);
      return holderId === undefined || account === undefined ? undefined : { account, holderId };
    },
    use: async ({ userId: keyId }) => {
      const atMs = clock.elapsedMs();
      const last = calls.get(keyId);
      const isOver = last === undefined || atMs - last.fromMs >= WINDOW_MS;
      const window = isOver ? { fromMs: atMs, count: 0 } : last;
      if (window.count >= MAX_KEY_CALLS) {
        const retryAfterS = Math.max(1, Math.ceil((window.fromMs + WINDOW_MS - atMs) / 1000));
        const message = `A key may make ${MAX_KEY_CALLS} calls a minute.`;
        throw new AppError('too_many_attempts', message, { retryAfterS });
      }
      window.count += 1;
      calls.set(keyId, window);
      if (atMs - (noted.get(keyId) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
      noted.set(keyId, atMs);
      await noteUse(db, keyId, clock.nowMs());
    },
  };
}

async function findHolder(db: Db, header: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select('holder_id')
    .where('secret_hash', '=', hashSecret(header.slice(SCHEME.length)))
    .executeTakeFirst();
  return row?.holder_id;
}

async function listKeyAccounts(
  db: Db,
  holderIds: readonly string[],
): Promise<Map<string, KeyAccount>> {
  const { rows } = await sql<KeyAccount & { holderId: string }>`
    select holder_id as "holderId", api_keys.id as "userId", api_keys.name as login, scopes,
      expires_at as "expiresAt", '' as "passwordHash", 'CUSTOMER' as role,
      client_id as "clientId", true as enabled,
      false as "canEdit", false as "hasSecondFactor", false as "isByOpenid", null as "viewedBy",
      ${clientColumns}
    from api_keys join clients on clients.id = client_id
    where holder_id = any(${[...holderIds]}::uuid[]) and revoked_at is null`.execute(db);
  return new Map(rows.map((row) => [row.holderId, row]));
}

// Several processes note the use of one key.
async function noteUse(db: Db, keyId: number, nowMs: number): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: new Date(nowMs) })
    .where('id', '=', keyId)
    .where((eb) =>
      eb.or([
        eb('last_used_at', 'is', null),
        eb('last_used_at', '<=', new Date(nowMs - NOTE_EVERY_MS)),
      ]),
    )
    .execute();
}
