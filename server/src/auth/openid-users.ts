// Finds the user of this installation whom the provider has signed in.
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { type Account, findAccount, revokeSessions } from './accounts.ts';
import type { Identity } from './openid.ts';

/**
 * Finds the user of an identity: at the first sign-in by the login, which is linked to the identity; afterwards by the
 * identity alone. So nobody takes a user over by getting the same name at the provider.
 * @returns undefined when no user has the login, or the user is linked to another identity
 */
export async function findOpenidAccount(
  tx: Tx,
  actor: Actor,
  { issuer, subject, login }: Identity,
): Promise<Account | undefined> {
  const known = await tx
    .selectFrom('users')
    .select('id')
    .where('openid_issuer', '=', issuer)
    .where('openid_subject', '=', subject)
    // An unlinking either waits and ends the new session, or has happened.
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (known !== undefined) return findAccount(tx, known.id);
  if (login === undefined) return undefined;
  const linked = await tx
    .updateTable('users')
    .set({ openid_issuer: issuer, openid_subject: subject })
    .where((eb) => eb(eb.fn('lower', ['login']), '=', login.toLowerCase()))
    .where('openid_subject', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (linked === undefined) return undefined;
  await insertAudit(
    tx,
    { ...actor, userId: linked.id },
    {
      ...{ action: 'link_openid', objectType: 'user', objectId: linked.id },
      after: { provider: issuer },
    },
  );
  return findAccount(tx, linked.id);
}

/**
 * Forgets the identity of a user, if there is one, and ends the sessions that the provider has opened.
 * @returns the ended sessions
 */
export async function unlinkOpenid(tx: Tx, actor: Actor, userId: number): Promise<string[]> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ openid_issuer: null, openid_subject: null })
    .where('id', '=', userId)
    .where('openid_subject', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return [];
  await insertAudit(tx, actor, { action: 'unlink_openid', objectType: 'user', objectId: userId });
  return revokeSessions(tx, { userId, byOpenid: true }, 'unlink_openid', actor.atMs);
}
