// Many vehicles on one canvas over the map: a thousand elements of the page that move each frame would stall it.
import type { MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import { isGlide, type Pose, poseBetween } from './glide.ts';
import type { FleetBus } from './map-parts.ts';

/** Duration of the glide to the next place, ms: the interval of the places. */
const GLIDE_MS = 1_000;
/** A press within this distance of a vehicle picks it, px. */
const REACH_PX = 18;
const RADIUS_PX = 7;

/** The vehicles of one map. */
export interface Fleet {
  set(buses: readonly FleetBus[], chosenId: number | undefined): void;
  /** Draws again, after a change of the theme. */
  draw(): void;
  remove(): void;
}

interface Moving {
  bus: FleetBus;
  from: Pose;
  target: Pose;
  startedMs: number;
}

/**
 * Makes the vehicles of a map. They glide and turn between places, unless the user prefers reduced motion.
 * @param onPick a vehicle was pressed
 */
export function createFleet(map: MapLibreMap, onPick: (id: number) => void): Fleet {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const canvas = document.createElement('canvas');
  canvas.ariaHidden = 'true';
  Object.assign(canvas.style, { position: 'absolute', inset: '0', pointerEvents: 'none' });
  map.getCanvasContainer().append(canvas);
  const known = new Map<number, Moving>();
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
    for (const moving of known.values()) {
      const pose = poseOf(moving, nowMs);
      const { x, y } = map.project([pose.longitude, pose.latitude]);
      if (x < -RADIUS_PX || y < -RADIUS_PX || x > clientWidth + 9 || y > clientHeight + 9) continue;
      const isTurned = moving.bus.course !== null;
      drawBus(pen, { x, y }, moving.bus, isTurned ? pose.direction : 0, {
        colours,
        isChosen: moving.bus.id === chosen,
      });
    }
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
  const nearest = ({ point }: MapMouseEvent): number | undefined => {
    const nowMs = performance.now();
    let best: { id: number; px: number } | undefined;
    for (const [id, moving] of known) {
      const pose = poseOf(moving, nowMs);
      const { x, y } = map.project([pose.longitude, pose.latitude]);
      const px = Math.hypot(x - point.x, y - point.y);
      if (px <= REACH_PX && px < (best?.px ?? Number.POSITIVE_INFINITY)) best = { id, px };
    }
    return best?.id;
  };
  const press = (event: MapMouseEvent) => {
    const id = nearest(event);
    if (id !== undefined) onPick(id);
  };
  const point = (event: MapMouseEvent) => {
    map.getCanvas().style.cursor = nearest(event) === undefined ? '' : 'pointer';
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

type Colours = ReturnType<typeof readColours>;

function readColours(element: Element) {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(`--rw-${name}`).trim();
  return {
    moving: of('text'),
    standing: of('text-second'),
    silent: of('error'),
    ground: of('surface'),
    chosen: of('accent'),
  };
}

function drawBus(
  pen: CanvasRenderingContext2D,
  { x, y }: { x: number; y: number },
  { state }: FleetBus,
  direction: number,
  { colours, isChosen }: { colours: Colours; isChosen: boolean },
): void {
  pen.save();
  pen.translate(x, y);
  pen.lineWidth = 2;
  pen.strokeStyle = colours.ground;
  if (isChosen) {
    pen.beginPath();
    pen.arc(0, 0, RADIUS_PX * 2, 0, 2 * Math.PI);
    pen.fillStyle = colours.ground;
    pen.fill();
    pen.strokeStyle = colours.chosen;
    pen.stroke();
  }
  pen.fillStyle = isChosen ? colours.chosen : colours[state];
  if (state === 'moving') drawArrow(pen, direction);
  else drawDisc(pen, state, colours);
  pen.restore();
}

function drawArrow(pen: CanvasRenderingContext2D, direction: number): void {
  pen.rotate((direction * Math.PI) / 180);
  pen.beginPath();
  pen.moveTo(0, -9);
  pen.lineTo(6, 7);
  pen.lineTo(0, 3.5);
  pen.lineTo(-6, 7);
  pen.closePath();
  pen.stroke();
  pen.fill();
}

// A pause for a standing bus, a cross for a silent one: colour alone would not say it.
function drawDisc(
  pen: CanvasRenderingContext2D,
  state: 'standing' | 'silent',
  colours: Colours,
): void {
  pen.beginPath();
  pen.arc(0, 0, RADIUS_PX, 0, 2 * Math.PI);
  pen.stroke();
  pen.fill();
  pen.strokeStyle = colours.ground;
  pen.beginPath();
  const lines =
    state === 'standing'
      ? [-2, -3, -2, 3, 2, -3, 2, 3]
      : [-2.5, -2.5, 2.5, 2.5, 2.5, -2.5, -2.5, 2.5];
  for (let at = 0; at < lines.length; at += 4) {
    pen.moveTo(lines[at] ?? 0, lines[at + 1] ?? 0);
    pen.lineTo(lines[at + 2] ?? 0, lines[at + 3] ?? 0);
  }
  pen.stroke();
}
