import type { Route } from './route.ts';

export interface SimulatedCamera {
  readonly name: string;
  readonly stream_id: string;
  readonly live: boolean;
  readonly door: number | null;
}

/** A shift of a bus: local hours of its day; 24 is the end of the day. */
export interface Shift {
  readonly fromHour: number;
  readonly toHour: number;
}

/** One bus of the simulated fleet, as it is built and as it works. */
export interface SimulatedBus {
  readonly deviceId: string;
  readonly name: string;
  readonly description: string;
  readonly type: 'VMS' | 'COUNTER';
  /** What customers are named by. */
  readonly customer: string;
  /** The group it is in; a bus without one drives its route all the same. */
  readonly group: string | null;
  readonly route: Route;
  readonly timezone: string;
  readonly shifts: readonly Shift[];
  /** Doors with a counter. */
  readonly doors: readonly number[];
  readonly cameras: readonly SimulatedCamera[];
  readonly capacitySeated: number;
  readonly capacityStanding: number;
  /** How many people want to ride, 1 is usual. */
  readonly demand: number;
}
