// Limits password guessing: ten attempts for a login from one address, or a hundred from an address, in fifteen
// minutes. An attempt counts before the password is checked and is taken back when it was right, so that three hundred
// concurrent ones are no more than ten. Counted in the database, for all processes together.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';

const WINDOW_S = 15 * 60;
const PER_LOGIN = 10;
const PER_ADDRESS = 100;
/** An attempt that did not end in this time died with its process, ms; a hash takes 50 ms. */
const PENDING_MS = 60_000;
/** Retry-After while running attempts fill the limit, s. */
const PENDING_RETRY_S = 1;
/** Old rows of others deleted after a failed attempt: more than it adds. */
const FORGOTTEN_AT_ONCE = 20;
/** Namespace of the advisory locks of addresses; any constant will do. */
const LOGIN_LOCK = 1912;

export interface Attempt {
  readonly login: string;
  readonly address: string;
  readonly nowMs: number;
}

/** Why a try is refused. */
export interface Refused {
  /** The limit of this login from this address, or of the address. */
  readonly scope: 'login' | 'address';
  /** When another attempt is allowed, ms since 1970 UTC. */
  readonly untilMs: number;
  /** False while running attempts fill the limit: they may turn out right. */
  readonly certain: boolean;
}

/** The error after too many attempts. */
export function tooManyAttempts({ untilMs }: Refused, nowMs: number): AppError {
  return new AppError('too_many_attempts', 'Too many failed attempts; try again later.', {
    retryAfterS: Math.max(1, Math.ceil((untilMs - nowMs) / 1000)),
  });
}

/**
 * Counts an attempt as failed for the time being. Attempts from one address take turns, over all processes.
 * @returns its number for `endAttempt`, or why it is refused
 */
export async function beginAttempt(db: Db, attempt: Attempt): Promise<number | Refused> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOGIN_LOCK}::int, hashtext(${attempt.address}))`.execute(
      tx,
    );
    const refused = await findRefusal(tx, attempt);
    if (refused !== undefined) return refused;
    const { id } = await tx
      .insertInto('login_failures')
      .values({
        login: attempt.login,
        address: attempt.address,
        at: new Date(attempt.nowMs),
        pending: true,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Ends an attempt: a right password does not count, a wrong one does. Deletes expired rows. */
export async function endAttempt(
  db: Db,
  id: number,
  { right, nowMs }: { right: boolean; nowMs: number },
): Promise<void> {
  if (right) {
    await db.deleteFrom('login_failures').where('id', '=', id).execute();
    return;
  }
  await db.updateTable('login_failures').set({ pending: false }).where('id', '=', id).execute();
  await sql`delete from login_failures where id in (
    select id from login_failures where at < ${new Date(nowMs - WINDOW_S * 1000)}
    order by at limit ${FORGOTTEN_AT_ONCE} for update skip locked)`.execute(db);
}

interface Try {
  readonly at: Date;
  readonly pending: boolean;
  readonly same_login: boolean;
}

async function findRefusal(tx: Db, attempt: Attempt): Promise<Refused | undefined> {
  const { nowMs, login, address } = attempt;
  const since = new Date(nowMs - WINDOW_S * 1000);
  const { rows } = await sql<Try>`
    select at, pending and at > ${new Date(nowMs - PENDING_MS)} as pending,
      lower(login) = lower(${login}) as same_login
    from login_failures where address = ${address} and at > ${since}
    order by at desc, id desc limit ${PER_ADDRESS}`.execute(tx);
  const ofLogin = rows.filter((row) => row.same_login);
  const failed = rows.filter((row) => !row.pending);
  const untilMs = (decisive: Try): number => decisive.at.getTime() + WINDOW_S * 1000;
  const byLogin = failed.filter((row) => row.same_login)[PER_LOGIN - 1];
  if (byLogin) return { scope: 'login', untilMs: untilMs(byLogin), certain: true };
  const byAddress = failed[PER_ADDRESS - 1];
  if (byAddress) return { scope: 'address', untilMs: untilMs(byAddress), certain: true };
  if (ofLogin.length < PER_LOGIN && rows.length < PER_ADDRESS) return undefined;
  const scope = ofLogin.length < PER_LOGIN ? 'address' : 'login';
  return { scope, untilMs: nowMs + PENDING_RETRY_S * 1000, certain: false };
}
