/** A place on the ground, degrees. */
export interface MapPlace {
  readonly latitude: number;
  readonly longitude: number;
}

/** Shades that the parts of a line can have, weakest first. */
export const SHADES = 5;

/** A stretch of a line in one colour: a shade from 0 on, or that of the whole line. */
export interface MapStretch {
  readonly places: readonly MapPlace[];
  readonly shade?: number | undefined;
}

export interface MapLine {
  readonly id: string;
  /** The one that is looked at, or one to compare it with. */
  readonly role: 'main' | 'pinned';
  readonly stretches: readonly MapStretch[];
}

export type Tone = 'entered' | 'exited' | 'plain';

/** Something at a place that can be chosen. */
export interface MapMark extends MapPlace {
  readonly id: string;
  readonly shape: 'stop' | 'terminal' | 'missed' | 'pause';
  /** Accessible name. */
  readonly name: string;
  /** What stands beside it while there is room. */
  readonly notes: readonly { readonly text: string; readonly tone: Tone }[];
  /** Of two notes in one place the heavier one is shown. */
  readonly weight: number;
  /** It can be dragged to another place. */
  readonly isMovable?: boolean;
}

/** What moves on the map. */
export interface MapVehicle extends MapPlace {
  /** Degrees clockwise from north; null: as before. */
  readonly direction: number | null;
  readonly name: string;
  /** `live` glides from place to place, `film` follows a video, `faded` has not spoken for a while. */
  readonly kind: 'live' | 'video' | 'faded';
}
