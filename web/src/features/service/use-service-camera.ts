import type { BusInfo, Camera } from '@ridewatch/contract/buses';
import { useMemo } from 'react';
import { camerasInOrder } from '../../buses/order.ts';
import { useBusStatus } from './use-bus-status.ts';

/**
 * The service cameras of a bus, and the shown one with its newest state.
 * @param named id in the address; if there is no such camera, the first one is shown
 */
export function useServiceCamera(info: BusInfo, named: string | undefined) {
  const cameras = useMemo(() => camerasInOrder(info).filter(({ live }) => live), [info]);
  const answer = useBusStatus(info.id, info.last_own_day === null);
  const status = answer.data;
  const chosen = cameras.find(({ id }) => String(id) === named) ?? cameras[0];
  // The status is newer than the bus of the page.
  const said = status?.cameras.find(({ camera_id }) => camera_id === chosen?.id);
  const camera: Camera | undefined =
    chosen && said ? { ...chosen, status: said.status, enabled: said.enabled } : chosen;
  return { cameras, camera, status, statusAnswer: answer };
}
