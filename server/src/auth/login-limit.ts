// Guessing passwords is made slow: ten failures for a login from one address, or a hundred from an address, within
// fifteen minutes. Counted in the database, so that several processes count together.
import { sql } from 'kysely';
import type { Db } from '../db.ts';
import { AppError } from '../errors.ts';

const WINDOW_S = 15 * 60;
const PER_LOGIN = 10;
const PER_ADDRESS = 100;

export interface Attempt {
  readonly login: string;
  readonly address: string;
  readonly nowMs: number;
}

/** @throws AppError too_many_attempts with the seconds to wait */
export async function checkLoginLimit(db: Db, attempt: Attempt): Promise<void> {
  const since = new Date(attempt.nowMs - WINDOW_S * 1000);
  const { rows } = await sql<{ at: Date; same_login: boolean }>`
    select at, lower(login) = lower(${attempt.login}) as same_login
    from login_failures where address = ${attempt.address} and at > ${since}
    order by at desc limit ${PER_ADDRESS}`.execute(db);
  const ofLogin = rows.filter((row) => row.same_login);
  const decisive = ofLogin[PER_LOGIN - 1] ?? rows[PER_ADDRESS - 1];
  if (decisive === undefined) return;
  const waitMs = decisive.at.getTime() + WINDOW_S * 1000 - attempt.nowMs;
  throw new AppError('too_many_attempts', 'Too many failed attempts; try again later.', {
    retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}

/** Remembers a failure, and forgets those that no longer count. */
export async function insertLoginFailure(db: Db, attempt: Attempt): Promise<void> {
  const now = new Date(attempt.nowMs);
  await db
    .insertInto('login_failures')
    .values({ login: attempt.login, address: attempt.address, at: now })
    .execute();
  await db
    .deleteFrom('login_failures')
    .where('address', '=', attempt.address)
    .where('at', '<', new Date(attempt.nowMs - WINDOW_S * 1000))
    .execute();
}
