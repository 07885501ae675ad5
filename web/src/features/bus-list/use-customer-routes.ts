import { type BusRoute, searchRoutes } from '@ridewatch/contract/bus-routes';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keyOf } from '../../api.ts';
import { call } from '../../request.ts';

const STALE_MS = 60_000;
/** The largest page that the server gives. */
const PAGE = 5000;

/** The routes of all customers, by customer id, for administrators. */
export function useCustomerRoutes(isAdmin: boolean): ReadonlyMap<number, readonly BusRoute[]> {
  const { data } = useQuery({
    queryKey: keyOf(searchRoutes, { query: { perPage: PAGE } }),
    queryFn: ({ signal }) => loadRoutes(signal),
    enabled: isAdmin,
    staleTime: STALE_MS,
  });
  // Kept between renders: a new map would draw every card anew at each key typed.
  return useMemo(() => byCustomer(data ?? []), [data]);
}

/** Every route that the user may see: one call, unless there are more than one page holds. */
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
