import * as account from '@ridewatch/contract/account';
import type { AuditAction } from '@ridewatch/contract/action-words';
import * as contract from '@ridewatch/contract/auth';
import { sql } from 'kysely';
import { advancedReportClients } from '../access/report.ts';
import { insertAudit } from '../core/audit.ts';
import { AppError, notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Deps, Feature } from '../deps.ts';
import {
  findAccount,
  listSessionAccounts,
  mustSetUpSecondFactor,
  revokeSessions,
  setPassword,
} from './accounts.ts';
import { createGuesses } from './guesses.ts';
import { addOpenid } from './openid-api.ts';
import { addPasswordLinks } from './password-links-api.ts';
import { checkNewPassword, lockVerified } from './passwords.ts';
import { addSecondFactor } from './second-factor-api.ts';
import { addSetupLinks } from './setup-links-api.ts';
import { checkClient, renew, signIn } from './sign-in.ts';
import { addViews, findViewEnd } from './views-api.ts';

/** Signing in and out, one's own account and its sessions. */
export const addAuth: Feature = (app, deps, auth) => {
  const { clock } = deps;
  const { db } = deps.database;
  const guesses = createGuesses(db);
  addPasswordLinks(app, deps, auth, guesses);
  addSecondFactor(app, deps, auth, guesses);
  addSetupLinks(app, deps, auth, guesses);
  addViews(app, deps, auth);
  addOpenid(app, deps, auth, guesses);

  serve(app, auth, contract.issueTokens, 'public', async ({ request, body }) => {
    checkClient(request.headers.authorization);
    const from = {
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      requestId: request.id,
    };
    const withKeys = { ...deps, guesses, keys: auth.keys };
    if (body.grant_type === 'password') return signIn(withKeys, body, from);
    if (body.grant_type === 'refresh_token') return renew(withKeys, body, from);
    throw new AppError('unsupported_grant_type', 'must be password or refresh_token', {
      field: 'grant_type',
    });
  });

  serve(app, auth, contract.me, 'user', async ({ viewer }) => findMe(deps, viewer));

  // The authenticator has answered: no statement of its own, because every visible screen asks.
  serve(app, auth, contract.checkSession, 'user', async () => undefined);

  serve(app, auth, contract.logout, 'user', async ({ viewer, actor }) => {
    const action = viewer.viewedBy === null ? 'sign_out' : 'end_view';
    await endSessions({ userId: viewer.userId, only: viewer.sessionId }, action, actor);
    return undefined;
  });

  serve(app, auth, account.endAllSessions, 'user', async ({ viewer, actor }) => {
    await endSessions({ userId: viewer.userId }, 'sign_out_everywhere', actor);
    return undefined;
  });

  serve(app, auth, account.endSession, 'user', async ({ viewer, params, actor }) => {
    const which = { userId: viewer.userId, only: params.sessionId };
    const ended = await endSessions(which, 'end_session', actor);
    if (ended.length === 0) throw notFound();
    return undefined;
  });

  serve(app, auth, account.listSessions, 'user', async ({ viewer }) => {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'created_at', 'last_used_at', 'address', 'user_agent'])
      .select(sql<number>`count(*) over ()::int`.as('total'))
      .where('user_id', '=', viewer.userId)
      .where('revoked_at', 'is', null)
      .where('opened_by', 'is', null)
      .orderBy((eb) => eb('id', '=', viewer.sessionId), 'desc')
      .orderBy('last_used_at', 'desc')
      .limit(account.MOST_SESSIONS)
      .execute();
    return {
      total: rows[0]?.total ?? 0,
      items: rows.map(({ total: _, ...row }) => ({
        ...row,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at.toISOString(),
        current: row.id === viewer.sessionId,
      })),
    };
  });

  serve(app, auth, account.changePassword, 'user', async ({ viewer, body, request, actor }) => {
    checkNewPassword(body.new_password, 'new_password');
    const attempt = { login: viewer.login, address: request.ip, nowMs: clock.nowMs() };
    const account = await guesses.findByPassword(attempt, body.old_password, () =>
      findAccount(db, viewer.userId),
    );
    if (account === undefined) throw wrongOldPassword();
    const passwordHash = await guesses.hash(body.new_password, request.ip);
    const ended = await db.transaction().execute(async (tx) => {
      if (!(await lockVerified(tx, account))) throw wrongOldPassword();
      await insertAudit(tx, actor, {
        action: 'change_password',
        objectType: 'user',
        objectId: viewer.userId,
      });
      const { userId, sessionId: except } = viewer;
      return setPassword(tx, { userId, passwordHash, except }, clock.nowMs());
    });
    auth.forget(ended);
    return undefined;
  });

  async function endSessions(
    which: { userId: number; only?: string },
    action: AuditAction,
    actor: Parameters<typeof insertAudit>[1],
  ): Promise<string[]> {
    const ended = await db.transaction().execute(async (tx) => {
      const ids = await revokeSessions(tx, which, 'user_command', clock.nowMs());
      if (ids.length > 0) {
        await insertAudit(tx, actor, { action, objectType: 'session', after: { ended: ids } });
      }
      return ids;
    });
    auth.forget(ended);
    return ended;
  }
};

function wrongOldPassword(): AppError {
  return new AppError('wrong_password', 'The old password is wrong.', { field: 'old_password' });
}

async function findMe({ database, config }: Deps, viewer: Viewer): Promise<contract.Me> {
  const advanced = advancedReportClients(viewer, config.advancedReportClients);
  const accounts = await listSessionAccounts(database.db, [viewer.sessionId]);
  const account = accounts.get(viewer.sessionId);
  if (account === undefined) throw notFound();
  return {
    id: account.userId,
    login: account.login,
    role: account.role,
    client_id: account.clientId,
    integrator_clients: account.integratorClients,
    name: account.name,
    surname: account.surname,
    status: account.status,
    enabled: account.enabled,
    can_edit: viewer.canEdit,
    must_set_up_second_factor: mustSetUpSecondFactor(account, config.secondFactorRoles),
    viewed_by: account.viewedBy?.login ?? null,
    viewed_until: account.viewedBy && (await findViewEnd(database.db, viewer.sessionId)),
    advanced_report: advanced.length > 0,
    advanced_report_clients: advanced === 'all' ? null : [...advanced],
    company: { name: config.companyName, support_email: config.supportEmail },
  };
}
