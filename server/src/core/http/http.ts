import {
  type BodyOf,
  bodyTypes,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '@ridewatch/contract/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { Actor } from '../audit.ts';
import { AppError } from '../errors.ts';
import type { TokenKeys } from '../signing-keys.ts';
import { findUnstorable, UNSTORABLE } from '../storable.ts';
import type { Holder, KnownUnit, Viewer } from '../viewer.ts';
import { RawAnswer } from './send-cached.ts';

type Schema = z.ZodMiniType;

/** The properties of a call that decide, besides the user, whether it may be made: without a scope no API key may. */
export type AskedCall = Pick<Endpoint, 'method' | 'scope' | 'beforeSecondFactor' | 'inView'>;

/** Authenticates requests; made by server/src/auth. */
export interface Authenticators {
  /**
   * The user of a token, or the customer of an API key.
   * @throws AppError unauthorized, user_inactive, user_blocked, second_factor_required, read_only_view; of keys also
   *   no_right, too_many_attempts
   */
  viewer(request: FastifyRequest, call: AskedCall): Promise<Viewer>;
  /**
   * The present rights of a viewer whom `viewer` gave. An access token that expired meanwhile is no reason to refuse:
   * the session behind it counts.
   * @throws AppError as `viewer`
   */
  viewerAgain(viewer: Viewer, call: AskedCall): Promise<Viewer>;
  /** @throws AppError unauthorized */
  unit(request: FastifyRequest): Promise<KnownUnit>;
  /**
   * The rights of a user by id, for signed addresses.
   * @param request a valid token in it must be the holder's; an invalid one is ignored. Absent for a viewer who is
   *   watching already
   * @throws AppError when the account is blocked; not_found for the token of another user; no_right of a key that may
   *   not see video
   */
  viewerOfHolder(holder: Holder, request?: FastifyRequest): Promise<Viewer>;
  /**
   * The user of the token if it is valid or if there is no hash, otherwise of the signed address.
   * @param hash of the address
   * @throws AppError as the two do
   */
  viewerOfEither(
    request: FastifyRequest,
    hash: string | undefined,
    readAddress: () => Holder,
  ): Promise<Viewer>;
  /**
   * Drops what is cached of sessions and API keys, after this process changed them.
   * @param ids of sessions, and what stands for keys in their place
   */
  forget(ids: readonly string[]): void;
  /** The process's clock, ms since 1970 UTC: the time of a command. */
  nowMs(): number;
  /** Keys that sign access tokens. */
  readonly keys: TokenKeys;
}

interface Call<E> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly actor: Actor;
}

type CallerOf<A> = A extends 'unit'
  ? { readonly unit: KnownUnit }
  : A extends 'public'
    ? object
    : { readonly viewer: Viewer };

/** The answer by the contract's schema, a raw buffer, or undefined when the handler has replied itself. */
type Answer<E> = ResponseOf<E> | RawAnswer | undefined;

/**
 * Looks up the objects of an administrator's call as a user without that role would: an object that this user may not
 * see answers 404 as everywhere, one that the user may see 403. The handler runs for administrators only.
 */
type Named<E> =
  | 'nothing'
  | ((call: Pick<Call<E>, 'params' | 'query' | 'body'> & { viewer: Viewer }) => Promise<unknown>);

/**
 * Serves one call of the contract: checks the user, parameters, query, body and answer. `access` of the endpoint
 * decides which caller the handler gets.
 * @param named looks up the objects of an administrator's call, and only of one
 */
export function serve<
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema,
  A extends 'user' | 'admin' | 'unit' | 'public',
