import type { PublicSettings } from '@ridewatch/contract/auth';
import {
  AttributionControl,
  type LngLatLike,
  MapLibreMap,
  type MapOptions,
  type MapSourceDataEvent,
  prewarm,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import workerAddress from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { createFleet, type Fleet } from './fleet.ts';
import {
  type Ground,
  groundStyle,
  type MapColours,
  paintGround,
  plainGround,
  readMapColours,
  tileGround,
} from './ground.ts';
import { decorateLines, drawLines, drawTail, paintLines, withLines } from './lines.ts';
import type { FleetBus, MapLine, MapLook, MapMark, MapPlace, MapVehicle } from './map-parts.ts';
import { createMarks } from './marks.ts';
import { labelsOf } from './route-labels.ts';
import { createVehicle } from './vehicle.ts';

setWorkerUrl(workerAddress);

/** Zoom without a view, and the closest zoom when fitting (spec section 9). */
const DEFAULT_ZOOM = 13;
const CLOSEST_FIT = 16;
const FIT_PADDING_PX = 100;
/** Limits the padding, which would leave no room on a small map. */
const MOST_PADDING_SHARE = 0.21;
/** The buttons of the zoom need it at the right edge. */
const ZOOM_ROOM_PX = 72;
const FLY_MS = 700;
/** A view that differs by less shows the same. */
const SAME_VIEW_PX = 0.5;
const SAME_VIEW_ZOOM = 0.001;

export interface SceneOptions {
  readonly container: HTMLElement;
  /** The source of the ground; undefined: the plain ground. */
  readonly settings:
    | Pick<PublicSettings, 'map_version' | 'tile_url' | 'tile_attribution'>
    | undefined;
  /** The lines and the view of the first frame. */
  readonly lines: readonly MapLine[];
  readonly look: Omit<MapLook, 'key'>;
  readonly names: { readonly title: string; readonly metres: string; readonly kilometres: string };
  readonly onPick: (id: string) => void;
  /** Vehicles of the fleet that lie at one place were pressed. */
  readonly onPickBuses: (ids: readonly number[]) => void;
  /** A movable mark was dragged to another place. */
  readonly onMove: (id: string, to: MapPlace) => void;
  /** The ground was clicked. */
  readonly onGround: (place: MapPlace) => void;
  /** The user moved the map. */
  readonly onGrab: () => void;
}

/** A map on the page. */
export interface Scene {
  setLines(lines: readonly MapLine[]): void;
  /** The line from the end of the track to the vehicle. */
  setTail(places: readonly MapPlace[]): void;
  setMarks(marks: readonly MapMark[], chosenId: string | undefined): void;
  setVehicle(vehicle: MapVehicle | null): void;
  /** Shows many vehicles, one of them chosen. */
  setFleet(buses: readonly FleetBus[], chosenId: number | undefined): void;
  follow(on: boolean): void;
  /** Fits the view to the places. */
  fit(places: readonly MapPlace[], isAnimated: boolean): void;
  flyTo(place: MapPlace, zoom: number, isAnimated: boolean): void;
  zoomBy(steps: 1 | -1): void;
  remove(): void;
}

/** Starts the workers that all maps share, so that the first one need not wait for them. They stay. */
export const prepareScenes = (): void => prewarm();

/**
 * Makes a map with lines and marks: on the map file if there is one, else on tiles, else on a plain ground.
 * @throws Error if the browser cannot draw it, or if its code does not load
 */
export async function createScene(options: SceneOptions): Promise<Scene> {
  const { container } = options;
  const ground = await loadGround(options);
  let colours = readMapColours(container);
  const map = createMap(options, ground, colours);
  map.on('dragstart', options.onGrab);
  map.on('click', ({ lngLat }) => {
    options.onGround({ latitude: lngLat.lat, longitude: lngLat.lng });
  });
  const tellDistance = () => container.toggleAttribute('data-far', map.getZoom() < DEFAULT_ZOOM);
  map.on('zoom', tellDistance);
  // Says that everything is drawn, for pictures of the page.
  let { lines } = options;
  let tail: readonly MapPlace[] = [];
  let isReady = false;
  let isDecorated = false;
  map.on('render', () => {
    container.removeAttribute('data-drawn');
    if (isDecorated || !isReady || !map.isSourceLoaded('main')) return;
    isDecorated = true;
    decorateLines(map, colours, lines, tail);
  });
  map.on('idle', () => container.toggleAttribute('data-drawn', isDecorated));
  tellDistance();
  const marks = createMarks(map, options.onPick, options.onMove);
  const vehicle = createVehicle(map);
  let fleet: Fleet | undefined;
  const theFleet = () => {
    fleet ??= createFleet(map, options.onPickBuses);
    return fleet;
  };
  map.once('style.load', () => {
    isReady = true;
    if (lines !== options.lines) drawLines(map, lines);
    if (tail.length > 0) drawTail(map, tail);
  });

  const repaint = () => {
    colours = readMapColours(container);
    fleet?.draw();
    if (!isReady) return;
    paintGround(map, ground, colours);
    paintLines(map, colours);
  };
  // The element may have just been resized; a flight that started with the old size would miss its target.
  const settleSize = () => {
    const { width, height } = map.getCanvas().getBoundingClientRect();
    if (width !== container.clientWidth || height !== container.clientHeight) map.resize();
  };
  const themes = new MutationObserver(repaint);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme', 'lang'] });

  return {
    setLines(next) {
      // A long line that is drawn already would be worked through again.
      if (isReady && next !== lines) drawLines(map, next);
      lines = next;
      const labels = labelsOf(lines);
      if (fleet || labels.length > 0) theFleet().setLabels(labels);
    },
    setTail(next) {
      const isSame = next.length === 0 && tail.length === 0;
      tail = next;
      if (isReady && !isSame) drawTail(map, tail);
    },
    setMarks: marks.set,
    setVehicle: vehicle.set,
    setFleet(buses, chosenId) {
      theFleet().set(buses, chosenId);
    },
    follow: vehicle.follow,
    fit(places, isAnimated) {
      const bounds = boundsOf(places);
      if (bounds === undefined) return;
      settleSize();
      if (!isAnimated && isFitted(map, bounds, container)) return;
      map.fitBounds(bounds, { ...fitOf(container), duration: isAnimated ? FLY_MS : 0 });
    },
    flyTo({ latitude, longitude }, zoom, isAnimated) {
      settleSize();
      map.easeTo({ center: [longitude, latitude], zoom, duration: isAnimated ? FLY_MS : 0 });
    },
    zoomBy(steps) {
      if (steps > 0) map.zoomIn();
      else map.zoomOut();
    },
    remove() {
      themes.disconnect();
      marks.remove();
      vehicle.remove();
      fleet?.remove();
      map.remove();
    },
  };
}

/** South-west and north-east corner of places; undefined without any. */
function boundsOf(places: readonly MapPlace[]): [LngLatLike, LngLatLike] | undefined {
  if (places.length === 0) return undefined;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { latitude, longitude } of places) {
    if (longitude < west) west = longitude;
    if (longitude > east) east = longitude;
    if (latitude < south) south = latitude;
    if (latitude > north) north = latitude;
  }
  return [
    [west, south],
    [east, north],
  ];
}

