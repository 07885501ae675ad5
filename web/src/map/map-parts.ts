import type { ReactNode, Ref } from 'react';

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
  /** The heavier one of two overlapping notes is shown. */
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

export interface MapHandle {
  /** Shows, moves or removes the vehicle; a method, because it moves more often than React renders. */
  setVehicle(vehicle: MapVehicle | null): void;
  /** Shows many vehicles, one of them chosen. */
  setFleet(buses: readonly FleetBus[], chosenId: number | undefined): void;
}

export interface MapViewProps {
  ref?: Ref<MapHandle>;
  names: Record<
    | 'map'
    | 'zoomIn'
    | 'zoomOut'
    | 'metres'
    | 'kilometres'
    | 'mapFailed'
    | 'mapUnable'
    | 'mapWaits'
    | 'retry',
    string
  >;
  lines: readonly MapLine[];
  /** The line from the end of the track to the vehicle. */
  tail?: readonly MapPlace[] | undefined;
  marks: readonly MapMark[];
  chosenId?: string | undefined;
  look: MapLook;
  /** The map follows the vehicle. */
  follows?: boolean;
  /** A mark was pressed. */
  onPick?: (id: string) => void;
  /** Vehicles of the fleet that lie at one place were pressed. */
  onPickBuses?: (ids: readonly number[]) => void;
  /** A movable mark was dragged to another place. */
  onMove?: ((id: string, to: MapPlace) => void) | undefined;
  /** Called with a clicked place of the ground; the pointer is a cross. */
  onGround?: ((place: MapPlace) => void) | undefined;
  /** The user moved the map. */
  onGrab?: () => void;
  /** Content over the map. */
  children?: ReactNode;
}
