import type { Endpoint } from '@ridewatch/contract/endpoint';

/** Values of parameters by their names in the contract; an empty one is left out of the query. */
export type ParameterValues = Readonly<Record<string, readonly string[]>>;

/** Parameters that take several values. */
const MANY = ['workplaces', 'workplaceIds', 'groupIds', 'clientIds'];

/**
 * Gives all addresses of a call with all combinations of values; it leaves out what has no value in the query, and gives
 * no address if a part of the path has none.
 * @param isWhole without parameters in the query: filters of lists and pages show less
 */
export function addressesOf(
  endpoint: Endpoint,
  values: ParameterValues,
  { isWhole = false } = {},
): string[] {
  const query = endpoint.query as { def?: { shape?: object } } | undefined;
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inQuery = Object.keys(query?.def?.shape ?? {}).filter((name) => values[name] !== undefined);
  let made = [{ path: endpoint.path, query: new URLSearchParams() }];
  for (const name of [...inPath, ...(isWhole ? [] : inQuery)]) {
    made = made.flatMap((one) =>
      (values[name] ?? []).map((value) => {
        if (inPath.includes(name)) return { ...one, path: one.path.replace(`{${name}}`, value) };
        const next = new URLSearchParams(one.query);
        if (value !== '') next.append(MANY.includes(name) ? `${name}[]` : name, value);
        return { ...one, query: next };
      }),
    );
  }
  return made.map((one) => `${one.path}?${one.query}`);
}
