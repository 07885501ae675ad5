import type { ReactNode, Ref } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import styles from './map.module.css';
import { MinusIcon, PlusIcon } from './map-icons.tsx';
import type { FleetBus, MapLine, MapLook, MapMark, MapPlace, MapVehicle } from './map-parts.ts';
import { useScene } from './use-scene.ts';

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

/** A map with lines and marks that fills its element; its code loads on first use. */
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
