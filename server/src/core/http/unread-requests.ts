// Requests that Fastify never sees: headers too large, never complete, or not HTTP. Node's own answer to them would not
// be an error of the contract.
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody, ErrorCode } from '@ridewatch/contract/errors';
import { AppError, hasErrorCode } from '../errors.ts';

/** How long a client may take to read the answer, ms. */
const LINGER_MS = 1000;

/** Why an incomplete request is answered. */
export function tooSlow(): Error {
  return Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

/** Answers a request that could not be parsed, and closes the connection. @param headers those of every answer */
export function refuseUnread(
  error: Error,
  socket: Pick<Socket, 'writable' | 'destroyed' | 'end' | 'destroy'>,
  headers: Readonly<Record<string, string>>,
): void {
  // The client is gone.
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
  // A client that does not close its side would keep the connection open forever.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () =>
    setTimeout(() => socket.destroy(), LINGER_MS).unref(),
  );
}

/**
 * Answers a request with an `Expect` other than `100-continue`, whose answer Node would leave empty.
 * @param headers those of every answer
 */
export function refuseExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): void {
  const {
    code,
    status,
    message,
    field = '',
  } = new AppError('expectation_failed', 'must be 100-continue', { field: 'Expect' });
  const error: ErrorBody = { error: code, message, field, requestId: randomUUID() };
  const body = JSON.stringify(error);
  // The body that the client may send nevertheless is not read.
  response.writeHead(status, {
    ...headers,
    ...{ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
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
