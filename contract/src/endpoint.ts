import type * as z from 'zod/mini';
import type { ApiScope } from './api-scope.ts';
import type { ErrorCode } from './errors.ts';

/** The caller: anybody, a signed-in user, an administrator, or an on-board unit with its own credential. */
export type Access = 'public' | 'user' | 'admin' | 'unit';

type Schema = z.ZodMiniType;

/** How a body is encoded, and its media type. */
export const bodyTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

/** One call. It types and validates the server, types the client, and generates the API description. */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute path with parameters in braces: `/api/bus/info/{busId}`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** Open to a user whose role needs a second factor that is not set up. */
  readonly beforeSecondFactor?: true;
  /** Open in a view as another user, though it is no GET: it changes nothing but the view. */
  readonly inView?: true;
  /** The scope of API keys that may make the call, always a GET; absent: none. */
  readonly scope?: ApiScope;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Encoding of the body; JSON by default. */
  readonly bodyType?: keyof typeof bodyTypes;
  /** Fields of the body whose texts the call validates by itself, so that an invalid one costs only itself. */
  readonly apart?: readonly string[];
  /** Largest body, bytes; 1 MiB by default. */
  readonly maxBodyBytes?: number;
  /** The JSON answer; absent for 204 and for byte streams. */
  readonly response?: Response;
  /** The answer has an ETag; If-None-Match is answered with 304. */
  readonly tagged?: boolean;
  /** Media types of an answer of bytes. */
  readonly produces?: readonly string[];
  readonly errors: readonly ErrorCode[];
}

/**
 * Declares one call. The annotation below lets the bundler drop calls that a screen does not make.
 * @returns the same value with the types of its schemas
 */
// @__NO_SIDE_EFFECTS__
export function endpoint<
  Params extends Schema = z.ZodMiniNever,
  Query extends Schema = z.ZodMiniNever,
  Body extends Schema = z.ZodMiniNever,
  Response extends Schema = z.ZodMiniNever,
>(declared: Endpoint<Params, Query, Body, Response>): Endpoint<Params, Query, Body, Response> {
  return declared;
}

export type ParamsOf<E> = E extends Endpoint<infer P, Schema, Schema, Schema> ? z.output<P> : never;
export type QueryOf<E> = E extends Endpoint<Schema, infer Q, Schema, Schema> ? z.output<Q> : never;
export type QueryInputOf<E> =
  E extends Endpoint<Schema, infer Q, Schema, Schema> ? z.input<Q> : never;
export type BodyOf<E> = E extends Endpoint<Schema, Schema, infer B, Schema> ? z.output<B> : never;
export type ResponseOf<E> =
  E extends Endpoint<Schema, Schema, Schema, infer R> ? z.output<R> : never;
