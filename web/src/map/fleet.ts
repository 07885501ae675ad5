// Many vehicles on one canvas over the map: a thousand elements of the page that move each frame would stall it.
import type { MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import { clustersOf, type ScreenPoint } from './clusters.ts';
import { drawBus, drawLabels, drawNumber, RADIUS_PX, readColours } from './fleet-marks.ts';
import { isGlide, type Pose, poseBetween } from './glide.ts';
import type { FleetBus } from './map-parts.ts';
import type { RouteLabel } from './route-labels.ts';

/** Duration of the glide to the next place, ms: the interval of the places. */
const GLIDE_MS = 1_000;
/** A press within this distance of a vehicle picks it, px. */
const REACH_PX = 18;
/** Buses that stand so close to each other are one mark with their number, px. */
const CLUSTER_PX = 14;
/** The bus that needs most attention is drawn for all at one place; moving ones are drawn one by one. */
const RANK: Readonly<Record<FleetBus['state'], number>> = {
  silent: 0,
  standing: 1,
  off: 2,
  moving: 3,
};

/** The vehicles of one map. */
export interface Fleet {
  set(buses: readonly FleetBus[], chosenId: number | undefined): void;
  /** Names routes, below the vehicles. */
  setLabels(labels: readonly RouteLabel[]): void;
  /** Draws again, after a change of the theme. */
  draw(): void;
  remove(): void;
}

/** A drawn mark. */
interface Drawn extends ScreenPoint {
  readonly ids: readonly number[];
}

interface Moving {
  bus: FleetBus;
  from: Pose;
  target: Pose;
  startedMs: number;
}

/**
 * Makes the vehicles of a map. They glide and turn between places, unless the user prefers reduced motion.
 * @param onPick a mark was pressed; all vehicles at its place
 */
export function createFleet(map: MapLibreMap, onPick: (ids: readonly number[]) => void): Fleet {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const canvas = document.createElement('canvas');
  canvas.ariaHidden = 'true';
  Object.assign(canvas.style, { position: 'absolute', inset: '0', pointerEvents: 'none' });
  map.getCanvasContainer().append(canvas);
  const known = new Map<number, Moving>();
  let drawn: Drawn[] = [];
  let labels: readonly RouteLabel[] = [];
  let chosen: number | undefined;
  let frame = 0;

  const poseOf = ({ from, target, startedMs }: Moving, nowMs: number): Pose =>
    poseBetween(from, target, (nowMs - startedMs) / GLIDE_MS);
  const draw = () => {
    const nowMs = performance.now();
    const { clientWidth, clientHeight } = map.getContainer();
    const ratio = devicePixelRatio;
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
      Object.assign(canvas.style, { width: `${clientWidth}px`, height: `${clientHeight}px` });
    }
    const pen = canvas.getContext('2d');
    if (!pen) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, clientWidth, clientHeight);
    const colours = readColours(map.getContainer());
    drawLabels(
      pen,
      labels.map(({ name, place }) => ({
        name,
        ...map.project([place.longitude, place.latitude]),
      })),
      colours,
    );
    const seen = [...known.values()].flatMap(({ bus, ...way }) => {
      const { direction, longitude, latitude } = poseOf({ bus, ...way }, nowMs);
      const { x, y } = map.project([longitude, latitude]);
      const isOut = x < -9 || y < -9 || x > clientWidth + 9 || y > clientHeight + 9;
      return isOut ? [] : [{ bus, x, y, direction: bus.course === null ? 0 : direction }];
    });
    seen.sort((a, b) => RANK[a.bus.state] - RANK[b.bus.state]);
    const clusters = [
      ...clustersOf(
        seen.filter(({ bus }) => bus.state !== 'moving'),
        CLUSTER_PX,
      ),
      ...seen.filter(({ bus }) => bus.state === 'moving').map((one) => [one]),
    ];
    drawn = clusters.flatMap((cluster) => {
      const shown = cluster.find(({ bus }) => bus.id === chosen) ?? cluster[0];
      if (!shown) return [];
      const { x, y, bus, direction } = shown;
      drawBus(pen, { x, y }, bus, direction, { colours, isChosen: bus.id === chosen });
      if (cluster.length > 1) drawNumber(pen, { x, y }, cluster.length, colours);
      return [{ x, y, ids: cluster.map(({ bus: one }) => one.id) }];
    });
  };
  const tick = () => {
    frame = 0;
    draw();
    const nowMs = performance.now();
    for (const { from, target, startedMs } of known.values()) {
      if (from === target || nowMs - startedMs >= GLIDE_MS) continue;
      frame = requestAnimationFrame(tick);
      return;
    }
  };
  const drawSoon = () => {
    frame ||= requestAnimationFrame(tick);
  };
  // The vehicles of the nearest mark, and of those that lie on it.
  const idsAt = ({ point }: MapMouseEvent): readonly number[] => {
    const pxTo = (to: ScreenPoint) => (mark: Drawn) => Math.hypot(mark.x - to.x, mark.y - to.y);
    const pxToPress = pxTo(point);
    const within = drawn.filter((mark) => pxToPress(mark) <= REACH_PX);
    const [nearest] = within.sort((a, b) => pxToPress(a) - pxToPress(b));
    if (!nearest) return [];
    const pxToNearest = pxTo(nearest);
    return within.filter((mark) => pxToNearest(mark) <= RADIUS_PX).flatMap(({ ids }) => ids);
  };
  const press = (event: MapMouseEvent) => {
    const ids = idsAt(event);
    if (ids.length > 0) onPick(ids);
  };
  const point = (event: MapMouseEvent) => {
    map.getCanvas().style.cursor = idsAt(event).length === 0 ? '' : 'pointer';
  };
  map.on('move', draw);
  map.on('resize', draw);
  map.on('click', press);
  map.on('mousemove', point);

  return {
    set(buses, chosenId) {
      chosen = chosenId;
      const nowMs = performance.now();
      const ids = new Set(buses.map(({ id }) => id));
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
      for (const bus of buses) {
        const before = known.get(bus.id);
        const pose = before && poseOf(before, nowMs);
        const { latitude, longitude } = bus;
        const target = { latitude, longitude, direction: bus.course ?? pose?.direction ?? 0 };
        const glides = pose !== undefined && !calm.matches && isGlide(pose, target);
        known.set(bus.id, { bus, from: glides ? pose : target, target, startedMs: nowMs });
      }
      drawSoon();
    },
    setLabels(next) {
      labels = next;
      drawSoon();
    },
    draw: drawSoon,
    remove() {
      cancelAnimationFrame(frame);
      map.off('move', draw);
      map.off('resize', draw);
      map.off('click', press);
      map.off('mousemove', point);
      canvas.remove();
    },
  };
}
