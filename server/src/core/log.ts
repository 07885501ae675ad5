import { type Logger, pino } from 'pino';
import type { AppError } from './errors.ts';

export type Log = Logger;

/** Structured logs, one JSON object a line, without secrets. */
export function createLog(level: string): Log {
  return pino({
    level,
    redact: {
      paths: [
        'req.headers',
        '*.password',
        '*.old_password',
        '*.new_password',
        '*.refresh_token',
        '*.access_token',
        '*.credential',
        '*.hash',
      ],
      censor: '[redacted]',
    },
  });
}

/** Keys of a query whose values are secrets. */
const SECRET_KEYS = new Set([
  ...['hash', 'access_token', 'refresh_token', 'token', 'password'],
  ...['new_password', 'client_secret', 'credential'],
]);
const REDACTED = '[redacted]';

/**
 * An address without its secrets: video signatures travel in the query. A key counts as it is parsed: `%68ash` and
 * `hash[]` are `hash`.
 * @param url path and query as received
 */
export function loggableUrl(url: string): string {
  // A client that encodes the question mark as %3F makes its query a part of the path.
  const start = /\?|%3f/i.exec(url);
  if (start === null) return url;
  const queryAt = start.index + start[0].length;
  return url.slice(0, queryAt) + url.slice(queryAt).split('&').map(loggablePair).join('&');
}

// An encoded `&` is a separator in a path, and a part of the value in a query: what follows a secret goes with it.
function loggablePair(pair: string): string {
  const parts = pair.split(/(%26)/i);
  const secretAt = parts.findIndex((part) => secretOf(part) !== undefined);
  if (secretAt === -1) return pair;
  return parts.slice(0, secretAt).join('') + secretOf(parts[secretAt] ?? '') + REDACTED;
}

// The key of a secret, with its sign.
function secretOf(part: string): string | undefined {
  const end = /=|%3d/i.exec(part);
  if (end === null || !isSecret(part.slice(0, end.index))) return undefined;
  return part.slice(0, end.index + end[0].length);
}

function isSecret(rawKey: string): boolean {
  const [key = ''] = new URLSearchParams(`${rawKey}=`).keys();
  return SECRET_KEYS.has(key.replace(/(?:\[[^\]]*\])+$/, '').toLowerCase());
}

/** Logs an answer with a server error; others are not logged. @param thrown the error behind the answer */
export function logFailure(
  log: Pick<Log, 'error' | 'warn'>,
  requestId: string,
  { code, status, message, cause }: AppError,
  thrown: unknown,
): void {
  if (code === 'unavailable') {
    // Every request fails with it while it lasts, so the stack says nothing.
    const reason = cause instanceof Error ? cause.message : message;
    log.warn({ requestId, reason }, 'unavailable');
  } else if (status >= 500) {
    log.error({ requestId, err: thrown }, 'failed');
  }
}
