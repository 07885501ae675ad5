// The link by which the first administrator of an installation is made. One row at most, which making the administrator
// deletes: it works once.
import { SETUP_PAGE } from '@ridewatch/contract/paths';
import { SETUP_LINK_HOURS } from '@ridewatch/contract/setup-links';
import { sql } from 'kysely';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, hasErrorCode } from '../core/errors.ts';
import { nextUserId } from './accounts.ts';
import { invalidLink } from './password-links.ts';
import { createSecret, hashSecret } from './tokens.ts';

const LIFE_MS = SETUP_LINK_HOURS * 3_600_000;

/**
 * Makes the link of an installation without an administrator; an earlier one ends.
 * @param nowMs ms since 1970 UTC
 * @returns the path of its page with the token; undefined once an administrator exists
 */
export async function makeSetupLink(db: Db, nowMs: number): Promise<string | undefined> {
  const token = createSecret('');
  const { rows } = await sql`
    insert into setup_links (token_hash, created_at, expires_at)
    select ${hashSecret(token)}, ${new Date(nowMs)}::timestamptz,
      ${new Date(nowMs + LIFE_MS)}::timestamptz
    where not exists (${anAdministrator})
    on conflict (id) do update set token_hash = excluded.token_hash,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    returning id`.execute(db);
  return rows.length === 0 ? undefined : `${SETUP_PAGE}#${token}`;
}

/** Whether an administrator exists. */
export async function hasAdministrator(db: Db): Promise<boolean> {
  const { rows } = await sql`${anAdministrator}`.execute(db);
  return rows.length > 0;
}

/** Whether a link works: it was not used, has not expired, and the installation has no administrator. */
export async function isSetupLink(db: Db, token: string, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    select from setup_links where token_hash = ${hashSecret(token)}
      and expires_at > ${new Date(nowMs)}::timestamptz and not exists (${anAdministrator})`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * Uses a link: makes the first administrator.
 * @param user `passwordHash` is that of `hashPassword`
 * @throws AppError invalid_link when another request has used it or an administrator exists; conflict when the login is
 *   taken
 */
export async function makeFirstAdministrator(
  tx: Tx,
  actor: Actor,
  token: string,
  user: { readonly login: string; readonly passwordHash: string },
): Promise<void> {
  // One of two requests with one link deletes the row; the other waits for it.
  const { numDeletedRows } = await tx
    .deleteFrom('setup_links')
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', new Date(actor.atMs))
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw invalidLink();
  if (await hasAdministrator(tx)) throw invalidLink();
  const id = await nextUserId(tx, null);
  const { login, passwordHash: password_hash } = user;
  try {
    await tx
      .insertInto('users')
      .values({ id, login, password_hash, role: 'ADMIN', created_at: new Date(actor.atMs) })
      .execute();
  } catch (error) {
    if (!hasErrorCode(error, '23505')) throw error;
    throw new AppError('conflict', 'Another user has this login.', {
      field: 'login',
      cause: error,
    });
  }
  await insertAudit(
    tx,
    { ...actor, userId: id },
    {
      ...{ action: 'create_first_administrator', objectType: 'user', objectId: id },
      after: { login, role: 'ADMIN' },
    },
  );
}

// A disabled administrator counts, too: the user who disabled it did not give the installation up.
const anAdministrator = sql`select from users where role = 'ADMIN' limit 1`;
