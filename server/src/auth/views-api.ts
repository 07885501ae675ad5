import { VIEW_MINUTES, viewAsUser } from '@ridewatch/contract/admin-users';
import type { FastifyInstance } from 'fastify';
import { findUser } from '../access/administration.ts';
import { insertAudit } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { type Authenticators, serve } from '../core/http/http.ts';
import type { Deps } from '../deps.ts';
import { type Account, findAccount, lockRights, mayNotSignIn } from './accounts.ts';
import { insertSession } from './session-rows.ts';
import { issueTokens } from './sign-in.ts';

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
        return issueTokens({ clock, keys }, tx, sessionId, actor.atMs + VIEW_MINUTES * 60_000);
      });
    },
    ({ viewer, params }) => findUser(db, viewer, params.userId),
  );
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
