// Links by which users set a new password. A link is one row a user, which setting the password deletes: it works once.
import { PASSWORD_LINK_HOURS } from '@ridewatch/contract/password-links';
import { PASSWORD_PAGE } from '@ridewatch/contract/paths';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { type Account, findAccount, mayNotSignIn, setPassword } from './accounts.ts';
import { createSecret, hashSecret } from './tokens.ts';

const LIFE_MS = PASSWORD_LINK_HOURS * 3_600_000;

/** A link that was just made. */
export interface Link {
  /** Of its page, with the token. */
  readonly path: string;
  /** When it ends, ms since 1970 UTC. */
  readonly expiresMs: number;
}

/**
 * Makes a link for a user; an earlier one ends.
 * @throws AppError conflict for a user who may not sign in, whose link would be of no use
 */
export async function makePasswordLink(tx: Tx, actor: Actor, userId: number): Promise<Link> {
  const account = await findAccount(tx, userId);
  if (account === undefined || mayNotSignIn(account)) {
    throw new AppError('conflict', 'The user or its customer may not sign in. Enable it first.', {
      field: 'userId',
    });
  }
  const token = createSecret('');
  const expiresMs = actor.atMs + LIFE_MS;
  const link = {
    token_hash: hashSecret(token),
    created_at: new Date(actor.atMs),
    expires_at: new Date(expiresMs),
  };
  await tx
    .insertInto('password_links')
    .values({ user_id: userId, ...link })
    .onConflict((row) => row.column('user_id').doUpdateSet(link))
    .execute();
  await insertAudit(tx, actor, {
    action: 'make_password_link',
    objectType: 'user',
    objectId: userId,
  });
  return { path: `${PASSWORD_PAGE}#${token}`, expiresMs };
}

/** The user of a link; undefined if it was used, has expired, or never existed. */
export async function findLinkUser(
  db: Db,
  token: string,
  nowMs: number,
): Promise<Account | undefined> {
  const link = await db
    .selectFrom('password_links')
    .select('user_id')
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', new Date(nowMs))
    .executeTakeFirst();
  return link && findAccount(db, link.user_id);
}

/**
 * Uses a link: sets the password and ends every session of the user.
 * @returns the ended sessions
 * @throws AppError invalid_link when another request has used it
 */
export async function usePasswordLink(
  tx: Tx,
  actor: Actor,
  token: string,
  passwordHash: string,
): Promise<string[]> {
  // The user before the link, as calls that make a link or change the user: they would deadlock otherwise.
  await tx
    .selectFrom('users')
    .innerJoin('password_links', 'user_id', 'users.id')
    .select('users.id')
    .where('token_hash', '=', hashSecret(token))
    .forNoKeyUpdate('users')
    .execute();
  const link = await tx
    .deleteFrom('password_links')
    .where('token_hash', '=', hashSecret(token))
    .returning('user_id as userId')
    .executeTakeFirst();
  if (link === undefined) throw invalidLink();
  const { userId } = link;
  await insertAudit(
    tx,
    { ...actor, userId },
    { action: 'set_password_by_link', objectType: 'user', objectId: userId },
  );
  return setPassword(tx, { userId, passwordHash }, actor.atMs);
}

/** The one answer for a used, an expired and an unknown link. */
export function invalidLink(): AppError {
  return new AppError('invalid_link', 'This link does not work any more. Ask for another one.');
}
