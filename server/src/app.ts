import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onResponseHookHandler,
} from 'fastify';
import { AppError, asPassing, hasErrorCode, notFound } from './core/errors.ts';
import { readForms } from './core/http/form-body.ts';
import { addHealth } from './core/http/health.ts';
import type { Authenticators } from './core/http/http.ts';
import { readJson } from './core/http/json-body.ts';
import { readMultipart } from './core/http/multipart.ts';
import { protectionOf } from './core/http/protection.ts';
import { parseQuery } from './core/http/query-string.ts';
import { dropBody } from './core/http/refused-bodies.ts';
import { type SlowLimits, slowLimits, watchBodies } from './core/http/slow-requests.ts';
import { refuseExpectation, refuseUnread, tooSlow } from './core/http/unread-requests.ts';
import { logFailure, loggableUrl } from './core/log.ts';
import type { Deps, Feature } from './deps.ts';

const JSON_BODY_LIMIT = 1024 * 1024;
/** Room for an address with thousands of bus ids, bytes: the call refuses those itself. Node's default is 16 KiB. */
const HEADERS_LIMIT = 128 * 1024;

/**
 * Builds the HTTP server of one process: health, metrics and the features of its roles.
 * @param features an explicit list; nothing is discovered
 * @param limits of stalled requests
 * @param isOpen whether the process's other ports accept connections, for `/readyz`
 */
export async function buildApp(
  deps: Deps,
  auth: Authenticators,
  features: readonly Feature[],
  limits: SlowLimits = slowLimits,
  isOpen: () => boolean = () => true,
): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = deps.log;
  const protection = protectionOf(deps.config.tileUrl);
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    // measureRequests logs requests, one line each, without secrets.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than its answer; log lines name the request's id instead.
    childLoggerFactory: (one) => one,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: JSON_BODY_LIMIT,
    trustProxy: deps.config.trustProxy.length > 0 ? [...deps.config.trustProxy] : false,
    routerOptions: { querystringParser: parseQuery, maxParamLength: 255 },
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: limits.headMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: HEADERS_LIMIT,
    },
    // Requests that reach no route, such as a path that cannot be decoded.
    frameworkErrors: (thrown, request, reply) => {
      void reply.headers(protection);
      answerError(thrown, request, reply);
    },
    clientErrorHandler: (error, socket) => refuseUnread(error, socket, protection),
  });
  app.server.on('checkExpectation', (request, response) =>
    refuseExpectation(request, response, protection),
  );
  watchBodies(app.server, limits, ({ url = '', socket }, { headersSent }) => {
    deps.log.info({ url: loggableUrl(url) }, 'a request body stalled');
    // Once the answer has begun, no error can be sent.
    if (headersSent) socket.destroy();
    else refuseUnread(tooSlow(), socket, protection);
  });
  app.decorateRequest('caller', null);
  readForms(app);
  readJson(app);
  readMultipart(app);
  // A browser keeps these headers of a cached answer, too.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode !== 304) reply.headers(protection);
    // Tokens, credentials and signed addresses are never cached; cacheable answers say so themselves.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done(null, payload);
  });
  closeWhenStopping(app);
  measureRequests(app, deps);
  // The body of an unknown address is not read.
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? notFound() : undefined));
  answerErrors(app);
  addHealth(app, deps, isOpen);
  for (const feature of features) await feature(app, deps, auth);
  return app;
}

// A connection that stays open after its answer would delay the stop until its client lets go.
function closeWhenStopping(app: FastifyInstance): void {
  let isStopping = false;
  app.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
}

// By hooks of the routes: asking a request for its route creates an object each time.
function measureRequests(app: FastifyInstance, { metrics, log }: Deps): void {
  const measurerOf = (method: string, path: string) => {
    // Looking up a metric by its labels costs more than adding to it.
    const seconds = metrics.requestSeconds.labels(method, path);
    const counters = new Map<number, ReturnType<typeof metrics.requests.labels>>();
    return (request: FastifyRequest, reply: FastifyReply): void => {
      const { statusCode } = reply;
      const counter =
        counters.get(statusCode) ?? metrics.requests.labels(method, path, String(statusCode));
      counters.set(statusCode, counter);
      counter.inc();
      seconds.observe(reply.elapsedTime / 1000);
      if (!log.isLevelEnabled('info')) return;
      const { id: requestId } = request;
      const ms = Math.round(reply.elapsedTime);
      const url = loggableUrl(request.url);
      log.info({ requestId, method: request.method, url, status: statusCode, ms }, 'request');
    };
  };
  app.addHook('onRoute', (route) => {
    let measure: ReturnType<typeof measurerOf> | undefined;
    const onResponse: onResponseHookHandler = (request, reply, done) => {
      measure ??= measurerOf(String(route.method), route.url);
      measure(request, reply);
      done();
    };
    route.onResponse = [route.onResponse ?? [], onResponse].flat();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) measurerOf(request.method, 'unknown')(request, reply);
    done();
  });
}

function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = isGone(thrown, request)
    ? gone(thrown)
    : (asTooLarge(thrown, request) ?? asAppError(thrown));
  logFailure(request.log, request.id, error, thrown);
  if (error.retryAfterS !== undefined) void reply.header('retry-after', String(error.retryAfterS));
  void reply.code(error.status).send({
    error: error.code,
    message: error.message,
    ...(error.field === undefined ? {} : { field: error.field }),
    ...(error.current === undefined ? {} : { current: error.current }),
    requestId: request.id,
  });
}

// A connection lost during the body is the client's: nobody reads the answer, and the database has not failed.
function isGone(thrown: unknown, { raw }: FastifyRequest): boolean {
  return hasErrorCode(thrown, 'ECONNRESET') && raw.destroyed && !raw.complete;
}

const isTooLarge = (thrown: unknown): boolean => hasErrorCode(thrown, 'FST_ERR_CTP_BODY_TOO_LARGE');

function asTooLarge(thrown: unknown, { routeOptions }: FastifyRequest): AppError | undefined {
  if (!isTooLarge(thrown)) return undefined;
  const most = routeOptions.bodyLimit ?? JSON_BODY_LIMIT;
  return new AppError('too_large', `The body may have at most ${most} bytes.`, { cause: thrown });
}

function gone(cause: unknown): AppError {
  return new AppError('request_timeout', 'The request ended before it was complete.', { cause });
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (thrown, request, reply) => {
    if (isTooLarge(thrown)) await dropBody(request.raw);
    answerError(thrown, request, reply);
    return reply;
  });
  app.setNotFoundHandler(async (request, reply) =>
    reply
      .code(404)
      .send({ error: 'not_found', message: 'There is no such object.', requestId: request.id }),
  );
}

// Fastify's own errors (invalid JSON, body too large) keep their meaning under our codes.
function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const unavailable = asPassing(thrown);
  if (unavailable !== undefined) return unavailable;
  const status = thrown instanceof Error && 'statusCode' in thrown ? thrown.statusCode : 500;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (hasErrorCode(thrown, 'FST_ERR_CTP_INVALID_JSON_BODY')) {
    return new AppError('invalid_request', 'The body is not valid JSON.');
  }
  if (status === 415) return new AppError('unsupported_media_type', message);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('invalid_request', message);
  }
  return new AppError(
    'internal',
    'The server failed. Its log has the cause under this request id.',
    {
      cause: thrown,
    },
  );
}
