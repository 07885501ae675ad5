import type { Role } from '@ridewatch/contract/auth';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { KnownUnit, Viewer } from '../core/viewer.ts';
import { checkNewPassword, hashPassword } from './passwords.ts';
import { createSecret, hashSecret } from './tokens.ts';

/** Lifetime of an unused refresh token, ms. */
const REFRESH_TOKEN_MS = 30 * 24 * 3_600_000;

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
}

const accountColumns = sql`
  users.id as "userId", users.login, users.password_hash as "passwordHash", users.role,
  users.client_id as "clientId", users.enabled, users.can_edit as "canEdit",
  clients.name, clients.surname,
  coalesce(clients.status, 1) as status, coalesce(clients.enabled, true) as "clientEnabled",
  array(select client_id from integrator_clients where integrator_id = users.client_id order by 1)
    as "integratorClients"`;

/** The account of a login, case-insensitive. */
export async function findAccountByLogin(db: Db, login: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select ${accountColumns} from users left join clients on clients.id = users.client_id
    where lower(users.login) = lower(${login})`.execute(db);
  return rows[0];
}

/** The account of a user. */
export async function findAccount(db: Db, userId: number): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select ${accountColumns} from users left join clients on clients.id = users.client_id
    where users.id = ${userId}`.execute(db);
  return rows[0];
}

/** The accounts behind open sessions, by session id. */
export async function listSessionAccounts(
  db: Db,
  sessionIds: readonly string[],
): Promise<Map<string, Account>> {
  const { rows } = await sql<Account & { sessionId: string }>`
    select sessions.id as "sessionId", ${accountColumns}
    from sessions join users on users.id = sessions.user_id
    left join clients on clients.id = users.client_id
    where sessions.id = any(${[...sessionIds]}::uuid[]) and sessions.revoked_at is null`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.sessionId, row]));
}

/** @throws AppError user_blocked or user_inactive when the account may not sign in */
export function checkAccountOpen(account: Account): void {
  if (account.status === 3) throw new AppError('user_blocked', 'The account is blocked.');
  if (account.status === 4 || !account.enabled || !account.clientEnabled) {
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
  };
}

/** Opens a session. */
export async function insertSession(
  tx: Db,
  session: { userId: number; address: string; userAgent: string; nowMs: number },
): Promise<string> {
  const now = new Date(session.nowMs);
  const { id } = await tx
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      address: session.address,
      user_agent: session.userAgent.slice(0, 255),
      created_at: now,
      last_used_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A new refresh token of a session's family; only its hash is stored. */
export async function insertRefreshToken(
  tx: Db,
  sessionId: string,
  nowMs: number,
): Promise<string> {
  const token = createSecret('');
  await tx
    .insertInto('refresh_tokens')
    .values({
      token_hash: hashSecret(token),
      session_id: sessionId,
      issued_at: new Date(nowMs),
      expires_at: new Date(nowMs + REFRESH_TOKEN_MS),
    })
    .execute();
  return token;
}

/** Ends open sessions of a user: one, all but one, or all. Returns the ended ones. */
export async function revokeSessions(
  tx: Db,
  which: { userId: number; only?: string; except?: string },
  reason: string,
  nowMs: number,
): Promise<string[]> {
  const rows = await tx
    .updateTable('sessions')
    .set({ revoked_at: new Date(nowMs), revoke_reason: reason })
    .where('user_id', '=', which.userId)
    .where('revoked_at', 'is', null)
    .$if(which.only !== undefined, (query) => query.where('id', '=', which.only ?? ''))
    .$if(which.except !== undefined, (query) => query.where('id', '<>', which.except ?? ''))
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
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

/** Issues a credential for a unit at `nowMs`. The text is shown this once; only its hash is stored. */
export async function issueUnitCredential(tx: Db, unitId: number, nowMs: number): Promise<string> {
  const credential = createSecret('rwu_');
  await tx
    .insertInto('unit_credentials')
    .values({
      unit_id: unitId,
      secret_hash: hashSecret(credential),
      created_at: new Date(nowMs),
    })
    .execute();
  return credential;
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

/** A unit and the row of its credential. */
export interface UnitOfCredential {
  readonly credentialId: number;
  readonly unit: KnownUnit;
}

/** Finds the unit of a credential that is valid at `nowMs`. */
export async function findUnitByCredential(
  db: Db,
  credential: string,
  nowMs: number,
): Promise<UnitOfCredential | undefined> {
  const row = await validCredentials(db, nowMs)
    .where('secret_hash', '=', hashSecret(credential))
    .executeTakeFirst();
  return row === undefined ? undefined : unitOf(row);
}

/** The units of cached credentials, by the ids of their rows, without those that are no longer valid. */
export async function listUnitsOfCredentials(
  db: Db,
  credentialIds: readonly number[],
  nowMs: number,
): Promise<Map<number, UnitOfCredential>> {
  const rows = await validCredentials(db, nowMs)
    .where(sql<boolean>`unit_credentials.id = any(${[...credentialIds]}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.credentialId, unitOf(row)]));
}

function validCredentials(db: Db, nowMs: number) {
  return db
    .selectFrom('unit_credentials')
    .innerJoin('units', 'units.id', 'unit_credentials.unit_id')
    .select([
      'unit_credentials.id as credentialId',
      'units.id as unitId',
      'device_id as deviceId',
      'workplace_id as busId',
    ])
    .where('revoked_at', 'is', null)
    .where('units.enabled', '=', true)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date(nowMs))]));
}

function unitOf({ credentialId, ...unit }: KnownUnit & { credentialId: number }): UnitOfCredential {
  return { credentialId, unit };
}
