import type {
  ExpressionSpecification,
  FilterSpecification,
  GeoJSONSource,
  LineLayerSpecification,
  MapLibreMap,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import type { MapColours } from './ground.ts';
import { type MapLine, type MapPlace, SHADES } from './map-parts.ts';

const MAIN = 'main';
const CASING = 'casing';
const ARROW = 'arrow';
const ARROW_PX = 36;
const NONE = -1;

/**
 * Adds lines to the style of a map, whose first frame then has them. Their layers lie below the names of streets, which
 * would be cut. A long line is there earlier without what `decorateLines` adds.
 */
export function withLines(
  { sources, layers, ...style }: StyleSpecification,
  colours: MapColours,
  lines: readonly MapLine[],
): StyleSpecification {
  const drawn = Object.entries(dataOf(lines)).filter(
    // Each source without lines costs a frame of its own.
    ([id, { features }]) => id === MAIN || features.length > 0,
  );
  const names = layers.findIndex(({ type }) => type === 'symbol');
  const under = names < 0 ? layers.length : names;
  const ways = lineLayers(colours)
    .filter(({ source }) => drawn.some(([id]) => id === source))
    .map((layer) =>
      layer.id === CASING ? { ...layer, paint: { ...layer.paint, 'line-opacity': 0 } } : layer,
    );
  return {
    ...style,
    sources: {
      ...sources,
      ...Object.fromEntries(drawn.map(([id, data]) => [id, { type: 'geojson', data }] as const)),
    },
    layers: [...layers.slice(0, under), ...ways, ...layers.slice(under)],
  };
}

/**
 * Adds to a map that has drawn its first lines: the casing below them, the arrows above everything, and the lines that
 * came meanwhile.
 */
export function decorateLines(
  map: MapLibreMap,
  colours: MapColours,
  lines: readonly MapLine[],
  tail: readonly MapPlace[],
): void {
  for (const [id, data] of Object.entries({ ...dataOf(lines), tail: tailOf(tail) })) {
    if (!map.getSource(id)) map.addSource(id, { type: 'geojson', data });
  }
  const order = map.getLayersOrder();
  let above = order[order.indexOf(MAIN) + 1];
  for (const layer of lineLayers(colours).toReversed()) {
    if (!map.getLayer(layer.id)) map.addLayer(layer, above);
    above = layer.id;
  }
  map.setPaintProperty(CASING, 'line-opacity', 1);
  map.addImage(ARROW, arrowImage(colours), { pixelRatio: 2 });
  map.addLayer(arrowLayer);
}

/** Sets the colours of a theme. */
export function paintLines(map: MapLibreMap, colours: MapColours): void {
  for (const { id, paint } of lineLayers(colours)) {
    const colour = paint?.['line-color'];
    if (colour !== undefined && map.getLayer(id)) map.setPaintProperty(id, 'line-color', colour);
  }
  if (map.hasImage(ARROW)) map.updateImage(ARROW, arrowImage(colours));
}

function lineLayers(colours: MapColours): LineLayerSpecification[] {
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  // Layers of one source, filter and layout share what the worker makes of the line.
  const coloured = { source: MAIN, filter: isNot('way'), layout: round };
  return [
    {
      id: 'routes',
      type: 'line',
      source: 'routes',
      layout: round,
      paint: { 'line-color': colours.main, 'line-width': 2.5, 'line-opacity': 0.5 },
    },
    {
      id: CASING,
      type: 'line',
      ...coloured,
      paint: { 'line-color': colours.casing, 'line-width': 9 },
    },
    {
      id: 'tail',
      type: 'line',
      source: 'tail',
      layout: round,
      paint: { 'line-color': colours.main, 'line-width': 6 },
    },
    {
      id: MAIN,
      type: 'line',
      ...coloured,
      paint: { 'line-color': shadeColour(colours), 'line-width': 6 },
    },
    // Above the main track, so that both are visible where they coincide.
    {
      id: 'pinned',
      type: 'line',
      source: 'pinned',
      layout: round,
      paint: { 'line-color': colours.pinned, 'line-width': 3, 'line-dasharray': [0.1, 2.2] },
    },
  ];
}

/** Draws the line behind the vehicle. It has a source of its own, because it changes more often than the others. */
export function drawTail(map: MapLibreMap, places: readonly MapPlace[]): void {
  map.getSource<GeoJSONSource>('tail')?.setData(tailOf(places));
}

function tailOf(places: readonly MapPlace[]) {
  return collection([{ id: '', role: 'main', stretches: places.length > 1 ? [{ places }] : [] }]);
}

/** Replaces the drawn lines. */
export function drawLines(map: MapLibreMap, lines: readonly MapLine[]): void {
  for (const [source, data] of Object.entries(dataOf(lines))) {
    map.getSource<GeoJSONSource>(source)?.setData(data);
  }
}

/** The data of the sources, by their names. */
function dataOf(lines: readonly MapLine[]) {
  const of = (wanted: MapLine['role']) => lines.filter(({ role }) => role === wanted);
  return {
    routes: collection(of('route')),
    pinned: collection(of('pinned').map(joined)),
    main: partsOf(of('main')),
  };
}

// A line of one stretch is its own way: a copy would double the work for a long track.
function partsOf(lines: readonly MapLine[]) {
  const isWhole = ({ stretches }: MapLine) => stretches.length === 1;
  const parted = lines.filter((line) => !isWhole(line));
  return {
    type: 'FeatureCollection' as const,
    features: [
      ...collection(lines.filter(isWhole)).features,
      ...collection(parted, 'stretch').features,
      ...collection(parted.map(joined), 'way').features,
    ],
  };
}

// Joins the stretches: arrows keep their distance along the whole line.
function joined(line: MapLine): MapLine {
  return { ...line, stretches: [{ places: line.stretches.flatMap(({ places }) => places) }] };
}

/** A piece of a line in one colour, or all pieces joined; a line that is drawn whole is neither. */
type Part = 'stretch' | 'way';

const isNot = (part: Part): FilterSpecification => ['!=', ['get', 'part'], part];

const arrowLayer: SymbolLayerSpecification = {
  id: 'arrows',
  type: 'symbol',
  source: MAIN,
  filter: isNot('stretch'),
  layout: {
    'symbol-placement': 'line',
    'symbol-spacing': 110,
    'icon-image': ARROW,
    'icon-rotation-alignment': 'map',
    // Overlapping arrows are hidden, so a street with many passes shows one arrow for each direction.
    'icon-padding': 1,
  },
};

function shadeColour(colours: MapColours): ExpressionSpecification {
  const shades = Array.from({ length: SHADES }, (_, shade) => [
    shade,
    colours.shades[shade] ?? colours.main,
  ]).flat();
  // The type of expressions cannot have a variable number of pairs.
  return ['match', ['get', 'shade'], ...shades, colours.main] as unknown as ExpressionSpecification;
}

function collection(lines: readonly MapLine[], part?: Part) {
  return {
    type: 'FeatureCollection' as const,
    features: lines.flatMap((line) =>
      line.stretches.map(({ places, shade }) => ({
        type: 'Feature' as const,
        properties: { shade: shade ?? NONE, part: part ?? null },
        geometry: {
          type: 'LineString' as const,
          coordinates: places.map(({ latitude, longitude }) => [longitude, latitude]),
        },
      })),
    ),
  };
}

// An arrowhead wider than the line, so that it is visible on all its colours.
function arrowImage(colours: MapColours): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = ARROW_PX;
  canvas.height = ARROW_PX;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser has no 2D canvas context');
  context.lineWidth = 5;
  context.lineJoin = 'round';
  context.beginPath();
  context.moveTo(8, 5);
  context.lineTo(30, 18);
  context.lineTo(8, 31);
  context.lineTo(14, 18);
  context.closePath();
  context.strokeStyle = colours.casing;
  context.stroke();
  context.fillStyle = colours.arrow;
  context.fill();
  return context.getImageData(0, 0, ARROW_PX, ARROW_PX);
}
