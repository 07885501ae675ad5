import type { Db } from '../core/db/db.ts';
import { createSecret, hashSecret } from './tokens.ts';

/** Lifetime of an unused refresh token, ms. */
const REFRESH_TOKEN_MS = 30 * 24 * 3_600_000;

export interface NewSession {
  readonly userId: number;
  readonly address: string;
  readonly userAgent: string;
  readonly nowMs: number;
  /** A provider of OpenID Connect has signed the user in. */
  readonly isByOpenid?: boolean;
  /** Of a view: the session that opens it. */
  readonly openedBy?: string;
}

/** Opens a session. */
export async function insertSession(tx: Db, session: NewSession): Promise<string> {
  const now = new Date(session.nowMs);
  const { id } = await tx
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      address: session.address,
      user_agent: session.userAgent.slice(0, 255),
      created_at: now,
      last_used_at: now,
      opened_by: session.openedBy ?? null,
      by_openid: session.isByOpenid ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * A new refresh token of a session's family; only its hash is stored.
 * @param endsMs when it expires although it was not used; by default after 30 days
 */
export async function insertRefreshToken(
  tx: Db,
  sessionId: string,
  nowMs: number,
  endsMs = nowMs + REFRESH_TOKEN_MS,
): Promise<string> {
  const token = createSecret('');
  await tx
    .insertInto('refresh_tokens')
    .values({
      token_hash: hashSecret(token),
      session_id: sessionId,
      issued_at: new Date(nowMs),
      expires_at: new Date(endsMs),
    })
    .execute();
  return token;
}