>(
  app: FastifyInstance,
  auth: Authenticators,
  endpoint: Endpoint<P, Q, B, R>,
  access: A,
  handler: (
    call: Call<Endpoint<P, Q, B, R>> & CallerOf<A>,
  ) => Promise<Answer<Endpoint<P, Q, B, R>>>,
  ...[named]: A extends 'admin' ? [named: Named<Endpoint<P, Q, B, R>>] : []
): void {
  if (endpoint.access !== access) throw new Error(`${endpoint.path}: access is ${endpoint.access}`);
  // A body may take half an hour, in which the caller may lose rights. This hook runs before every preHandler, because
  // one of a feature may answer the call.
  const lookAgain = async (request: FastifyRequest): Promise<void> => {
    if (!hasBody(request)) return;
    request.caller = await findCallerAgain(request, auth, endpoint);
    if (named === 'nothing') checkAdmin(request.caller);
  };
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(endpoint.maxBodyBytes === undefined ? {} : { bodyLimit: endpoint.maxBodyBytes }),
    // Before the body is read: a stranger must not make the server unpack megabytes, nor send a form where JSON is
    // expected.
    onRequest: async (request) => {
      request.caller = await findCaller(request, auth, endpoint);
      if (named === 'nothing') checkAdmin(request.caller);
      checkBodyType(endpoint, request);
    },
    ...(endpoint.method === 'GET' ? {} : { preValidation: lookAgain }),
    handler: async (request, reply) => {
      const caller = request.caller ?? {};
      if (typeof named === 'function' && !isAdmin(caller)) {
        await named({ ...readRefusable(endpoint, request), ...caller } as never);
        checkAdmin(caller);
      }
      const call = {
        request,
        reply,
        ...readParts(endpoint, request),
        actor: actorOf(request, caller, auth.nowMs()),
        ...caller,
      } as unknown as Call<Endpoint<P, Q, B, R>> & CallerOf<A>;
      const answer = await handler(call);
      if (reply.sent) return reply;
      if (answer instanceof RawAnswer) return reply.headers(answer.headers).send(answer.body);
      if (endpoint.response === undefined) {
        return answer === undefined && endpoint.produces === undefined
          ? reply.code(204).send()
          : reply;
      }
      return endpoint.response.parse(answer);
    },
  });
}

/**
 * Says who gives a command by a request, or reads by it what the audit log records; of a view the administrator behind
 * it.
 * @param atMs time of the command, ms since 1970 UTC
 */
export function actorOf(request: FastifyRequest, { viewer, unit }: Caller, atMs: number): Actor {
  return {
    userId: viewer?.viewedBy?.userId ?? viewer?.userId ?? null,
    unitId: unit?.unitId ?? null,
    requestId: request.id,
    address: request.ip,
    atMs,
  };
}

function readParts(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  return {
    params: check(endpoint.params, request.params, ''),
    query: check(endpoint.query, request.query, ''),
    body: check(endpoint.body, request.body, '', endpoint.apart),
  };
}

// A caller without access does not learn what the parameters should be.
function readRefusable(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  try {
    return readParts(endpoint, request);
  } catch (cause) {
    throw noRight(cause);
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function checkBodyType({ method, bodyType }: Endpoint, request: FastifyRequest): void {
  // A request without a body has no type, unless it is a form; a body of GET is not read.
  if (method === 'GET' || (!hasBody(request) && bodyType === undefined)) return;
  const wanted = bodyTypes[bodyType ?? 'json'];
  if (!(request.headers['content-type'] ?? '').toLowerCase().startsWith(wanted)) {
    throw new AppError('unsupported_media_type', `The body must be ${wanted}.`);
  }
}

interface Caller {
  readonly viewer?: Viewer;
  readonly unit?: KnownUnit;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, once authenticated. */
    caller: Caller | null;
  }
}

async function findCaller(
  request: FastifyRequest,
  auth: Authenticators,
  endpoint: Endpoint,
): Promise<Caller> {
  if (endpoint.access === 'public') return {};
  if (endpoint.access === 'unit') return { unit: await auth.unit(request) };
  return { viewer: await auth.viewer(request, endpoint) };
}

async function findCallerAgain(
  request: FastifyRequest,
  auth: Authenticators,
  endpoint: Endpoint,
): Promise<Caller> {
  const viewer = request.caller?.viewer;
  if (viewer !== undefined) return { viewer: await auth.viewerAgain(viewer, endpoint) };
  return findCaller(request, auth, endpoint);
}

function isAdmin({ viewer }: Caller): boolean {
  return viewer?.role === 'ADMIN';
}

function checkAdmin(caller: Caller): void {
  if (!isAdmin(caller)) throw noRight();
}

function noRight(cause?: unknown): AppError {
  return new AppError('no_right', 'Only administrators may do this.', { cause });
}

/**
 * Validates a value against a schema. All text input passes here, and none that the database cannot store gets through.
 * @param apart fields whose texts the call validates by itself
 * @throws AppError invalid_request that names the first invalid field
 */
export function check<S extends Schema>(
  schema: S | undefined,
  value: unknown,
  prefix: string,
  apart?: readonly string[],
): z.output<S> | undefined {
  if (schema === undefined) return undefined;
  const fieldOf = (path: readonly PropertyKey[]): string =>
    [prefix, ...path].filter((part) => part !== '').join('.');
  const unstorable = findUnstorable(value, apart);
  if (unstorable !== undefined) {
    throw new AppError('invalid_request', UNSTORABLE, { field: fieldOf(unstorable) });
  }
  const result = schema.safeParse(value ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = fieldOf(issue?.path ?? []);
  throw new AppError('invalid_request', issue?.message ?? 'is invalid', { field });
}
