import { type BusRoute, searchRoutes } from '@ridewatch/contract/bus-routes';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keyOf } from '../../api.ts';
import { call } from '../../request.ts';

const STALE_MS = 60_000;
/** The largest page that the server returns. */
const PAGE = 5000;

/** The routes of all customers, by customer id; only for administrators. */
export function useCustomerRoutes(isAdmin: boolean): ReadonlyMap<number, readonly BusRoute[]> {
  const { data } = useQuery({
    queryKey: keyOf(searchRoutes, { query: { perPage: PAGE } }),
    queryFn: ({ signal }) => loadRoutes(signal),
    enabled: isAdmin,
    staleTime: STALE_MS,
  });
  // The same map for each render: a new one would render all cards again at each key.
  return useMemo(() => byCustomer(data ?? []), [data]);
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
