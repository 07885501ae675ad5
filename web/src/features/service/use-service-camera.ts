import type { BusInfo, Camera } from '@ridewatch/contract/buses';
import { useMemo } from 'react';
import { camerasInOrder } from '../../buses/order.ts';
import { useBusStatus } from './use-bus-status.ts';

/**
 * The service cameras of a bus, and the one that is shown, as the bus last spoke of it.
 * @param named the camera's id in the address; the first camera when there is no such one
 */
export function useServiceCamera(info: BusInfo, named: string | undefined) {
  const cameras = useMemo(() => camerasInOrder(info).filter(({ live }) => live), [info]);
  const status = useBusStatus(info.id).data;
  const chosen = cameras.find(({ id }) => String(id) === named) ?? cameras[0];
  // What the bus has just said is newer than the page's head.
  const said = status?.cameras.find(({ camera_id }) => camera_id === chosen?.id);
  const camera: Camera | undefined =
    chosen && said ? { ...chosen, status: said.status, enabled: said.enabled } : chosen;
  return { cameras, camera, status };
}
