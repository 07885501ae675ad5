import type { Camera } from '@ridewatch/contract/buses';

/**
 * How a camera is, for whoever looks. A silent unit's cameras are offline and count as not in use; see docs/glossary.md.
 * @param speaks whether the bus's unit was heard lately
 */
export function cameraStateOf(
  { enabled, status }: { enabled: boolean; status: string | null },
  speaks: boolean,
): Pick<Camera, 'enabled' | 'status'> {
  return {
    enabled: speaks && enabled && status !== 'offline',
    status: speaks && status === 'online' ? 'online' : 'offline',
  };
}
