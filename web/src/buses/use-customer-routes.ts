import { type BusRoute, searchRoutes } from '@ridewatch/contract/bus-routes';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keyOf } from '../calls/api.ts';
import { call } from '../calls/request.ts';

const STALE_MS = 60_000;
/** The largest page that the server returns. */
const PAGE = 5000;

/**
 * All routes that the user may see.
 * @param isRead reads them only if true
 * @returns `routes`: by customer id; `answer`: the call that reads them
 */
export function useCustomerRoutes(isRead: boolean) {
  const answer = useQuery({
    queryKey: keyOf(searchRoutes, { query: { perPage: PAGE } }),
    queryFn: ({ signal }) => loadRoutes(signal),
    enabled: isRead,
    staleTime: STALE_MS,
  });
  // The same map for each render: a new one would render all cards again at each key.
  const { data } = answer;
  const routes = useMemo(() => byCustomer(data ?? []), [data]);
  return { routes, answer };
}

/** Reads all routes that the user may see, page by page. */
export async function loadRoutes(signal: AbortSignal): Promise<readonly BusRoute[]> {
  const routes: BusRoute[] = [];
  for (let page = 0; ; page += 1) {
    const query = { perPage: PAGE, page };
    const { items, total } = await call(searchRoutes, { query, signal });
    routes.push(...items);
    if (items.length === 0 || routes.length >= total) return routes;
  }
}

function byCustomer(routes: readonly BusRoute[]): ReadonlyMap<number, readonly BusRoute[]> {
  const map = new Map<number, BusRoute[]>();
  for (const route of routes) {
    const own = map.get(route.client_id);
    if (own) own.push(route);
    else map.set(route.client_id, [route]);
  }
  return map;
}
