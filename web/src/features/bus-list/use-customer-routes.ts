import { type BusRoute, searchRoutes } from '@ridewatch/contract/bus-routes';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keyOf } from '../../api.ts';
import { call } from '../../request.ts';

const KEPT_MS = 60_000;
/** The largest page that the server gives. */
const PAGE = 5000;

/** The groups of all customers, by customer id, for administrators. */
export function useCustomerGroups(isAdmin: boolean): ReadonlyMap<number, readonly BusRoute[]> {
  const { data } = useQuery({
    queryKey: keyOf(searchRoutes, { query: { perPage: PAGE } }),
    queryFn: ({ signal }) => loadGroups(signal),
    enabled: isAdmin,
    staleTime: KEPT_MS,
  });
  // Kept between renders: a new map would draw every card anew at each key typed.
  return useMemo(() => byCustomer(data ?? []), [data]);
}

/** Every group that the user may see: one call, unless there are more than one page holds. */
export async function loadGroups(signal: AbortSignal): Promise<readonly BusRoute[]> {
  const groups: BusRoute[] = [];
  for (let page = 0; ; page += 1) {
    const query = { perPage: PAGE, page };
    const { items, total } = await call(searchRoutes, { query, signal });
    groups.push(...items);
    if (items.length === 0 || groups.length >= total) return groups;
  }
}

function byCustomer(groups: readonly BusRoute[]): ReadonlyMap<number, readonly BusRoute[]> {
  const map = new Map<number, BusRoute[]>();
  for (const group of groups) {
    const own = map.get(group.client_id);
    if (own) own.push(group);
    else map.set(group.client_id, [group]);
  }
  return map;
}
