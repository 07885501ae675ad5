import { listAdminBuses } from '@ridewatch/contract/admin-buses';
import { call, type InputOf } from '../../calls/request.ts';
import type { Values } from './form-values.ts';

/**
 * Proposes a bus where there is no choice.
 * @param query which buses may be chosen
 * @returns the bus as a form has it; nothing if there are several, or none
 */
export function onlyBus(query: InputOf<typeof listAdminBuses>['query'] = {}) {
  return async (signal: AbortSignal): Promise<Values> => {
    const { items, total } = await call(listAdminBuses, {
      query: { ...query, perPage: 1 },
      signal,
      isQuiet: () => true,
    });
    return total === 1 && items[0] ? { bus_id: `${items[0].id}` } : {};
  };
}
