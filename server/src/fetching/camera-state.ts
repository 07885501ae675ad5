import type { Camera } from '@ridewatch/contract/buses';

/**
 * A camera's state as users see it. A silent unit's cameras are offline and count as not in use; see docs/glossary.md.
 * @param speaks whether the bus's unit is not silent
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
