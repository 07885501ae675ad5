import { VIEW_MINUTES, viewAsUser } from '@ridewatch/contract/admin-users';
import type { FastifyInstance } from 'fastify';
import { findUser } from '../access/administration.ts';
import { insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { type Authenticators, serve } from '../core/http/http.ts';
import type { Deps } from '../deps.ts';
import { type Account, findAccount, lockRights, mayNotSignIn } from './accounts.ts';
import { insertSession } from './session-rows.ts';
import { issueTokens } from './sign-in.ts';

const VIEW_MS = VIEW_MINUTES * 60_000;

/** Sessions in which an administrator sees the product as another user does, and changes nothing. */
export function addViews(
  app: FastifyInstance,
  { clock, database: { db } }: Deps,
  auth: Authenticators,
): void {
  serve(
    app,
    auth,
    viewAsUser,
    'admin',
    async ({ viewer, actor, params, request }) => {
      const { keys } = auth;
      return db.transaction().execute(async (tx) => {
        const { id } = await findUser(tx, viewer, params.userId);
        const { role } = await lockRights(tx, viewer, { userId: id });
        if (role !== 'ADMIN') throw new AppError('no_right', 'Only administrators may do this.');
        const { userId } = await findViewed(tx, id);
        const sessionId = await insertSession(tx, {
          ...{ userId, address: request.ip, userAgent: request.headers['user-agent'] ?? '' },
          ...{ nowMs: actor.atMs, openedBy: viewer.sessionId },
        });
        await insertAudit(tx, actor, {
          ...{ action: 'begin_view', objectType: 'user', objectId: userId },
          after: { minutes: VIEW_MINUTES },
        });
        return issueTokens({ clock, keys }, tx, sessionId, actor.atMs + VIEW_MS);
      });
    },
    ({ viewer, params }) => findUser(db, viewer, params.userId),
  );
}

/**
 * When a view ends at the latest, ISO 8601; its end by the administrator, or with the session that opened it, is earlier.
 * @param sessionId of the view
 */
export async function findViewEnd(db: Db, sessionId: string): Promise<string> {
  const { created_at } = await db
    .selectFrom('sessions')
    .select('created_at')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  return new Date(created_at.getTime() + VIEW_MS).toISOString();
}

async function findViewed(tx: Tx, id: number): Promise<Account> {
  const account = await findAccount(tx, id);
  if (account === undefined || mayNotSignIn(account)) {
    throw new AppError('conflict', 'The user or its customer may not sign in: it sees nothing.', {
      field: 'userId',
    });
  }
  if (account.role === 'ADMIN') {
    throw new AppError('conflict', 'An administrator sees what you see.', { field: 'userId' });
  }
  return account;
}
