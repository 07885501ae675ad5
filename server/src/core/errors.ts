import type { PortFault } from '@ridewatch/contract/admin-unit-ports';
import { type ErrorCode, errorStatuses } from '@ridewatch/contract/errors';
import { setIssueMessages } from './issue-text.ts';

// Every module that refuses a request imports this one, so schemas have their messages before the first refusal.
setIssueMessages();

/** Retry-After of temporary failures, s. A killed database restarts in 2 to 4 s. */
const UNAVAILABLE_RETRY_S = 5;

/** An error that the server answers with. The contract's table has the status of each code. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly field: string | undefined;
  /** Retry-After of 429 and 503, s. */
  readonly retryAfterS: number | undefined;
  /** The stored state or the cause, where the call says so. */
  readonly current: unknown;

  constructor(
    code: ErrorCode,
    message: string,
    details: { field?: string; retryAfterS?: number; current?: unknown; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errorStatuses[code];
    this.field = details.field;
    this.current = details.current;
    this.retryAfterS =
      details.retryAfterS ?? (code === 'unavailable' ? UNAVAILABLE_RETRY_S : undefined);
  }
}

/** The server cannot start, for a reason that the operator can fix. The message is for the operator. */
export class StartError extends Error {}

/** A port cannot be opened. The message is for the operator, the fault for the screens. */
export class PortError extends StartError {
  readonly fault: PortFault;

  constructor(message: string, fault: PortFault) {
    super(message);
    this.fault = fault;
  }
}

/** The message of an error. Connecting to several addresses of one name fails with an error for each, and no message. */
export function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message || first.name : String(first);
}

/** The answer for an object that does not exist, and for one that the user may not see. */
export function notFound(): AppError {
  return new AppError('not_found', 'There is no such object.');
}

/** Whether an error has this code: a SQLSTATE such as `23505`, or a system code such as `EEXIST`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

// Temporary SQLSTATE classes and codes (PostgreSQL, appendix A): 08 connection, 40 transaction rollback, 53200 and
// 53300 out of memory or connections, 55P03 lock timeout, 57014 statement timeout, 57P01 to 57P03 shutdown or startup,
// 25P03 and 57P05 idle timeouts. The rest are the system's codes for connections.
const TEMPORARY_CODES =
  /^(08...|40...|53200|53300|55P03|57014|57P0[1-3]|25P03|57P05|E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;
// Errors of the driver, its pool and Kysely have no code, only these messages.
const TEMPORARY_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (has encountered|was closed)|Cannot use a pool after|Postgres connection has been discarded)/;

/**
 * Whether the database is temporarily unavailable: starting, stopping, gone, silent or overloaded. A retry may succeed.
 * Either nothing was stored, or the server recognizes the repeat by its number.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    TEMPORARY_CODES.test(code) ||
    TEMPORARY_MESSAGES.test(error.message) ||
    isDatabaseAway(error.cause)
  );
}

/** Whether a write failed because a disk is full, the server's or the database's. */
export function isNoRoom(error: unknown): boolean {
  return hasErrorCode(error, 'ENOSPC') || isDatabaseFull(error);
}

/** Whether the disk of the database is full (PostgreSQL, appendix A, 53100). The transaction stored nothing. */
export function isDatabaseFull(error: unknown): boolean {
  return hasErrorCode(error, '53100');
}

/** The answer to a temporary failure, by `isDatabaseAway` and `isDatabaseFull`; undefined for any other error. */
export function asPassing(thrown: unknown): AppError | undefined {
  const message = isDatabaseAway(thrown)
    ? 'The database does not answer.'
    : isDatabaseFull(thrown) && 'The disk of the server is full.';
  return message ? new AppError('unavailable', message, { cause: thrown }) : undefined;
}
