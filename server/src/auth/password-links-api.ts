import * as contract from '@ridewatch/contract/password-links';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findAdministeredUser } from '../access/administration.ts';
import { type Authenticators, serve } from '../core/http/http.ts';
import { languageOf } from '../core/http/language.ts';
import { createMailSender } from '../core/mail.ts';
import { createTurns } from '../core/turns.ts';
import type { Deps } from '../deps.ts';
import { checkAccountOpen, lockRights } from './accounts.ts';
import { type Guesses, NO_LOGIN } from './guesses.ts';
import { passwordLinkMail } from './password-link-mail.ts';
import {
  findLinkUser,
  invalidLink,
  type Link,
  makePasswordLink,
  usePasswordLink,
} from './password-links.ts';
import { checkNewPassword } from './passwords.ts';

/** Longest wait until other links were mailed, ms. */
const MAIL_WAIT_MS = 10_000;

/** Links by which users set a new password: made by those who administer the user, used by anybody who has the link. */
export function addPasswordLinks(
  app: FastifyInstance,
  { clock, config, log, database: { db } }: Deps,
  auth: Authenticators,
  guesses: Guesses,
): void {
  const sendMail = createMailSender(config);
  const turns = createTurns({
    mostWaiting: 20,
    mostOfOne: 5,
    message: 'Other links are being mailed. Try again soon.',
    retryAfterS: 5,
  });
  const find = async (request: FastifyRequest, token: string) => {
    const attempt = { login: NO_LOGIN, address: request.ip, nowMs: clock.nowMs() };
    const user = await guesses.find(attempt, () => findLinkUser(db, token, attempt.nowMs));
    if (user === undefined) throw invalidLink();
    checkAccountOpen(user);
    return user;
  };

  const mail = async (
    request: FastifyRequest,
    to: string,
    link: Link,
  ): Promise<contract.LinkMail> => {
    if (sendMail === undefined) return 'unavailable';
    const language = languageOf(request.headers['accept-language']);
    const url = `${config.publicUrl ?? originOf(request)}${link.path}`;
    try {
      await sendMail({
        to: [to],
        ...passwordLinkMail({ ...link, url }, language, config.companyName),
      });
      return 'sent';
    } catch (error) {
      // The link was made: the user who made it can still pass it on.
      log.warn({ err: error, requestId: request.id }, 'a link for a password was not mailed');
      return 'failed';
    }
  };

  serve(app, auth, contract.makePasswordLink, 'user', async (call) => {
    const { viewer, actor, params, body, request } = call;
    const make = async () => {
      const link = await db.transaction().execute(async (tx) => {
        const { id } = await findAdministeredUser(tx, viewer, params.userId);
        const present = await lockRights(tx, viewer, { userId: id });
        const user = await findAdministeredUser(tx, present, id);
        return makePasswordLink(tx, actor, user.id);
      });
      const sent = body.mail_to === null ? 'none' : await mail(request, body.mail_to, link);
      return { path: link.path, expires_at: new Date(link.expiresMs).toISOString(), mail: sent };
    };
    if (body.mail_to === null || sendMail === undefined) return make();
    // Before the link is made, which ends the one before: who waits in vain must not lose it.
    const end = await turns.take(viewer.userId, MAIL_WAIT_MS);
    try {
      return await make();
    } finally {
      end();
    }
  });

  serve(app, auth, contract.findPasswordLink, 'public', async ({ request, body }) => {
    const { login } = await find(request, body.token);
    return { login };
  });

  serve(app, auth, contract.setPasswordByLink, 'public', async ({ request, body, actor }) => {
    await find(request, body.token);
    checkNewPassword(body.new_password, 'new_password');
    const passwordHash = await guesses.hash(body.new_password, request.ip);
    const ended = await db
      .transaction()
      .execute((tx) => usePasswordLink(tx, actor, body.token, passwordHash));
    auth.forget(ended);
    return undefined;
  });
}

// The address that the administrator's browser shows: without PUBLIC_URL the server does not know its own.
function originOf({ headers, protocol, host }: FastifyRequest): string {
  const { origin = '' } = headers;
  return /^https?:\/\/[^/]+$/.test(origin) ? origin : `${protocol}://${host}`;
}
