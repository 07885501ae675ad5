import { listClientGroups, type RouteGroup } from '@ridewatch/contract/groups';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { keyOf } from '../../api.ts';
import type { CustomerBuses } from '../../buses/order.ts';
import { call } from '../../request.ts';

const KEPT_MS = 60_000;

/** The groups of the first customers of the buses, by customer id: one call a customer, for administrators. */
export function useCustomerGroups(
  sections: readonly CustomerBuses[],
  isAdmin: boolean,
): ReadonlyMap<number, readonly RouteGroup[]> {
  const ids = useMemo(() => (isAdmin ? firstCustomers(sections) : []), [sections, isAdmin]);
  // Kept between renders: a new map would draw every card anew at each key typed.
  const combine = useCallback(
    (answers: readonly { data: { items: readonly RouteGroup[] } | undefined }[]) =>
      new Map(
        answers.flatMap(({ data }, at) => {
          const id = ids[at];
          return id !== undefined && data ? [[id, data.items] as const] : [];
        }),
      ),
    [ids],
  );
  return useQueries({
    queries: ids.map((customerId) => ({
      queryKey: keyOf(listClientGroups, { params: { customerId } }),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(listClientGroups, { params: { customerId }, signal }),
      staleTime: KEPT_MS,
    })),
    combine,
  });
}

function firstCustomers(sections: readonly CustomerBuses[]): number[] {
  const buses = sections.flatMap(({ groups }) => groups.flatMap((group) => group.buses));
  return [...new Set(buses.flatMap((bus) => bus.clients.slice(0, 1)))];
}
