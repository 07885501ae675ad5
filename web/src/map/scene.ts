import type { PublicSettings } from '@ridewatch/contract/auth';
import {
  AttributionControl,
  LngLatBounds,
  MapLibreMap,
  type MapSourceDataEvent,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import workerAddress from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import {
  type Ground,
  groundStyle,
  type MapColours,
  paintGround,
  plainGround,
  readMapColours,
  tileGround,
} from './ground.ts';
import { addLineLayers, drawLines, drawTail, paintLines } from './lines.ts';
import type { MapLine, MapMark, MapPlace, MapVehicle } from './map-parts.ts';
import { createMarks } from './marks.ts';
import { createVehicle } from './vehicle.ts';

setWorkerUrl(workerAddress);

/** Zoom without a view, and the closest zoom when fitting (spec section 9). */
const DEFAULT_ZOOM = 13;
const CLOSEST_FIT = 16;
const FIT_PADDING_PX = 100;
/** Limits the padding, which would leave no room on a small map. */
const MOST_PADDING_SHARE = 0.21;
const FLY_MS = 700;

export interface SceneOptions {
  readonly container: HTMLElement;
  /** Where the ground comes from; undefined: the plain ground. */
  readonly settings:
    | Pick<PublicSettings, 'map_version' | 'tile_url' | 'tile_attribution'>
    | undefined;
  readonly start: MapPlace;
  readonly names: { readonly title: string; readonly metres: string; readonly kilometres: string };
  readonly onPick: (id: string) => void;
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
  follow(on: boolean): void;
  /** Fits the view to the places. */
  fit(places: readonly MapPlace[], isAnimated: boolean): void;
  flyTo(place: MapPlace, zoom: number, isAnimated: boolean): void;
  zoomBy(steps: 1 | -1): void;
  remove(): void;
}

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
  tellDistance();
  const marks = createMarks(map, options.onPick, options.onMove);
  const vehicle = createVehicle(map);
  let lines: readonly MapLine[] = [];
  let tail: readonly MapPlace[] = [];
  let isReady = false;
  map.once('style.load', () => {
    isReady = true;
    addLineLayers(map, colours);
    drawLines(map, lines);
    drawTail(map, tail);
  });

  const repaint = () => {
    colours = readMapColours(container);
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
      lines = next;
      if (isReady) drawLines(map, lines);
    },
    setTail(next) {
      tail = next;
      if (isReady) drawTail(map, tail);
    },
    setMarks: marks.set,
    setVehicle: vehicle.set,
    follow: vehicle.follow,
    fit(places, isAnimated) {
      const bounds = new LngLatBounds();
      for (const { latitude, longitude } of places) bounds.extend([longitude, latitude]);
      if (bounds.isEmpty()) return;
      settleSize();
      const { clientWidth, clientHeight } = container;
      const most = Math.min(clientWidth, clientHeight) * MOST_PADDING_SHARE;
      map.fitBounds(bounds, {
        padding: Math.round(Math.min(FIT_PADDING_PX, most)),
        maxZoom: CLOSEST_FIT,
        duration: isAnimated ? FLY_MS : 0,
      });
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
      map.remove();
    },
  };
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

// A map of the ground alone, which the user can move and zoom.
function createMap(
  { container, start, names }: SceneOptions,
  ground: Ground,
  colours: MapColours,
): MapLibreMap {
  const map = new MapLibreMap({
    container,
    style: groundStyle(ground, colours),
    center: [start.longitude, start.latitude],
    zoom: DEFAULT_ZOOM,
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
