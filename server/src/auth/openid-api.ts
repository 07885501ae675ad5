import * as contract from '@ridewatch/contract/openid';
import type { FastifyInstance } from 'fastify';
import { findAdministeredUser } from '../access/administration.ts';
import { insertAudit } from '../core/audit.ts';
import { AppError, notFound } from '../core/errors.ts';
import { type Authenticators, serve } from '../core/http/http.ts';
import { createTurns } from '../core/turns.ts';
import type { Deps } from '../deps.ts';
import { checkAccountOpen, lockRights } from './accounts.ts';
import { type Guesses, NO_LOGIN } from './guesses.ts';
import { createOpenid } from './openid.ts';
import { findOpenidAccount, unlinkOpenid } from './openid-users.ts';
import { insertSession } from './session-rows.ts';
import { issueTokens } from './sign-in.ts';

/** Longest wait until the provider has answered about others, ms. */
const WAIT_MS = 10_000;
/** Nobody is known yet, so all who sign in share the turns. */
const EVERYBODY = 0;

/** Sign-in by a provider of OpenID Connect, where the configuration names one. */
export function addOpenid(
  app: FastifyInstance,
  { clock, config, log, database: { db } }: Deps,
  auth: Authenticators,
  guesses: Guesses,
): void {
  const { openid: settings, publicUrl } = config;
  const { keys } = auth;
  const openid =
    settings && publicUrl !== undefined
      ? createOpenid(settings, publicUrl, { keys, clock, log })
      : undefined;
  const turns = createTurns({
    mostWaiting: 50,
    mostOfOne: 50,
    message: 'Too many users sign in through the provider at once. Try again soon.',
    retryAfterS: 5,
  });

  serve(app, auth, contract.beginOpenid, 'public', async () => {
    if (openid === undefined) throw notFound();
    return openid.begin();
  });

  serve(app, auth, contract.finishOpenid, 'public', async ({ request, body, actor }) => {
    if (openid === undefined) throw notFound();
    const attempt = { login: NO_LOGIN, address: request.ip, nowMs: actor.atMs };
    const end = await turns.take(EVERYBODY, WAIT_MS);
    const identity = await guesses
      .find(attempt, () => openid.finish(body.ticket, body.query))
      .finally(end);
    if (identity === undefined) {
      throw new AppError('openid_failed', 'The provider did not sign you in. Try again.');
    }
    return db.transaction().execute(async (tx) => {
      const account = await findOpenidAccount(tx, actor, identity);
      if (account === undefined) {
        const message = 'The provider knows you, this installation has no such user.';
        throw new AppError('openid_unknown_user', message);
      }
      checkAccountOpen(account);
      const { userId } = account;
      const sessionId = await insertSession(tx, {
        ...{ userId, address: request.ip, userAgent: request.headers['user-agent'] ?? '' },
        ...{ nowMs: actor.atMs, isByOpenid: true },
      });
      await insertAudit(
        tx,
        { ...actor, userId },
        {
          ...{ action: 'sign_in', objectType: 'session', objectId: sessionId },
          after: { provider: identity.issuer },
        },
      );
      return issueTokens({ clock, keys }, tx, sessionId);
    });
  });

  serve(app, auth, contract.unlinkOpenid, 'user', async ({ viewer, params, actor }) => {
    const ended = await db.transaction().execute(async (tx) => {
      const { id } = await findAdministeredUser(tx, viewer, params.userId);
      const present = await lockRights(tx, viewer, { userId: id });
      await findAdministeredUser(tx, present, id);
      return unlinkOpenid(tx, actor, id);
    });
    auth.forget(ended);
    return undefined;
  });
}
