import { Button, IconButton } from '../ui/button.tsx';
import styles from './map.module.css';
import { MinusIcon, PlusIcon } from './map-icons.tsx';
import type { MapViewProps } from './map-parts.ts';
import { useScene } from './use-scene.ts';

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
        <div className={styles.zoom} data-over-map>
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
