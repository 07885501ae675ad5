import * as contract from '@ridewatch/contract/second-factor';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findAdministeredUser } from '../access/administration.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { type Authenticators, serve } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps } from '../deps.ts';
import { findAccount, lockRights } from './accounts.ts';
import type { Guesses } from './guesses.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  hasSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  spendCode,
} from './second-factor.ts';
import { base32Of, otpAddressOf } from './totp.ts';

/** Calls about one's own second factor, and the one by which an administrator takes a user's away. */
export function addSecondFactor(
  app: FastifyInstance,
  { clock, config, database: { db } }: Deps,
  auth: Authenticators,
  guesses: Guesses,
): void {
  const checkPassword = async (viewer: Viewer, address: string, password: string) => {
    const attempt = { login: viewer.login, address, nowMs: clock.nowMs() };
    const known = await guesses.findByPassword(attempt, password, () =>
      findAccount(db, viewer.userId),
    );
    if (known === undefined) {
      throw new AppError('wrong_password', 'The password is wrong.', { field: 'password' });
    }
  };
  /** Does what a code allows: see `spendCode`. */
  const byCode = async <T extends object>(
    { userId }: Viewer,
    { ip: address }: FastifyRequest,
    code: string,
    allow: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    const question = { userId, address, nowMs: clock.nowMs() };
    const done = await spendCode(guesses, question, code, allow);
    if (done === undefined) {
      throw new AppError('wrong_code', 'The code is wrong or was used.', { field: 'code' });
    }
    return done;
  };

  serve(app, auth, contract.findSecondFactor, 'user', async ({ viewer }) => {
    const row = await db
      .selectFrom('second_factors')
      .leftJoin('recovery_codes', 'recovery_codes.user_id', 'second_factors.user_id')
      .select((eb) => ['confirmed_at', eb.fn.count<number>('code_hash').as('left')])
      .where('second_factors.user_id', '=', viewer.userId)
      .groupBy('confirmed_at')
      .executeTakeFirst();
    return {
      since: row?.confirmed_at?.toISOString() ?? null,
      recovery_codes_left: Number(row?.left ?? 0),
      required: config.secondFactorRoles.includes(viewer.role),
    };
  });

  serve(app, auth, contract.beginSecondFactor, 'user', async ({ viewer, body, request }) => {
    await checkPassword(viewer, request.ip, body.password);
    const secret = await beginSecondFactor(db, { userId: viewer.userId, nowMs: clock.nowMs() });
    return {
      secret: base32Of(secret),
      address: otpAddressOf(secret, viewer.login, config.companyName),
    };
  });

  serve(
    app,
    auth,
    contract.confirmSecondFactor,
    'user',
    async ({ viewer, body, actor, request }) => {
      if (await hasSecondFactor(db, viewer.userId)) {
        throw new AppError('conflict', 'The second factor is on already.');
      }
      const codes = await byCode(viewer, request, body.code, (tx) =>
        confirmSecondFactor(tx, actor, viewer.userId),
      );
      // The cached session has no second factor yet, and would refuse the next call.
      auth.forget([viewer.sessionId]);
      return { recovery_codes: codes };
    },
  );

  serve(
    app,
    auth,
    contract.renewRecoveryCodes,
    'user',
    async ({ viewer, body, request, actor }) => {
      await checkPassword(viewer, request.ip, body.password);
      await checkIsOn(viewer);
      const codes = await byCode(viewer, request, body.code, (tx) =>
        renewRecoveryCodes(tx, actor, viewer.userId),
      );
      return { recovery_codes: codes };
    },
  );

  serve(
    app,
    auth,
    contract.removeSecondFactor,
    'user',
    async ({ viewer, body, request, actor }) => {
      if (config.secondFactorRoles.includes(viewer.role)) {
        throw new AppError('conflict', 'Your role needs two-factor sign-in.');
      }
      await checkPassword(viewer, request.ip, body.password);
      await checkIsOn(viewer);
      await byCode(viewer, request, body.code, async (tx) => {
        await removeSecondFactor(tx, actor, viewer.userId);
        return {};
      });
      return undefined;
    },
  );

  serve(app, auth, contract.removeSecondFactorOfUser, 'user', ({ viewer, params, actor }) =>
    db.transaction().execute(async (tx) => {
      const { id } = await findAdministeredUser(tx, viewer, params.userId);
      const present = await lockRights(tx, viewer, { userId: id });
      await findAdministeredUser(tx, present, id);
      await removeSecondFactor(tx, actor, id);
      return undefined;
    }),
  );

  async function checkIsOn({ userId }: Viewer): Promise<void> {
    if (await hasSecondFactor(db, userId)) return;
    throw new AppError('conflict', 'The second factor is off.');
  }
}
