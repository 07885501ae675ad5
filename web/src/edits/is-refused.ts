import { ApiError } from '../core/api-error.ts';

/** Statuses that do not concern what was sent: signed out, timeout, too many calls. */
const NOT_NOW = [401, 408, 429];

/** Whether the server refused what was sent. Any other failure may pass: no connection, a server that fails. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && !NOT_NOW.includes(status);
}
