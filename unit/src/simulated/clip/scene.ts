/** One head that crosses the sill. */
export interface Crossing {
  atMs: number;
  direction: 'entered' | 'exited';
  passenger: 'adult' | 'child';
}

/** The scene of a door camera at one stop, from above. Times are ms since 1970 UTC. */
export interface DoorScene {
  busName: string;
  door: number;
  /** IANA zone of the burnt-in clock. */
  zone: string;
  /** The fragment is [startMs, endMs), and the clip has its length. */
  startMs: number;
  endMs: number;
  doorOpenMs: number;
  doorCloseMs: number;
  /** Crossings of the sill, inside [doorOpenMs, doorCloseMs]. */
  crossings: readonly Crossing[];
  seed: number;
}

/** The scene of a service camera. Times are ms since 1970 UTC. */
export interface CabinScene {
  busName: string;
  camera: string;
  zone: string;
  startMs: number;
  endMs: number;
  onBoard: number;
  seed: number;
}
