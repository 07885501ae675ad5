import type { Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { useMemo } from 'react';
import { useText } from '../../i18n/language.ts';
import type { MapLine, MapLook, MapMark, MapStretch } from '../../map/map-parts.ts';
import { MapView } from '../../map/map-view.tsx';
import { readPlace, roundPlace } from './place-text.ts';
import styles from './route-map.module.css';
import { useRouteText } from './use-route-text.ts';

interface MapStop extends Point {
  readonly id: number;
  readonly name: string;
  readonly routeDirection: 'FORWARD' | 'REVERSE';
  readonly orderKey: number;
  readonly terminal?: 'first' | 'last' | null;
}

interface RouteMapProps {
  className?: string | undefined;
  track: readonly Point[];
  /** Gaps of the track, which are dashed and named. */
  jumps?: RouteProposal['jumps'] | undefined;
  stops: readonly MapStop[];
  /** Identifies the route; the map moves when it changes. */
  viewKey: string;
  selectedId?: number | undefined;
  onSelect?: (id: number) => void;
  /** Called when a stop was dragged; without it stops do not move. */
  onMove?: ((id: number, point: Point) => void) | undefined;
  /** Called with a clicked place; without it clicks are ignored. */
  onPick?: ((point: Point) => void) | undefined;
  /** The place of a new stop, as typed or clicked. */
  picked?: string | undefined;
}

/** Zoom on a selected stop (spec section 9). */
const STOP_ZOOM = 15;
const PICKED = 'picked';
type Jump = RouteProposal['jumps'][number];
const NONE: RouteProposal['jumps'] = [];

/** A route on the map: its track, its stops by direction, and the place of a new stop. */
export function RouteMap(props: RouteMapProps) {
  const {
    className,
    track,
    stops,
    viewKey,
    selectedId,
    onMove,
    onPick,
    picked,
    jumps = NONE,
  } = props;
  const text = useRouteText();
  const common = useText().common;
  const lines = useMemo(
    (): MapLine[] => [
      { id: 'route', role: 'main', stretches: stretchesOf(track, jumps) },
      {
        id: 'jumps',
        role: 'pinned',
        stretches: jumps.map(({ from, to }) => ({ places: [from, to] })),
      },
    ],
    [track, jumps],
  );
  const place = onPick && picked !== undefined ? readPlace(picked) : undefined;
  const isMovable = onMove !== undefined;
  const { latitude, longitude } = place ?? {};
  const marks = useMemo((): MapMark[] => {
    const gaps = jumps.map((jump, index) => gapMark(jump, index, text.jump(jump.metres / 1000)));
    const all = [...stops.map((stop) => markOf(stop, isMovable)), ...gaps];
    if (latitude === undefined || longitude === undefined) return all;
    return [...all, pickedMark({ latitude, longitude }, text.newStop)];
  }, [stops, jumps, isMovable, latitude, longitude, text]);
  const selected = stops.find(({ id }) => id === selectedId);
  const look: MapLook = selected
    ? { key: `${viewKey}/${selected.id}`, places: [selected], zoom: STOP_ZOOM }
    : { key: viewKey, places: track.length > 1 ? track : stops };
  return (
    <section className={`${styles.frame} ${className ?? ''}`} aria-label={text.map}>
      <MapView
        names={{ ...text.mapNames, retry: common.retry }}
        lines={lines}
        marks={marks}
        chosenId={selectedId === undefined ? undefined : String(selectedId)}
        look={look}
        onPick={(id) => id !== PICKED && props.onSelect?.(Number(id))}
        onMove={(id, to) => {
          if (id === PICKED) onPick?.(roundPlace(to));
          else onMove?.(Number(id), roundPlace(to));
        }}
        onGround={onPick && ((at) => onPick(roundPlace(at)))}
      />
    </section>
  );
}

// The track without its jumps.
function stretchesOf(track: readonly Point[], jumps: RouteProposal['jumps']): MapStretch[] {
  const stretches: { places: Point[] }[] = [];
  for (const [index, point] of track.entries()) {
    const before = track[index - 1];
    const isJump = jumps.some(
      ({ from, to }) => before !== undefined && isSamePoint(before, from) && isSamePoint(point, to),
    );
    const stretch = stretches.at(-1);
    if (stretch === undefined || isJump) stretches.push({ places: [point] });
    else stretch.places.push(point);
  }
  return stretches;
}

const isSamePoint = (a: Point, b: Point): boolean =>
  a.latitude === b.latitude && a.longitude === b.longitude;

function gapMark({ from, to }: Jump, index: number, name: string): MapMark {
  const isAround = Math.abs(to.longitude - from.longitude) > 180;
  return {
    ...{ id: `jump-${index}`, shape: 'missed', name, notes: [{ text: name, tone: 'plain' }] },
    latitude: (from.latitude + to.latitude) / 2,
    // Across the antimeridian the middle would be on the other side of the earth.
    longitude: isAround ? from.longitude : (from.longitude + to.longitude) / 2,
    weight: 2,
  };
}

function markOf(stop: MapStop, isMovable: boolean): MapMark {
  const isForward = stop.routeDirection === 'FORWARD';
  return {
    id: String(stop.id),
    latitude: stop.latitude,
    longitude: stop.longitude,
    shape: stop.terminal ? 'terminal' : 'stop',
    name: `${isForward ? '→' : '←'} ${stop.orderKey + 1}. ${stop.name}`,
    notes: [{ text: `${isForward ? '→' : '←'} ${stop.orderKey + 1}`, tone: 'plain' }],
    weight: stop.terminal ? 1 : 0,
    isMovable,
  };
}

function pickedMark(place: Point, name: string): MapMark {
  const notes = [{ text: name, tone: 'plain' }] as const;
  return { ...place, id: PICKED, shape: 'stop', name, notes, weight: 2, isMovable: true };
}
