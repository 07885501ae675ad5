import type { ApiScope } from '@ridewatch/contract/api-scope';
import type { Role } from '@ridewatch/contract/auth';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Administrator, Viewer } from '../core/viewer.ts';
import { checkNewPassword, hashPassword } from './passwords.ts';
import { createSecret, hashSecret, KEY_PREFIX, UNIT_PREFIX } from './tokens.ts';

export interface Account {
  readonly userId: number;
  readonly login: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly clientId: number | null;
  readonly enabled: boolean;
  readonly canEdit: boolean;
  readonly name: string | null;
  readonly surname: string | null;
  /** Of the customer or employer; administrators are active. */
  readonly status: number;
  readonly clientEnabled: boolean;
  readonly integratorClients: number[];
  readonly hasSecondFactor: boolean;
  /** A provider has signed the user in, and decided about second factors. */
  readonly isByOpenid: boolean;
  /** The administrator whose session sees what the account sees; null: the user's own session. */
  readonly viewedBy: Administrator | null;
}

/** The customer's columns of an account. */
export const clientColumns = sql`
  clients.name, clients.surname,
  coalesce(clients.status, 1) as status, coalesce(clients.enabled, true) as "clientEnabled",
  array(select client_id from integrator_clients where integrator_id = clients.id order by 1)
    as "integratorClients"`;

const accountColumns = sql`
  users.id as "userId", users.login, users.password_hash as "passwordHash", users.role,
  users.client_id as "clientId", users.enabled, users.can_edit as "canEdit", ${clientColumns},
  exists (select from second_factors where user_id = users.id and confirmed_at is not null)
    as "hasSecondFactor"`;

/** The account of a login, case-insensitive. */
export async function findAccountByLogin(db: Db, login: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select ${accountColumns}, false as "isByOpenid", null as "viewedBy"
    from users left join clients on clients.id = users.client_id
    where lower(users.login) = lower(${login})`.execute(db);
  return rows[0];
}

/** The account of a user. */
export async function findAccount(db: Db, userId: number): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select ${accountColumns}, false as "isByOpenid", null as "viewedBy"
    from users left join clients on clients.id = users.client_id
    where users.id = ${userId}`.execute(db);
  return rows[0];
}

/** The accounts behind open sessions, by session id. A view is open as long as the session that opened it. */
export async function listSessionAccounts(
  db: Db,
  sessionIds: readonly string[],
): Promise<Map<string, Account>> {
  const { rows } = await sql<Account & { sessionId: string }>`
    select sessions.id as "sessionId", ${accountColumns}, sessions.by_openid as "isByOpenid",
      case when opener.id is not null
        then jsonb_build_object('userId', viewer.id, 'login', viewer.login) end as "viewedBy"
    from sessions join users on users.id = sessions.user_id
    left join clients on clients.id = users.client_id
    left join sessions as opener on opener.id = sessions.opened_by
    left join users as viewer on viewer.id = opener.user_id
    where sessions.id = any(${[...sessionIds]}::uuid[]) and sessions.revoked_at is null
      and opener.revoked_at is null`.execute(db);
  return new Map(rows.map((row) => [row.sessionId, row]));
}

/** Whether an account may not sign in, whatever its password. */
export function mayNotSignIn({ status, enabled, clientEnabled }: Account): boolean {
  return status === 3 || status === 4 || !enabled || !clientEnabled;
}

/** Whether an account may do nothing but set up its second factor. @param roles those that need one */
export function mustSetUpSecondFactor(
  { role, hasSecondFactor, isByOpenid, viewedBy }: Account,
  roles: readonly Role[],
): boolean {
  return roles.includes(role) && !hasSecondFactor && !isByOpenid && viewedBy === null;
}

/** @throws AppError user_blocked or user_inactive when the account may not sign in */
export function checkAccountOpen(account: Account): void {
  if (account.status === 3) throw new AppError('user_blocked', 'The account is blocked.');
  if (mayNotSignIn(account)) {
    throw new AppError('user_inactive', 'The account is inactive.');
  }
}

/** The rights of an account in one of its sessions. */
export function viewerOf(account: Account, sessionId: string): Viewer {
  return {
    userId: account.userId,
    sessionId,
    login: account.login,
    role: account.role,
    clientId: account.clientId,
    clientIds: account.clientId === null ? 'all' : [account.clientId, ...account.integratorClients],
    canEdit: account.role !== 'CUSTOMER' || account.canEdit,
    viewedBy: account.viewedBy,
  };
}

/** `share`: beside others like it. Such a transaction changes none of the rows later, or two wait for each other. */
type RightsLock = 'share' | 'no key update';

/** Locks customers until the transaction ends, in the order of their ids so that two transactions never deadlock. */
export async function lockClients(
  tx: Tx,
  ids: readonly number[],
  lock: RightsLock = 'no key update',
): Promise<void> {
  await sql`select from clients where id = any(${[...ids]}::bigint[])
    order by id for ${sql.raw(lock)}`.execute(tx);
}

/**
 * Reads the rights of the user who makes what outlives them: those of the request may be some seconds old. Locks what they
 * depend on until the transaction ends: the rows of that user, of the user concerned and of the customers concerned.
 * @param about the user concerned, whose customer counts as concerned, and customers
 * @param lock `share` for a command that writes neither users nor customers, nor what a customer has a limited number of
 * @returns the viewer with its present rights; judge by them again
 * @throws AppError user_blocked or user_inactive, unauthorized when the user no longer exists
 */
