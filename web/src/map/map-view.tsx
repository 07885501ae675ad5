import type { ReactNode, Ref } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import styles from './map.module.css';
import { MinusIcon, PlusIcon } from './map-icons.tsx';
import type { MapLine, MapMark, MapPlace, MapVehicle } from './map-parts.ts';
import { useScene } from './use-scene.ts';

/** What the map shows: all of the places, or with a zoom the first of them in its middle. */
export interface MapLook {
  /** The map goes there when this changes; what else changes leaves it where people moved it. */
  readonly key: string;
  readonly places: readonly MapPlace[];
  readonly zoom?: number | undefined;
}

export interface MapHandle {
  /** Shows, moves or takes away the vehicle; by hand, since it moves more often than a page is rendered. */
  setVehicle(vehicle: MapVehicle | null): void;
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
  /** The way behind the vehicle that is in no line yet. */
  tail?: readonly MapPlace[] | undefined;
  marks: readonly MapMark[];
  chosenId?: string | undefined;
  look: MapLook;
  /** The map moves along with the vehicle. */
  follows?: boolean;
  onPick: (id: string) => void;
  /** A movable mark was dragged to another place. */
  onMove?: ((id: string, to: MapPlace) => void) | undefined;
  /** A place of the ground is wanted: it is clicked with a cross for a pointer. */
  onGround?: ((place: MapPlace) => void) | undefined;
  /** A person moved the map. */
  onGrab?: () => void;
  /** What lies over it. */
  children?: ReactNode;
}

/** A map with lines and marks; it is loaded when it is first shown, and fills its place. */
export function MapView(props: MapViewProps) {
  const { names } = props;
  const { place, scene, canDraw, hasFailed, tryAgain } = useScene(props);
  return (
    <div className={styles.map} aria-busy={canDraw && !scene && !hasFailed}>
      <div ref={place} className={styles.place} data-asks={props.onGround ? true : undefined} />
      {!scene && (
        <div className={styles.waits} role="status">
          {!canDraw && names.mapUnable}
          {canDraw && !hasFailed && names.mapWaits}
          {canDraw && hasFailed && (
            <>
              <p>{names.mapFailed}</p>
              <Button onClick={tryAgain}>{names.retry}</Button>
            </>
          )}
        </div>
      )}
      {scene && (
        <div className={styles.zoom}>
          <IconButton label={names.zoomIn} onClick={() => scene.zoomBy(1)}>
            <PlusIcon />
          </IconButton>
          <IconButton label={names.zoomOut} onClick={() => scene.zoomBy(-1)}>
            <MinusIcon />
          </IconButton>
        </div>
      )}
      {props.children}
    </div>
  );
}
