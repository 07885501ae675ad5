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
import type { Actor } from './audit.ts';
import type { TokenKeys } from './auth/tokens.ts';
import type { KnownUnit, Viewer } from './auth/viewer.ts';
import { AppError } from './errors.ts';
import type { KeptAnswer } from './kept-answer.ts';
import { findUnstorable, UNSTORABLE } from './storable.ts';
import type { Holder } from './video/sign.ts';

type Schema = z.ZodMiniType;

/** Who stands behind a request; made by server/src/auth. */
export interface Authenticators {
  /** @throws AppError unauthorized, user_inactive or user_blocked */
  viewer(request: FastifyRequest): Promise<Viewer>;
  /** @throws AppError unauthorized */
  unit(request: FastifyRequest): Promise<KnownUnit>;
  /**
   * The rights of a user by id, for signed addresses.
   * @param request that asks; a valid token of somebody else beside the address opens nothing, one that is not valid
   *   says nothing. Absent for who watches already
   * @throws AppError when the account is shut; not_found beside a token of somebody else
   */
  viewerOfHolder(holder: Holder, request?: FastifyRequest): Promise<Viewer>;
  /**
   * Who asks by token or by signed address: the token, if it is valid or stands alone.
   * @param hash of the address
   * @throws AppError as the two do
   */
  viewerOfEither(
    request: FastifyRequest,
    hash: string | undefined,
    readAddress: () => Holder,
  ): Promise<Viewer>;
  /** Forgets what is kept of sessions, after this process changed them. */
  forget(sessionIds: readonly string[]): void;
  /** What access tokens are signed with. */
  readonly keys: TokenKeys;
}

/** An answer whose bytes were made before: sent as they are. */
export class Kept {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Buffer, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/**
 * Sends a kept answer in the form that the client takes, or 304 when it has it.
 * @returns undefined when it has answered by itself
 */
export function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: KeptAnswer,
): Kept | undefined {
  const headers = {
    etag: answer.etag,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding',
  };
  if (hasCopy(request, answer.etag)) {
    reply.code(304).headers(headers).send();
    return undefined;
  }
  const typed = { ...headers, 'content-type': answer.type };
  return takesCoding(request, 'gzip')
    ? new Kept(answer.packed, { ...typed, 'content-encoding': 'gzip' })
    : new Kept(answer.plain, typed);
}

/** Sends a kept answer outside the calls of the contract. */
export function answerKept(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: KeptAnswer,
): FastifyReply {
  const kept = sendKept(request, reply, answer);
  return kept === undefined ? reply : reply.headers(kept.headers).send(kept.body);
}

/**
 * Whether the client says by If-None-Match that it has this form of an answer, or any (`*`). Proxies that pack or unpack on
 * the way make a tag weak, and the header may list several.
 */
export function hasCopy({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  return tagsOf(headers['if-none-match']).some(
    (tag) => tag === '*' || tag.replace(/^W\//, '') === etag,
  );
}

/** Whether the client says by If-Match that it wants another version than this; a weak tag is none (RFC 9110, 13.1.1). */
export function wantsOther({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const header = headers['if-match'];
  return header !== undefined && !tagsOf(header).some((tag) => tag === '*' || tag === etag);
}

function tagsOf(header = ''): string[] {
  return header.split(',').map((tag) => tag.trim());
}

/** Whether the client takes an answer packed this way: named in Accept-Encoding and not refused by `q=0`. */
export function takesCoding(request: FastifyRequest, coding: 'br' | 'gzip'): boolean {
  const offers = (request.headers['accept-encoding'] ?? '').toLowerCase().split(',');
  return offers.some((offer) => {
    const [name, weight] = offer.split(';').map((part) => part.trim());
    return name === coding && !/^q=0(\.0*)?$/.test(weight ?? '');
  });
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

/** The answer: by the contract's schema, a kept buffer, or nothing when the handler has answered by `reply` itself. */
type Answer<E> = ResponseOf<E> | Kept | undefined;

/**
 * Serves one call of the contract: checks who asks, the parameters, query and body, and the answer.
 * `access` of the endpoint decides which caller the handler is given.
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
): void {
  if (endpoint.access !== access) throw new Error(`${endpoint.path}: access is ${endpoint.access}`);
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(endpoint.maxBodyBytes === undefined ? {} : { bodyLimit: endpoint.maxBodyBytes }),
    // Before the body is read: strangers do not make the server unpack megabytes, nor does a form where JSON is wanted.
    onRequest: async (request) => {
      request.caller = await findCaller(request, auth, access);
      checkBodyType(endpoint, request);
    },
    handler: async (request, reply) => {
      const caller = request.caller ?? {};
      const call = {
        request,
        reply,
        params: check(endpoint.params, request.params, ''),
        query: check(endpoint.query, request.query, ''),
        body: check(endpoint.body, request.body, '', endpoint.itemwise),
        actor: {
          userId: caller.viewer?.userId ?? null,
          unitId: caller.unit?.unitId ?? null,
          requestId: request.id,
          address: request.ip,
        },
        ...caller,
      } as unknown as Call<Endpoint<P, Q, B, R>> & CallerOf<A>;
      const answer = await handler(call);
      if (reply.sent) return reply;
      if (answer instanceof Kept) return reply.headers(answer.headers).send(answer.body);
      if (endpoint.response === undefined) {
        return answer === undefined && endpoint.produces === undefined
          ? reply.code(204).send()
          : reply;
      }
      return endpoint.response.parse(answer);
    },
  });
}

function checkBodyType({ method, bodyType }: Endpoint, { headers }: FastifyRequest): void {
  const isEmpty = headers['transfer-encoding'] === undefined && !Number(headers['content-length']);
  // What has no body says nothing of its type, but a form; of a GET it is not read.
  if (method === 'GET' || (isEmpty && bodyType === undefined)) return;
  const wanted = bodyTypes[bodyType ?? 'json'];
  if (!(headers['content-type'] ?? '').toLowerCase().startsWith(wanted)) {
    throw new AppError('unsupported_media_type', `The body is ${wanted}.`);
  }
}

interface Caller {
  readonly viewer?: Viewer;
  readonly unit?: KnownUnit;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once a call has found out. */
    caller: Caller | null;
  }
}

async function findCaller(
  request: FastifyRequest,
  auth: Authenticators,
  access: 'user' | 'admin' | 'unit' | 'public',
): Promise<Caller> {
  if (access === 'public') return {};
  if (access === 'unit') return { unit: await auth.unit(request) };
  const viewer = await auth.viewer(request);
  if (access === 'admin' && viewer.role !== 'ADMIN') {
    throw new AppError('no_right', 'Only administrators may do this.');
  }
  return { viewer };
}

/**
 * Checks a value against a schema. Whatever is sent in words comes through here; no text that cannot be stored gets by.
 * @param itemwise a field whose items the call checks one by one
 * @throws AppError invalid_request that names the first field at fault
 */
export function check<S extends Schema>(
  schema: S | undefined,
  value: unknown,
  prefix: string,
  itemwise?: string,
): z.output<S> | undefined {
  if (schema === undefined) return undefined;
  const fieldOf = (path: readonly PropertyKey[]): string =>
    [prefix, ...path].filter((part) => part !== '').join('.');
  const unstorable = findUnstorable(value, itemwise);
  if (unstorable !== undefined) {
    throw new AppError('invalid_request', UNSTORABLE, { field: fieldOf(unstorable) });
  }
  const result = schema.safeParse(value ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = fieldOf(issue?.path ?? []);
  throw new AppError('invalid_request', issue?.message ?? 'is not usable', { field });
}
