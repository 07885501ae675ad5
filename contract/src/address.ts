import type { Endpoint, ParamsOf, QueryInputOf } from './endpoint.ts';

type Wire<T> = { [K in keyof T]: T[K] | number };

/** A part of a call by its name: none where the endpoint declares none, optional where nothing in it is needed. */
export type Part<Name extends string, T> = [T] extends [never]
  ? { [K in Name]?: undefined }
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** What the address of a call is made of. Ids may be numbers: they travel as text. */
export type AddressParts<E> = Part<'params', ParamsOf<E>> & Part<'query', Wire<QueryInputOf<E>>>;

/**
 * The address of a call.
 * @returns the path with its parameters filled in and the query behind it, without the server's own address
 */
export function addressOf<E extends Endpoint>(endpoint: E, parts: AddressParts<E>): string;
export function addressOf(
  { path }: Endpoint,
  { params, query }: { params?: unknown; query?: unknown },
): string {
  return filledAddress(path, params, query);
}

/** The address of any call; what `addressOf` is made safe for. */
export function filledAddress(path: string, params: unknown, query: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  const pairs = pairsOf(query).toString();
  return pairs ? `${filled}?${pairs}` : filled;
}

/** Values as pairs of a query or a form: a list repeats its key, what is undefined or null is left out. */
export function pairsOf(values: unknown): URLSearchParams {
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(values ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) pairs.append(key, String(one));
    }
  }
  return pairs;
}
