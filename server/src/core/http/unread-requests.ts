// Requests that never become one: their head is too large, never comes to its end, or is no HTTP. The framework has no
// part in them, and its own answer to them has another form than all others.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody, ErrorCode } from '@ridewatch/contract/errors';
import { AppError, hasErrorCode } from '../errors.ts';

/** So long a client may take to read the answer, ms. */
const LINGER_MS = 1000;

/** Why a request that does not go on is answered. */
export function tooSlow(): Error {
  return Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

/**
 * Answers what could not be read as a request, and closes the line.
 * @param headers those of every answer
 */
export function refuseUnread(
  error: Error,
  socket: Pick<Socket, 'writable' | 'destroyed' | 'end' | 'destroy'>,
  headers: Readonly<Record<string, string>>,
): void {
  // Nobody is there to hear it.
  if (hasErrorCode(error, 'ECONNRESET') || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, message] = meaningOf(error);
  const { status } = new AppError(code, message);
  const body = JSON.stringify({
    error: code,
    message,
    requestId: randomUUID(),
  } satisfies ErrorBody);
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  // A client that does not hang up by itself would keep its half of the line for ever.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () =>
    setTimeout(() => socket.destroy(), LINGER_MS).unref(),
  );
}

function meaningOf(error: Error): [ErrorCode, string] {
  if (hasErrorCode(error, 'HPE_HEADER_OVERFLOW')) {
    return ['headers_too_large', 'The address and the headers are too long together.'];
  }
  if (hasErrorCode(error, 'ERR_HTTP_REQUEST_TIMEOUT')) {
    return ['request_timeout', 'The request did not come to its end in time.'];
  }
  return ['invalid_request', 'This is no HTTP request.'];
}
