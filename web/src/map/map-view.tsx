import { publicSettings } from '@ridewatch/contract/auth';
import {
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useEndpoint } from '../api.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { canDrawMaps } from './can-draw.ts';
import styles from './map.module.css';
import { MinusIcon, PlusIcon } from './map-icons.tsx';
import type { MapLine, MapMark, MapPlace, MapVehicle } from './map-parts.ts';
import type { Scene } from './scene.ts';

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

interface MapViewProps {
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

const NO_TAIL: readonly MapPlace[] = [];

/** A map with lines and marks; it is loaded when it is first shown, and fills its place. */
export function MapView(props: MapViewProps) {
  const { names, lines, marks, chosenId, look, tail = NO_TAIL, follows = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const vehicle = useRef<MapVehicle | null>(null);
  const [scene, setScene] = useState<Scene | null>(null);
  const [canDraw] = useState(canDrawMaps);
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const settings = useEndpoint(publicSettings, {}, { handled: true, staleTime: Infinity });
  const isSettled = !settings.isPending;

  useImperativeHandle(props.ref, () => ({
    setVehicle(next) {
      vehicle.current = next;
      scene?.setVehicle(next);
    },
  }));
  const pick = useEffectEvent(props.onPick);
  const move = useEffectEvent((id: string, to: MapPlace) => props.onMove?.(id, to));
  const ground = useEffectEvent((at: MapPlace) => props.onGround?.(at));
  const grab = useEffectEvent(() => props.onGrab?.());
  const make = useEffectEvent(async (isWanted: () => boolean) => {
    const { createScene } = await import('./scene.ts');
    if (!place.current || !isWanted()) return undefined;
    const tiles = settings.data?.tile_url;
    return createScene({
      container: place.current,
      tiles: tiles ? { address: tiles, attribution: settings.data?.tile_attribution ?? '' } : null,
      start: look.places[0] ?? { latitude: 0, longitude: 0 },
      names: { title: names.map, metres: names.metres, kilometres: names.kilometres },
      onPick: (id) => pick(id),
      onMove: (id, to) => move(id, to),
      onGround: (at) => ground(at),
      onGrab: () => grab(),
    });
  });
  useEffect(() => {
    if (!isSettled || !canDraw) return;
    let isWanted = true;
    let made: Scene | undefined;
    make(() => isWanted && attempt >= 0).then(
      (next) => {
        made = next;
        if (next) setScene(next);
      },
      (error: unknown) => {
        // The file did not come: the rest of the page goes on without a map.
        reportError(error);
        setFailed(true);
      },
    );
    return () => {
      isWanted = false;
      made?.remove();
      setScene(null);
    };
  }, [isSettled, canDraw, attempt]);

  useEffect(() => scene?.setLines(lines), [scene, lines]);
  useEffect(() => scene?.setTail(tail), [scene, tail]);
  useEffect(() => scene?.setMarks(marks, chosenId), [scene, marks, chosenId]);
  useEffect(() => scene?.setVehicle(vehicle.current), [scene]);
  useEffect(() => scene?.follow(follows), [scene, follows]);
  const lookedAt = useRef<Scene>(undefined);
  const goThere = useEffectEvent((on: Scene, _key: string) => {
    const isFirst = lookedAt.current !== on;
    lookedAt.current = on;
    const [first] = look.places;
    if (look.zoom !== undefined && first) on.flyTo(first, look.zoom, !isFirst);
    else on.fit(look.places, !isFirst);
  });
  useEffect(() => {
    if (scene) goThere(scene, look.key);
  }, [scene, look.key]);

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
              <Button
                onClick={() => {
                  setFailed(false);
                  setAttempt(attempt + 1);
                }}
              >
                {names.retry}
              </Button>
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
