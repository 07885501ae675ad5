import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import type { LineName } from './routes/lines.ts';

export interface SimulatedCamera {
  name: string;
  streamId: string;
  /** A service camera of the cabin. */
  live: boolean;
  door: number | null;
  /** It has been broken for as long as the fleet runs. */
  isBroken?: boolean;
}

/** A bus of the simulated fleet: its equipment, line and timetable. */
export interface SimulatedBus {
  deviceId: string;
  name: string;
  description: string;
  type: 'VMS' | 'COUNTER';
  /** IANA zone of its local day. */
  zone: string;
  line: LineName;
  /** The name of its route; null for none. */
  group: string | null;
  /** First and last departure, minutes of the local day; a bus that runs round the clock also drives past midnight. */
  departures: { firstMin: number; lastMin: number } | 'round the clock';
  /** Period without departures, minutes of the local day, for buses that run in the rush hours. */
  pause?: { fromMin: number; toMin: number };
  /** Demand as a share of the line's usual one. */
  demand: number;
  doors: 1 | 2 | 3;
  seats: number;
  standing: number;
  cameras: readonly SimulatedCamera[];
  /** Protocol of its unit instead of the unit interface, and its id there. Such a bus carries no children. */
  protocol?: { name: UnitProtocol; id: string };
  /** In the demo its unit has just broken down. */
  breaksDown?: boolean;
}
