import { type ErrorCode, errorStatuses } from '@ridewatch/contract/errors';
import { speakPlainly } from './issue-text.ts';

// Wherever something is refused, a schema may have refused it.
speakPlainly();

/** When to ask again for what passes by itself, s: a database that was killed is back in 2 to 4. */
const UNAVAILABLE_RETRY_S = 5;

/** A failure with an answer of its own: code → status by the contract's one table. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly field: string | undefined;
  /** Seconds, for 429 and 503. */
  readonly retryAfterS: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: { field?: string; retryAfterS?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errorStatuses[code];
    this.field = details.field;
    this.retryAfterS =
      details.retryAfterS ?? (code === 'unavailable' ? UNAVAILABLE_RETRY_S : undefined);
  }
}

/** A start that cannot be, for a reason that the person at the keyboard can mend; the message is theirs. */
export class StartError extends Error {}

/** The one answer for what does not exist and for what the asker may not know of. */
export function notFound(): AppError {
  return new AppError('not_found', 'There is no such object.');
}

/** Whether an error carries this code: a SQLSTATE such as `23505`, or a system code such as `EEXIST`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

// SQLSTATE classes and codes that pass by themselves (PostgreSQL, appendix A): 08 connection, 40 taken back for another
// transaction's sake, 53200 and 53300 too much at once, 55P03 lock not had in time, 57014 statement stopped in time,
// 57P01 to 57P03 stopping or starting, 25P03 and 57P05 let go of for idling; and what the system says of a connection.
const PASSING =
  /^(08...|40...|53200|53300|55P03|57014|57P0[1-3]|25P03|57P05|E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;
// The driver's, its pool's and Kysely's own words, which carry no code.
const WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (has encountered|was closed)|Cannot use a pool after|Postgres connection has been discarded)/;

/**
 * Whether the database cannot be had just now: it is starting, stopping, gone, silent, or has too much to do. The same
 * request may go well in a moment; nothing of it is stored, or it is known by its number when it comes again.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return PASSING.test(code) || WORDS.test(error.message) || isDatabaseAway(error.cause);
}

/** Whether something could not be written because a disk is full, ours or the database's. */
export function isNoRoom(error: unknown): boolean {
  return hasErrorCode(error, 'ENOSPC') || isDatabaseFull(error);
}

/** Whether the database found no room (PostgreSQL, appendix A, class 53): nothing of the transaction is stored. */
export function isDatabaseFull(error: unknown): boolean {
  return hasErrorCode(error, '53100');
}

/** The answer to what passes by itself, by `isDatabaseAway` and `isDatabaseFull`; undefined for anything else. */
export function asPassing(thrown: unknown): AppError | undefined {
  const message = isDatabaseAway(thrown)
    ? 'The database does not answer.'
    : isDatabaseFull(thrown) && 'The disk of the server is full.';
  return message ? new AppError('unavailable', message, { cause: thrown }) : undefined;
}
