// Whoever says a password is let in here, one behind the other: a hash takes a core for tens of milliseconds and 19 MiB,
// and many at once would leave nothing to the rest of the server.
import { availableParallelism } from 'node:os';
import type { Db } from '../db.ts';
import { AppError } from '../errors.ts';
import {
  type Attempt,
  beginAttempt,
  endAttempt,
  type Refused,
  tooManyAttempts,
} from './login-limit.ts';
import { hashPassword, isRightPassword } from './passwords.ts';

/** Hashes at once in a process: never all cores, nor more than half of the four threads that also read files. */
const AT_ONCE = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
/** Who waits behind them waits 3 s at most, at 50 ms a hash. */
const MOST_WAITING = 60;
/** When a queue of hashes that is full has become shorter, s. */
const RETRY_S = 2;
/** So many logins and addresses that are refused for minutes are remembered without asking the database. */
const MOST_REMEMBERED = 10_000;

export interface Guesses {
  /**
   * Finds an account by its password; a wrong one counts against login and address, before it is looked at.
   * @param find the account that is meant; where there is none, it takes as long
   * @returns undefined for a wrong password
   * @throws AppError too_many_attempts; unavailable when too many wait
   */
  findByPassword<T extends { readonly passwordHash: string }>(
    attempt: Attempt,
    password: string,
    find: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
  /** The hash of a new password. @throws AppError unavailable when too many wait */
  hash(password: string): Promise<string>;
}

/** Makes the gate of one process. */
export function createGuesses(
  db: Db,
  { atOnce = AT_ONCE, mostWaiting = MOST_WAITING } = {},
): Guesses {
  const inTurn = createQueue(atOnce, mostWaiting);
  const remembered = new Map<string, Refused>();
  const checkRemembered = ({ address, login, nowMs }: Attempt): void => {
    for (const key of [address, `${address} ${login}`]) {
      const refused = remembered.get(key);
      if (refused === undefined) continue;
      if (refused.untilMs > nowMs) throw tooManyAttempts(refused, nowMs);
      remembered.delete(key);
    }
  };
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    findByPassword: async (attempt, password, find) => {
      // Before it stands in the queue: who is refused anyway does not make others wait.
      checkRemembered(attempt);
      return inTurn(async () => {
        const { address, login, nowMs } = attempt;
        const begun = await beginAttempt(db, attempt);
        if (typeof begun !== 'number') {
          if (remembered.size >= MOST_REMEMBERED) remembered.clear();
          const key = begun.scope === 'login' ? `${address} ${login}` : address;
          if (begun.certain) remembered.set(key, begun);
          throw tooManyAttempts(begun, nowMs);
        }
        const account = await find();
        const right = await isRightPassword(password, account?.passwordHash);
        await endAttempt(db, begun, { right, nowMs });
        return right ? account : undefined;
      });
    },
  };
}

function createQueue(
  atOnce: number,
  mostWaiting: number,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) {
        throw new AppError('unavailable', 'Too many sign in at this moment.', {
          retryAfterS: RETRY_S,
        });
      }
      // Whoever leaves hands the place on, so nobody steps in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
