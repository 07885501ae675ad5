// Every guessable secret passes here. The login limit counts it first; the hash of a password then waits for its turn.
import { Cache } from '../core/cache.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { createHashGate, type HashGateSizes, type InTurn } from './hash-gate.ts';
import {
  type Attempt,
  beginAttempt,
  endAttempt,
  type Refused,
  tooManyAttempts,
} from './login-limit.ts';
import { hashPassword, isRightPassword } from './passwords.ts';

/** Most logins and addresses whose refusal is cached, for minutes, without asking the database. */
const MOST_REMEMBERED = 10_000;

/** The login of attempts without one; no user has it. */
export const NO_LOGIN = '';

/**
 * The address of attempts at codes: those for one user count together, wherever they come from, because six digits can
 * be guessed from many addresses.
 */
export const codeAddress = (userId: number): string => `codes of user ${userId}`;

/** The address of attempts at recovery codes: those of a user from one address count together. */
export const recoveryAddress = (userId: number, address: string): string =>
  `recovery codes of user ${userId} from ${address}`;

export interface Guesses {
  /**
   * Finds an account by its password. A wrong one counts against login and address before it is checked.
   * @param find the account; an unknown one takes as long
   * @returns undefined for a wrong password
   * @throws AppError too_many_attempts; unavailable when too many wait, in all or from the address, or for too long
   */
  findByPassword<T extends { readonly passwordHash: string }>(
    attempt: Attempt,
    password: string,
    find: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
  /**
   * Finds something by a secret that needs no slow hash, as the token of a link. A miss counts.
   * @param attempt `login` and `address` are what the limit counts by; see NO_LOGIN
   * @returns undefined for a wrong secret
   * @throws AppError too_many_attempts, unavailable
   */
  find<T>(attempt: Attempt, find: () => Promise<T | undefined>): Promise<T | undefined>;
  /**
   * Uses a secret that works once, a code, and does what it allows, in one transaction: when that fails, the secret still
   * works. A miss counts.
   * @param attempt see codeAddress and recoveryAddress
   * @param use uses the secret; undefined for a wrong one, and then it has written nothing
   * @returns undefined for a wrong secret
   * @throws AppError too_many_attempts, unavailable; what `use` throws
   */
  use<T>(attempt: Attempt, use: (tx: Tx) => Promise<T | undefined>): Promise<T | undefined>;
  /**
   * Hashes a new password.
   * @param address of the user who sets it
   * @throws AppError unavailable when too many wait, in all or from the address, or for too long
   */
  hash(password: string, address: string): Promise<string>;
}

/** Creates the password check of one process. */
export function createGuesses(db: Db, sizes?: HashGateSizes): Guesses {
  const gate = createHashGate(sizes);
  const remembered = new Cache<string, Refused>({ most: MOST_REMEMBERED });
  const checkRemembered = ({ address, login, nowMs }: Attempt): void => {
    for (const key of [address, `${address} ${login}`]) {
      const refused = remembered.get(key);
      if (refused === undefined) continue;
      if (refused.untilMs > nowMs) throw tooManyAttempts(refused, nowMs);
      remembered.delete(key);
    }
  };
  const guess = async <T>(
    attempt: Attempt,
    find: (inTurn: InTurn, takeBack: (db: Db) => Promise<void>) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    // Before it takes a place, so that a refused login does not make others wait.
    checkRemembered(attempt);
    const { address, login, nowMs } = attempt;
    return gate.enter(address, async (inTurn) => {
      const begun = await beginAttempt(db, attempt);
      if (typeof begun !== 'number') {
        const key = begun.scope === 'login' ? `${address} ${login}` : address;
        if (begun.certain) remembered.set(key, begun);
        throw tooManyAttempts(begun, nowMs);
      }
      const takeBack = (by: Db) => endAttempt(by, begun, { right: true, nowMs });
      let found: T | undefined;
      try {
        found = await find(inTurn, takeBack);
      } catch (error) {
        // The secret was not checked, or was right: it was no guess.
        await takeBack(db);
        throw error;
      }
      if (found === undefined) await endAttempt(db, begun, { right: false, nowMs });
      return found;
    });
  };
  return {
    hash: (password, address) =>
      gate.enter(address, (inTurn) => inTurn(() => hashPassword(password))),
    find: (attempt, find) =>
      guess(attempt, async (_, takeBack) => {
        const found = await find();
        if (found !== undefined) await takeBack(db);
        return found;
      }),
    use: (attempt, use) =>
      guess(attempt, (_, takeBack) =>
        db.transaction().execute(async (tx) => {
          const used = await use(tx);
          // Within the transaction: a failure after it would leave the secret used and the request unanswered.
          if (used !== undefined) await takeBack(tx);
          return used;
        }),
      ),
    findByPassword: (attempt, password, find) =>
      guess(attempt, async (inTurn, takeBack) => {
        const account = await find();
        const right = await inTurn(() => isRightPassword(password, account?.passwordHash));
        if (!right) return undefined;
        await takeBack(db);
        return account;
      }),
  };
}
