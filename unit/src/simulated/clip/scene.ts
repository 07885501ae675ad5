/** One head over the sill: when, which way, and of what size of passenger. */
export interface Crossing {
  atMs: number;
  direction: 'entered' | 'exited';
  passenger: 'adult' | 'child';
}

/** What a door camera sees from above: one stop at one door. Times are epoch milliseconds. */
export interface DoorScene {
  busName: string;
  door: number;
  /** IANA zone of the burnt-in clock. */
  zone: string;
  /** The fragment is [startMs, endMs); the clip lasts exactly that long. */
  startMs: number;
  endMs: number;
  doorOpenMs: number;
  doorCloseMs: number;
  /** The moments at which heads cross the sill, inside [doorOpenMs, doorCloseMs]. */
  crossings: readonly Crossing[];
  seed: number;
}

/** What a service camera of the cabin sees. Times are epoch milliseconds. */
export interface CabinScene {
  busName: string;
  camera: string;
  zone: string;
  startMs: number;
  endMs: number;
  onBoard: number;
  seed: number;
}
