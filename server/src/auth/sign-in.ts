import { CLIENT_ID, type TokenRequest, type Tokens } from '@ridewatch/contract/auth';
import { sql } from 'kysely';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { TokenKeys } from '../core/signing-keys.ts';
import type { Deps } from '../deps.ts';
import {
  type Account,
  checkAccountOpen,
  findAccount,
  findAccountByLogin,
  revokeSessions,
} from './accounts.ts';
import type { Guesses } from './guesses.ts';
import { lockVerified } from './passwords.ts';
import { hasSecondFactor, type Shown, spendCode } from './second-factor.ts';
import { insertRefreshToken, insertSession } from './session-rows.ts';
import { ACCESS_TOKEN_S, hashSecret, signAccessToken } from './tokens.ts';

/** A refresh token used again within this time means two tabs or a lost answer, ms; later it means theft. */
const REUSE_GRACE_MS = 30_000;

type SignInDeps = Pick<Deps, 'database' | 'clock'> & {
  readonly keys: TokenKeys;
  readonly guesses: Guesses;
};

interface From {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** @throws AppError invalid_client unless it is the fixed client with its empty secret */
export function checkClient(authorization: string | undefined): void {
  const encoded = /^Basic (.+)$/i.exec(authorization ?? '')?.[1] ?? '';
  if (Buffer.from(encoded, 'base64').toString() !== `${CLIENT_ID}:`) {
    throw new AppError('invalid_client', `The client must be '${CLIENT_ID}' with an empty secret.`);
  }
}

/**
 * The password grant.
 * @throws AppError invalid_grant, user_inactive, user_blocked, mfa_required (these only after a right password),
 *   too_many_attempts, unavailable when too many wait
 */
export async function signIn(deps: SignInDeps, request: TokenRequest, from: From): Promise<Tokens> {
  const { db } = deps.database;
  const login = required(request.username, 'username');
  const password = required(request.password, 'password');
  const attempt = { login, address: from.address, nowMs: deps.clock.nowMs() };
  const account = await deps.guesses.findByPassword(attempt, password, () =>
    findAccountByLogin(db, login),
  );
  if (account === undefined) throw wrongPassword();
  checkAccountOpen(account);
  const open = (tx: Tx, shown?: Shown) =>
    openSession(deps, tx, { account, from, nowMs: attempt.nowMs, shown });
  if (!(await hasSecondFactor(db, account.userId))) {
    return db.transaction().execute((tx) => open(tx));
  }
  if (request.code === undefined) {
    throw new AppError('mfa_required', 'A code of the authenticator app is needed.', {
      field: 'code',
    });
  }
  const { userId } = account;
  const question = { userId, address: from.address, nowMs: deps.clock.nowMs() };
  const tokens = await spendCode(deps.guesses, question, request.code, open);
  if (tokens === undefined) {
    throw new AppError('invalid_grant', 'The code is wrong or was used.', { field: 'code' });
  }
  return tokens;
}

interface Verified {
  readonly account: Account;
  readonly from: From;
  readonly nowMs: number;
  readonly shown: Shown | undefined;
}

async function openSession(
  deps: SignInDeps,
  tx: Tx,
  { account, from, nowMs, shown }: Verified,
): Promise<Tokens> {
  if (!(await lockVerified(tx, account))) throw wrongPassword();
  const sessionId = await insertSession(tx, {
    userId: account.userId,
    address: from.address,
    userAgent: from.userAgent,
    nowMs,
  });
  await insertAudit(tx, actorOf(account, from, nowMs), {
    action: 'sign_in',
    objectType: 'session',
    objectId: sessionId,
    ...(shown !== undefined && { after: { second_factor: shown } }),
  });
  return issueTokens(deps, tx, sessionId);
}

/**
 * The refresh grant: exchanges the token for a new pair of its family.
 * @throws AppError invalid_grant for a token that is unknown, has expired or was used; session_ended, user_inactive,
 *   user_blocked for one of a session that was ended: only who had that session knows its token
 */
export async function renew(deps: SignInDeps, request: TokenRequest, from: From): Promise<Tokens> {
  const { db } = deps.database;
  const token = required(request.refresh_token, 'refresh_token');
  const nowMs = deps.clock.nowMs();
  const tokens = await db.transaction().execute(async (tx): Promise<Tokens | undefined> => {
    const known = await findRefreshToken(tx, token);
    if (known === undefined) return undefined;
    const account = await findAccount(tx, known.userId);
    if (account === undefined) return undefined;
    if (known.revoked) {
      // It answers for a blocked or disabled user with that reason, which the sign-in page shows.
      checkAccountOpen(account);
      throw new AppError('session_ended', 'The session was ended.');
    }
    if (known.expiresAt.getTime() <= nowMs) return undefined;
    if (known.usedAt !== null && nowMs - known.usedAt.getTime() > REUSE_GRACE_MS) {
      const which = { userId: known.userId, only: known.sessionId };
      await revokeSessions(tx, which, 'refresh_token_reused', nowMs);
      await insertAudit(tx, actorOf(account, from, nowMs), {
        action: 'revoke_reused_session',
        objectType: 'session',
        objectId: known.sessionId,
      });
      return undefined;
    }
    checkAccountOpen(account);
    await tx
      .updateTable('refresh_tokens')
      .set({ used_at: known.usedAt ?? new Date(nowMs) })
      .where('token_hash', '=', hashSecret(token))
      .execute();
    await tx
      .updateTable('sessions')
      .set({ last_used_at: new Date(nowMs), address: from.address })
      .where('id', '=', known.sessionId)
      .execute();
    // A view ends when it was to end, however often it is renewed.
    const endsMs = known.isView ? known.expiresAt.getTime() : undefined;
    return issueTokens(deps, tx, known.sessionId, endsMs);
  });
  if (tokens === undefined) throw new AppError('invalid_grant', 'The session has expired.');
  return tokens;
}

/**
 * Tokens of a session.
 * @param endsMs when a view ends, ms since 1970 UTC; undefined for other sessions
 */
export async function issueTokens(
  { clock, keys }: Pick<SignInDeps, 'clock' | 'keys'>,
  tx: Db,
  sessionId: string,
  endsMs?: number,
): Promise<Tokens> {
  const nowMs = clock.nowMs();
  const nowS = Math.floor(nowMs / 1000);
  const endsS = Math.min(
    nowS + ACCESS_TOKEN_S,
    Math.floor((endsMs ?? Number.POSITIVE_INFINITY) / 1000),
  );
  return {
    access_token: await signAccessToken(keys, sessionId, { nowMs, endsS }),
    refresh_token: await insertRefreshToken(tx, sessionId, nowMs, endsMs),
    token_type: 'bearer',
    expires_in: endsS - nowS,
  };
}

interface KnownRefreshToken {
  readonly sessionId: string;
  readonly userId: number;
  readonly revoked: boolean;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly isView: boolean;
}

async function findRefreshToken(tx: Db, token: string): Promise<KnownRefreshToken | undefined> {
  const { rows } = await sql<KnownRefreshToken>`
    select sessions.id as "sessionId", sessions.user_id as "userId",
      sessions.revoked_at is not null or opener.revoked_at is not null as revoked,
      opener.id is not null as "isView",
      refresh_tokens.expires_at as "expiresAt", refresh_tokens.used_at as "usedAt"
    from refresh_tokens join sessions on sessions.id = refresh_tokens.session_id
    left join sessions as opener on opener.id = sessions.opened_by
    where token_hash = ${hashSecret(token)}
    for update of refresh_tokens`.execute(tx);
  return rows[0];
}

function actorOf(account: Account, from: From, atMs: number): Actor {
  return { userId: account.userId, requestId: from.requestId, address: from.address, atMs };
}

function wrongPassword(): AppError {
  return new AppError('invalid_grant', 'The username or the password is wrong.');
}

function required(value: string | undefined, field: string): string {
  if (value === undefined) throw new AppError('invalid_request', 'is required', { field });
  return value;
}
