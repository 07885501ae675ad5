import type { BusPageState } from '../../bus-page/use-bus-page.ts';
import { useMayEdit } from '../../core/session.ts';
import { useAddress } from '../../page/use-address.ts';
import type { RouteAddress } from './address.ts';
import { openParts } from './parts.ts';
import { readRouteDay } from './route-state.ts';
import { type ShownRoute, useRoute } from './use-route.ts';

/** The route, the part and the day that the address names. */
export function useShownRoute({ info, date, today }: BusPageState) {
  const mayEdit = useMayEdit();
  const { search, go, note } = useAddress<RouteAddress>();
  const { day, isOpen, fromFor } = readRouteDay(search.from, date, today);
  const named = Number(search.route ?? Number.NaN);
  const routeId = Number.isSafeInteger(named) && named > 0 ? named : info.group?.id;
  const answer = useRoute(routeId, day);
  const isUnknown = search.route !== undefined && answer.error?.status === 404;
  const route: ShownRoute | undefined =
    answer.data && routeId !== undefined
      ? { routeId, day, isOpen: isOpen && mayEdit, ...answer.data }
      : undefined;
  const details = route?.details ?? (isUnknown ? null : info.group);
  const { open, at } = openParts({ route: details, mayEdit }, search.part);
  return {
    search,
    go,
    note,
    routeId,
    details,
    route,
    answer,
    day,
    isOpen,
    fromFor,
    mayEdit,
    isUnknown,
    /** The available parts, and the shown one. */
    open,
    at,
  };
}
