// The OsmAnd form at a port of its own, where phones expect it: at `/`. The product's port takes it under a path.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { ErrorBody } from '@ridewatch/contract/errors';
import { AppError, asPassing, notFound } from '../../core/errors.ts';
import { createFaultLog } from '../../core/fault-log.ts';
import { refuseExpectation, refuseUnread } from '../../core/http/unread-requests.ts';
import { logFailure } from '../../core/log.ts';
import type { Deps, Listener, MakeListener } from '../../deps.ts';
import { plainAddress } from '../by-id/addresses.ts';
import { listenAt, MOST_COMING, MOST_CONNECTIONS, openPortOf } from '../by-id/tcp-port.ts';
import { createUnitPlaces, takeUnitPlace, type UnitPlace } from '../by-id/unit-places.ts';
import { BODY_MS, createBodies, type PortLimits } from './bodies.ts';
import { Busy, tellBusy } from './busy.ts';
import { checkEncoding, queryOf } from './http-request.ts';
import { createOsmand } from './take-request.ts';

/** An address with its fields, and headers; bytes. */
const MOST_HEAD_BYTES = 16 * 1024;
/** Longest wait for connections that are closed, ms. */
const STOP_MS = 2000;
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
/** The endpoint in metrics. */
const ENDPOINT = 'osmand:/';

/** The time that a sender has, ms. */
export interface SenderLimits {
  /** For the head of a request. */
  readonly headMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** Between two requests of a connection. */
  readonly idleMs: number;
  /** Interval of the checks. */
  readonly checkEveryMs: number;
}

const LIMITS: SenderLimits = {
  headMs: 15_000,
  requestMs: BODY_MS,
  idleMs: 75_000,
  checkEveryMs: 1000,
};

/** A listener, and its port once it is open. */
export interface OsmandListener extends Listener {
  openPort(): number;
}

/** Makes the listener when the configuration has a port for it. */
export const makeOsmandListener: MakeListener = (deps) =>
  deps.config.osmandPort === 0 ? null : createOsmandListener(deps, deps.config.osmandPort);

/**
 * Makes the listener of a port.
 * @param port 0: any that is free
 * @param times tests have shorter ones
 * @param limits tests have smaller ones
 * @param places tests have fewer
 */
export function createOsmandListener(
  deps: Deps,
  port: number,
  times: SenderLimits = LIMITS,
  limits: PortLimits = {},
  places = createUnitPlaces(),
): OsmandListener {
  const { log, metrics, config } = deps;
  const osmand = createOsmand(deps, limits.mostAtOnce);
  const bodies = createBodies(limits);
  const answering = new Set<Promise<void>>();
  /** Requests whose body is not there yet. */
  const arriving = new Set<IncomingMessage>();
  const unitPort = { name: 'osmand', places, faults: createFaultLog(deps) };
  const placeOf = new WeakMap<Socket, UnitPlace>();
  let isStopping = false;
  const server = createServer(
    {
      ...{ headersTimeout: times.headMs, requestTimeout: times.requestMs },
      ...{ keepAliveTimeout: times.idleMs, connectionsCheckingInterval: times.checkEveryMs },
      maxHeaderSize: MOST_HEAD_BYTES,
      // Cheap counters leave it out.
      requireHostHeader: false,
    },
    (request, response) => {
      const answered = answer(request, response).finally(() => answering.delete(answered));
      answering.add(answered);
    },
  );
  server.maxConnections = MOST_CONNECTIONS + MOST_COMING;
  server.on('connection', (socket) => {
    const place = takeUnitPlace(unitPort, socket);
    if (place === undefined) return;
    placeOf.set(socket, place);
    socket.once('close', () => place.leave());
  });
  server.on('error', (err) => {
    // That it cannot be opened is told by the error of the start.
    if (server.listening) log.error({ err, listener: 'osmand' }, 'a port failed');
  });
  server.on('clientError', (error, socket) => {
    if (socket instanceof Socket) refuseUnread(error, socket, HEADERS);
  });
  server.on('checkExpectation', (request, response) =>
    refuseExpectation(request, response, HEADERS),
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const beganMs = performance.now();
    // A sender that is gone is no news: it sends again.
    response.on('error', () => undefined);
    const { method = '' } = request;
    let body = '';
    try {
      const refused = await take(request);
      if (refused.length > 0) body = JSON.stringify({ refused });
    } catch (thrown) {
      const error = errorOf(thrown);
      const requestId = randomUUID();
      if (error instanceof Busy) {
        tellBusy(unitPort.faults, plainAddress(request.socket.remoteAddress));
      } else logFailure(log, requestId, error, thrown);
      response.statusCode = error.status;
      if (error.retryAfterS !== undefined) response.setHeader('retry-after', error.retryAfterS);
      const { code, message, field } = error;
      const named = field === undefined ? {} : { field };
      body = JSON.stringify({ error: code, message, ...named, requestId } satisfies ErrorBody);
    }
    // Bytes that nobody reads would be taken for the next request.
    if (isStopping || !request.complete) response.setHeader('connection', 'close');
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if (body !== '') response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(request.method === 'HEAD' ? undefined : body);
    const known = method === 'GET' || method === 'POST' ? method : 'other';
    metrics.requests.labels(known, ENDPOINT, String(response.statusCode)).inc();
    metrics.requestSeconds.labels(known, ENDPOINT).observe((performance.now() - beganMs) / 1000);
  }

  async function take(request: IncomingMessage) {
    const { method, url = '', headers, socket } = request;
    const address = socket.remoteAddress ?? '';
    osmand.checkAddress(address);
    const isKnown = /^\/(\?|$)/.test(url) && (method === 'GET' || method === 'POST');
    if (!isKnown) throw notFound();
    checkEncoding(headers);
    const body = method === 'GET' ? Buffer.alloc(0) : await arrive(request);
    const parts = { query: queryOf(url), contentType: headers['content-type'], body };
    const refused = await osmand.take(parts, address, socket);
    // It has brought something of a unit: else it would have failed.
    placeOf.get(socket)?.keep();
    return refused;
  }

  async function arrive(request: IncomingMessage): Promise<Buffer> {
    arriving.add(request);
    try {
      return await bodies.read(request);
    } finally {
      arriving.delete(request);
    }
  }

  return {
    ...{ name: 'osmand', port },
    start: () => listenAt(server, { variable: 'OSMAND_PORT', port, host: config.host }),
    stop: async () => {
      isStopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // The port waits until records are stored and answered, but not for a body that is still being sent.
      const late = setTimeout(() => {
        for (const request of arriving) request.destroy();
      }, STOP_MS);
      await Promise.all(answering);
      clearTimeout(late);
      server.closeIdleConnections();
      const last = setTimeout(() => server.closeAllConnections(), STOP_MS);
      await closed;
      clearTimeout(last);
      await osmand.close();
    },
    openPort: () => openPortOf(server),
  };
}

function errorOf(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = 'The server failed. Its log has the cause under this request id.';
  return asPassing(thrown) ?? new AppError('internal', message, { cause: thrown });
}