export async function lockRights(
  tx: Tx,
  viewer: Viewer,
  about: { readonly userId?: number; readonly clientIds?: readonly number[] },
  lock: RightsLock = 'no key update',
): Promise<Viewer> {
  const userIds = [viewer.userId, about.userId ?? viewer.userId];
  // Users before customers, everywhere.
  const { rows } = await sql<{ id: number; clientId: number | null }>`
    select id, client_id as "clientId" from users where id = any(${userIds}::bigint[])
    order by id for ${sql.raw(lock)}`.execute(tx);
  const ofUser = rows.find(({ id }) => id === about.userId)?.clientId ?? [];
  await lockClients(tx, [...(about.clientIds ?? [])].concat(ofUser), lock);
  const account = await findAccount(tx, viewer.userId);
  if (account === undefined) throw new AppError('unauthorized', 'The user no longer exists.');
  checkAccountOpen(account);
  return viewerOf(account, viewer.sessionId);
}

/**
 * The id of a new user: that of its customer for the first account, else the next one.
 * @param clientId of a locked customer: two first accounts at once would both get its id
 */
export async function nextUserId(tx: Tx, clientId: number | null): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select case
      when ${clientId}::bigint is null
        or exists (select from users where id = ${clientId}::bigint or client_id = ${clientId}::bigint)
      then nextval('account_ids') else ${clientId}::bigint end as id`.execute(tx);
  const [next] = rows;
  if (next === undefined) throw new Error('The sequence of ids gave none.');
  return next.id;
}

/** Ends open sessions of a user: one, all but one, those by a provider, or all. Returns the ended ones. */
export async function revokeSessions(
  tx: Db,
  which: { userId: number; only?: string; except?: string; byOpenid?: true },
  reason: string,
  nowMs: number,
): Promise<string[]> {
  // A link before sessions, as a request that uses the link: they would deadlock otherwise.
  if (which.only === undefined && which.byOpenid === undefined) {
    // The maker of the link may no longer administer the user.
    await tx.deleteFrom('password_links').where('user_id', '=', which.userId).execute();
  }
  const rows = await tx
    .updateTable('sessions')
    .set({ revoked_at: new Date(nowMs), revoke_reason: reason })
    .where('user_id', '=', which.userId)
    .where('revoked_at', 'is', null)
    .$if(which.only !== undefined, (query) => query.where('id', '=', which.only ?? ''))
    .$if(which.byOpenid === true, (query) => query.where('by_openid', '=', true))
    .$if(which.except !== undefined, (query) => query.where('id', '<>', which.except ?? ''))
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Sets a user's password.
 * @param passwordHash of `hashPassword`
 * @param except a session that goes on; every other one ends
 * @returns the ended sessions
 */
export async function setPassword(
  tx: Tx,
  user: { readonly userId: number; readonly passwordHash: string; readonly except?: string },
  nowMs: number,
): Promise<string[]> {
  await tx
    .updateTable('users')
    .set({ password_hash: user.passwordHash })
    .where('id', '=', user.userId)
    .execute();
  return revokeSessions(tx, user, 'password_changed', nowMs);
}

/**
 * The hash of the first password of a new user.
 * @param field of the request that holds it
 * @throws AppError weak_password
 */
export async function hashNewPassword(password: string, field: string): Promise<string> {
  checkNewPassword(password, field);
  return hashPassword(password);
}

/** A new API key. */
export interface NewApiKey {
  readonly clientId: number;
  readonly name: string;
  readonly scopes: readonly ApiScope[];
  readonly createdBy: number;
  /** Ms since 1970 UTC; null: it does not expire. */
  readonly expiresMs: number | null;
}

/** Makes an API key at `nowMs`. The secret is shown this once; only its hash is stored. */
export async function insertApiKey(
  tx: Db,
  key: NewApiKey,
  nowMs: number,
): Promise<{ id: number; secret: string }> {
  const secret = createSecret(KEY_PREFIX);
  const { id } = await tx
    .insertInto('api_keys')
    .values({
      client_id: key.clientId,
      name: key.name,
      secret_hash: hashSecret(secret),
      scopes: [...key.scopes],
      created_by: key.createdBy,
      created_at: new Date(nowMs),
      expires_at: key.expiresMs === null ? null : new Date(key.expiresMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, secret };
}

/** Issues a credential for a unit at `nowMs`. The text is shown this once; only its hash is stored. */
export async function issueUnitCredential(tx: Db, unitId: number, nowMs: number): Promise<string> {
  const [credential = ''] = await issueUnitCredentials(tx, [unitId], nowMs);
  return credential;
}

/** Issues a credential for each of some units. @returns the credentials in the order of the ids */
export async function issueUnitCredentials(
  tx: Db,
  unitIds: readonly number[],
  nowMs: number,
): Promise<string[]> {
  const issued = unitIds.map((unit_id) => ({ unit_id, credential: createSecret(UNIT_PREFIX) }));
  await tx
    .insertInto('unit_credentials')
    .values(
      issued.map(({ unit_id, credential }) => ({
        unit_id,
        secret_hash: hashSecret(credential),
        created_at: new Date(nowMs),
      })),
    )
    .execute();
  return issued.map(({ credential }) => credential);
}

/**
 * Ends the valid credentials of a unit at a moment, or sooner if they end sooner.
 * @param endsMs ms since 1970 UTC; units learn it within 5 s
 * @returns how many end
 */
export async function endUnitCredentials(
  tx: Db,
  unitId: number,
  endsMs: number,
  nowMs: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    update unit_credentials set expires_at = least(expires_at, ${new Date(endsMs)}::timestamptz)
    where unit_id = ${unitId} and revoked_at is null
      and (expires_at is null or expires_at > ${new Date(nowMs)}::timestamptz)
    returning id`.execute(tx);
  return rows.length;
}
