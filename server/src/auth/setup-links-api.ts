import * as contract from '@ridewatch/contract/setup-links';
import type { FastifyInstance } from 'fastify';
import { type Authenticators, serve } from '../core/http/http.ts';
import type { Deps } from '../deps.ts';
import { type Guesses, NO_LOGIN } from './guesses.ts';
import { invalidLink } from './password-links.ts';
import { checkNewPassword } from './passwords.ts';
import { isSetupLink, makeFirstAdministrator } from './setup-links.ts';

/** The link by which the first administrator is made, used by anybody who reads the server's terminal. */
export function addSetupLinks(
  app: FastifyInstance,
  { clock, database: { db } }: Deps,
  auth: Authenticators,
  guesses: Guesses,
): void {
  const check = async (address: string, token: string): Promise<void> => {
    const attempt = { login: NO_LOGIN, address, nowMs: clock.nowMs() };
    const found = await guesses.find(attempt, async () =>
      (await isSetupLink(db, token, attempt.nowMs)) ? true : undefined,
    );
    if (found === undefined) throw invalidLink();
  };

  serve(app, auth, contract.findSetupLink, 'public', async ({ request, body }) => {
    await check(request.ip, body.token);
    return undefined;
  });

  serve(app, auth, contract.makeFirstAdministrator, 'public', async ({ request, body, actor }) => {
    const { token, login, password } = body;
    await check(request.ip, token);
    checkNewPassword(password, 'password');
    const passwordHash = await guesses.hash(password, request.ip);
    await db
      .transaction()
      .execute((tx) => makeFirstAdministrator(tx, actor, token, { login, passwordHash }));
    return undefined;
  });
}