function fitOf({ clientWidth, clientHeight }: HTMLElement) {
  const most = Math.min(clientWidth, clientHeight) * MOST_PADDING_SHARE;
  const all = Math.round(Math.min(FIT_PADDING_PX, most));
  const padding = { top: all, bottom: all, left: all, right: Math.max(all, ZOOM_ROOM_PX) };
  return { padding, maxZoom: CLOSEST_FIT };
}

// A jump to the present view would draw it once more.
function isFitted(
  map: MapLibreMap,
  bounds: [LngLatLike, LngLatLike],
  container: HTMLElement,
): boolean {
  const wanted = map.cameraForBounds(bounds, fitOf(container));
  if (wanted?.center === undefined) return false;
  const { x, y } = map.project(wanted.center);
  const { x: atX, y: atY } = map.project(map.getCenter());
  const isThere = Math.hypot(x - atX, y - atY) < SAME_VIEW_PX;
  return isThere && Math.abs((wanted.zoom ?? 0) - map.getZoom()) < SAME_VIEW_ZOOM;
}

// The first frame has the view that is wanted: another one would load and draw tiles for nothing.
function firstView({ look, container }: SceneOptions): Partial<MapOptions> {
  const [first] = look.places;
  const bounds = look.zoom === undefined ? boundsOf(look.places) : undefined;
  if (bounds) return { bounds, fitBoundsOptions: fitOf(container) };
  const { latitude, longitude } = first ?? { latitude: 0, longitude: 0 };
  return { center: [longitude, latitude], zoom: look.zoom ?? DEFAULT_ZOOM };
}

async function loadGround({ settings }: SceneOptions): Promise<Ground> {
  if (!settings) return plainGround;
  const { map_version, tile_url, tile_attribution } = settings;
  if (map_version !== null) {
    const { streetGround } = await import('./streets.ts');
    return streetGround(map_version, tile_attribution);
  }
  return tile_url === null ? plainGround : tileGround(tile_url, tile_attribution);
}

// A map of the ground and the lines, which the user can move and zoom.
function createMap(options: SceneOptions, ground: Ground, colours: MapColours): MapLibreMap {
  const { container, names, lines } = options;
  const map = new MapLibreMap({
    container,
    style: withLines(groundStyle(ground, colours), colours, lines),
    ...firstView(options),
    attributionControl: false,
    // North stays up, so that the map does not turn or tilt.
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxPitch: 0,
    maxZoom: 19,
    fadeDuration: 0,
    locale: {
      'Map.Title': names.title,
      'ScaleControl.Meters': names.metres,
      'ScaleControl.Kilometers': names.kilometres,
    },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new ScaleControl({ maxWidth: 120, unit: 'metric' }), 'bottom-left');
  attributeWhenDrawn(map, ground);
  map.on('error', (event) => {
    // A missing tile leaves the plain ground; do not report it.
    if (!('sourceId' in event)) reportError(event.error);
  });
  return map;
}

// The plain ground, which stays when no tile comes, is nobody's work.
function attributeWhenDrawn(map: MapLibreMap, { attribution, sources }: Ground): void {
  if (!attribution) return;
  const named = new AttributionControl({ compact: false, customAttribution: attribution });
  const show = (event: MapSourceDataEvent) => {
    if (!(event.sourceId in sources) || event.tile === undefined) return;
    map.off('sourcedata', show);
    map.addControl(named, 'bottom-left');
  };
  map.on('sourcedata', show);
}
