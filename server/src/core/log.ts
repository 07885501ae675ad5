import { OSMAND_PATH } from '@ridewatch/contract/unit-protocols';
import { type Logger, pino } from 'pino';
import type { AppError } from './errors.ts';

export type Log = Logger;

/** Creates the log: one JSON object a line, secrets redacted. @param level of pino */
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

/** Query parameters whose values are secrets. */
const SECRET_KEYS = new Set([
  ...['hash', 'access_token', 'refresh_token', 'token', 'password'],
  ...['new_password', 'client_secret', 'credential'],
]);
const REDACTED = '[redacted]';

/**
 * Redacts the secrets of an address, such as the signature of a video. Keys are compared as parsed: `%68ash` and
 * `hash[]` are `hash`.
 * @param url path and query as received
 */
export function loggableUrl(url: string): string {
  // Some clients encode the question mark as %3F, which makes the query a part of the path.
  const start = /\?|%3f/i.exec(url);
  if (start === null) return url;
  const queryAt = start.index + start[0].length;
  if (isOfPhone(url.slice(0, start.index), url.slice(queryAt))) {
    return url.slice(0, queryAt) + REDACTED;
  }
  return url.slice(0, queryAt) + url.slice(queryAt).split('&').map(loggablePair).join('&');
}

// The OsmAnd form says in its query who is where, and its id is as good as a password. Some phones leave the path out.
function isOfPhone(rawPath: string, query: string): boolean {
  const [path = ''] = new URLSearchParams(`${rawPath.replaceAll('+', '%2B')}=`).keys();
  if (path.startsWith(OSMAND_PATH)) return true;
  return path === '/' && /(?:^|&)(?:device_?)?id=/i.test(query);
}

// An encoded `&` separates pairs in a path, but is a part of the value in a query. Redact everything after a secret's
// key.
function loggablePair(pair: string): string {
  const parts = pair.split(/(%26)/i);
  const secretAt = parts.findIndex((part) => secretOf(part) !== undefined);
  if (secretAt === -1) return pair;
  return parts.slice(0, secretAt).join('') + secretOf(parts[secretAt] ?? '') + REDACTED;
}

// The key of a secret with its `=`, as written; undefined for other keys.
function secretOf(part: string): string | undefined {
  const end = /=|%3d/i.exec(part);
  if (end === null || !isSecret(part.slice(0, end.index))) return undefined;
  return part.slice(0, end.index + end[0].length);
}

function isSecret(rawKey: string): boolean {
  const [key = ''] = new URLSearchParams(`${rawKey}=`).keys();
  return SECRET_KEYS.has(key.replace(/(?:\[[^\]]*\])+$/, '').toLowerCase());
}

/** Logs an answer if it is a server error (5xx). @param thrown the error that caused the answer */
export function logFailure(
  log: Pick<Log, 'error' | 'warn'>,
  requestId: string,
  { code, status, message, cause }: AppError,
  thrown: unknown,
): void {
  if (code === 'unavailable') {
    // All requests fail with the same stack during an outage; log the reason alone.
    const reason = cause instanceof Error ? cause.message : message;
    log.warn({ requestId, reason }, 'unavailable');
  } else if (status >= 500) {
    log.error({ requestId, err: thrown }, 'failed');
  }
}
