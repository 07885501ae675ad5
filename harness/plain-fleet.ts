import type { FleetPlan } from '@ridewatch/contract/fleet';
import { ZONE } from './zone.ts';

/** Plans a customer with buses and no routes; the `cameras` of each bus look at the doors 1, 2, … */
export function plainFleet({ buses, cameras }: { buses: number; cameras: number }): FleetPlan {
  return {
    customers: [
      {
        name: 'Иван',
        surname: 'Петров',
        groups: [],
        buses: Array.from({ length: buses }, (_, index) => ({
          name: `Автобус ${index + 1}`,
          type: 'VMS' as const,
          timezone: ZONE,
          gps_trackable: true,
          group: null,
          device_id: `unit-${index + 1}`,
          cameras: Array.from({ length: cameras }, (_, camera) => ({
            name: `Дверь ${camera + 1}`,
            stream_id: `door${camera + 1}`,
            live: false,
            door: camera + 1,
          })),
        })),
      },
    ],
  };
}
