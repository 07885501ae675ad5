/** A place, degrees. */
export interface MapPlace {
  readonly latitude: number;
  readonly longitude: number;
}

/** Number of shades in a line; 0 is the weakest. */
export const SHADES = 5;

/** A stretch of a line in one colour: a shade from 0, or the colour of the line. */
export interface MapStretch {
  readonly places: readonly MapPlace[];
  readonly shade?: number | undefined;
}

export interface MapLine {
  readonly id: string;
  /** `main` is the shown line, `pinned` one to compare it with, `route` one of many below the vehicles of a fleet. */
  readonly role: 'main' | 'pinned' | 'route';
  /** The name of a route. */
  readonly name?: string;
  readonly stretches: readonly MapStretch[];
}

export type Tone = 'entered' | 'exited' | 'plain';

/** A selectable mark at a place. */
export interface MapMark extends MapPlace {
  readonly id: string;
  readonly shape: 'stop' | 'terminal' | 'missed' | 'pause';
  /** Accessible name. */
  readonly name: string;
  /** Notes beside the mark if there is room. */
  readonly notes: readonly { readonly text: string; readonly tone: Tone }[];
  /** Of two overlapping notes the heavier one is shown. */
  readonly weight: number;
  /** The mark can be dragged. */
  readonly isMovable?: boolean;
}

/** The vehicle on the map. */
export interface MapVehicle extends MapPlace {
  /** Degrees clockwise from north; null keeps the direction. */
  readonly direction: number | null;
  readonly name: string;
  /** `live` glides between places, `video` follows a video without gliding, `faded` has not reported for a while. */
  readonly kind: 'live' | 'video' | 'faded';
}

/** One of many vehicles on a map. */
export interface FleetBus extends MapPlace {
  readonly id: number;
  /** Degrees clockwise from north; null if unknown. */
  readonly course: number | null;
  readonly speed: number | null;
  readonly state: 'moving' | 'standing' | 'silent' | 'off';
}

/** The view of the map: all places, or with a zoom the first of them in the middle. */
export interface MapLook {
  /** The map moves when this changes; other changes leave it where the user moved it. */
  readonly key: string;
  readonly places: readonly MapPlace[];
  readonly zoom?: number | undefined;
}
