// Makes the codes that terminals get when they register, and must show when they sign in. Those of a process are of one key.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { loadKeys, type TokenKeys } from '../../core/signing-keys.ts';
import type { Deps } from '../../deps.ts';
import type { Message } from './messages.ts';

const CODE_DIGITS = 32;

/** The codes that terminals get when they register, and must show. */
export interface TerminalCodes {
  /** The code of a unit under its number: always the same, so nothing is stored, and a repeated registration changes nothing. */
  codeOf(unitId: number, terminal: string): string;
  /** Takes the same time for any wrong code of the right length. */
  isRight(code: Buffer, unitId: number, terminal: string): boolean;
}

/**
 * Makes the codes of one process; the first call of an installation creates their key.
 * @returns reads them @throws the database's error, until it is there
 */
export function createCodeLoader({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): () => Promise<TerminalCodes> {
  let loaded: TerminalCodes | undefined;
  return async () => {
    loaded ??= codesOf(await loadKeys(database.db, 'jt808_code', clock.nowMs()));
    return loaded;
  };
}

function codesOf({ currentId, secrets }: TokenKeys): TerminalCodes {
  const codeBy = (keyId: number, unitId: number, terminal: string): string =>
    createHmac('sha256', secrets.get(keyId) ?? '')
      .update(`${unitId} ${terminal}`)
      .digest('hex')
      .slice(0, CODE_DIGITS);
  return {
    codeOf: (unitId, terminal) => codeBy(currentId, unitId, terminal),
    isRight: (code, unitId, terminal) =>
      code.length === CODE_DIGITS &&
      [...secrets.keys()].some((keyId) =>
        timingSafeEqual(code, Buffer.from(codeBy(keyId, unitId, terminal))),
      ),
  };
}

/**
 * Reads the code in a sign-in. That of 2019 has its length before it, and the modem's number and a version after it; the older
 * one is nothing but the code, perhaps with the zero that ends a text.
 * @returns a view of the body, of any length; it throws nothing
 */
export function readCode({ version, body }: Pick<Message, 'version' | 'body'>): Buffer {
  if (version !== null) return body.subarray(1, 1 + (body[0] ?? 0));
  const end = body.indexOf(0);
  return end < 0 ? body : body.subarray(0, end);
}
