import type { Endpoint, ParamsOf, QueryInputOf } from './endpoint.ts';

type Wire<T> = { [K in keyof T]: T[K] | number };

/** The type of a part of a call: absent where the endpoint declares none, optional where nothing in it is required. */
export type Part<Name extends string, T> = [T] extends [never]
  ? { [K in Name]?: undefined }
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** The values of a call's address. Ids may be numbers: they travel as text. */
export type AddressParts<E> = Part<'params', ParamsOf<E>> & Part<'query', Wire<QueryInputOf<E>>>;

/** The address of a call. @returns the path with its parameters and the query, without the server's address */
export function addressOf<E extends Endpoint>(endpoint: E, parts: AddressParts<E>): string;
export function addressOf(
  { path }: Endpoint,
  { params, query }: { params?: unknown; query?: unknown },
): string {
  return filledAddress(path, params, query);
}

/** The address of any call, untyped; `addressOf` is the typed form. */
export function filledAddress(path: string, params: unknown, query: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  );
  const pairs = pairsOf(query).toString();
  return pairs ? `${filled}?${pairs}` : filled;
}

/** Values as pairs of a query or a form: an array repeats its key; undefined and null are left out. */
export function pairsOf(values: unknown): URLSearchParams {
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(values ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) pairs.append(key, String(one));
    }
  }
  return pairs;
}
