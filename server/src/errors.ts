import { type ErrorCode, errorStatuses } from '@ridewatch/contract/errors';
import { speakPlainly } from './issue-text.ts';

// Wherever something is refused, a schema may have refused it.
speakPlainly();

/** A failure with an answer of its own: code → status by the contract's one table. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly field: string | undefined;
  /** Seconds, for 429. */
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
    this.retryAfterS = details.retryAfterS;
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

/** Whether the database could not be reached: it is starting, stopping or gone (PostgreSQL, appendix A, classes 08, 57). */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (/^(08...|57P0[1-3]|ECONNREFUSED|ECONNRESET)$/.test(code)) return true;
  // The driver's own words carry no code.
  return /^Connection terminated/.test(error.message);
}

/** Whether something could not be written because a disk is full, ours or the database's. */
export function isNoRoom(error: unknown): boolean {
  return hasErrorCode(error, 'ENOSPC') || isDatabaseFull(error);
}

/** Whether the database found no room (PostgreSQL, appendix A, class 53): nothing of the transaction is stored. */
export function isDatabaseFull(error: unknown): boolean {
  return hasErrorCode(error, '53100');
}
