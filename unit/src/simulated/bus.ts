import type { LineName } from './routes/lines.ts';

export interface SimulatedCamera {
  name: string;
  streamId: string;
  /** A service camera of the cabin. */
  live: boolean;
  door: number | null;
}

/** One bus of the simulated fleet: what it is, where and when it drives. */
export interface SimulatedBus {
  deviceId: string;
  name: string;
  description: string;
  type: 'VMS' | 'COUNTER';
  /** IANA zone of its local day. */
  zone: string;
  line: LineName;
  /** The route that it belongs to; null for a bus without one. */
  group: string | null;
  /** First and last departure, minutes of the local day; a bus that runs round the clock goes on past midnight. */
  departures: { firstMin: number; lastMin: number } | 'round the clock';
  /** Middle of the day without departures, minutes; for buses that run in the rush hours. */
  pause?: { fromMin: number; toMin: number };
  /** Share of its line's usual demand. */
  demand: number;
  doors: 1 | 2 | 3;
  seats: number;
  standing: number;
  cameras: readonly SimulatedCamera[];
}
