import type {
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  MapLibreMap,
} from 'maplibre-gl';
import type { MapColours } from './ground.ts';
import { type MapLine, type MapPlace, SHADES } from './map-parts.ts';

const ARROW = 'arrow';
const ARROW_PX = 36;
const NONE = -1;

/** Adds the layers of the lines, bottom first: below the names of streets, which would be cut. */
export function addLineLayers(map: MapLibreMap, colours: MapColours): void {
  map.addImage(ARROW, arrowImage(colours), { pixelRatio: 2 });
  for (const source of ['pinned', 'way', 'main', 'tail']) {
    map.addSource(source, { type: 'geojson', data: collection([]) });
  }
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const layers: LayerSpecification[] = [
    {
      id: 'casing',
      type: 'line',
      source: 'way',
      layout: round,
      paint: { 'line-width': 9 },
    },
    { id: 'tail', type: 'line', source: 'tail', layout: round, paint: { 'line-width': 6 } },
    { id: 'main', type: 'line', source: 'main', layout: round, paint: { 'line-width': 6 } },
    // Above the main track, so that both are visible where they coincide.
    {
      id: 'pinned',
      type: 'line',
      source: 'pinned',
      layout: round,
      paint: { 'line-width': 3, 'line-dasharray': [0.1, 2.2] },
    },
    {
      id: 'arrows',
      type: 'symbol',
      source: 'way',
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 110,
        'icon-image': ARROW,
        'icon-rotation-alignment': 'map',
        // Overlapping arrows are hidden, so a street with many passes shows one arrow for each direction.
        'icon-padding': 1,
      },
    },
  ];
  const names = map.getLayersOrder().find((id) => map.getLayer(id)?.type === 'symbol');
  for (const layer of layers) map.addLayer(layer, layer.type === 'line' ? names : undefined);
  paintLines(map, colours);
}

/** Sets the colours of a theme. */
export function paintLines(map: MapLibreMap, colours: MapColours): void {
  map.setPaintProperty('pinned', 'line-color', colours.pinned);
  map.setPaintProperty('casing', 'line-color', colours.casing);
  map.setPaintProperty('main', 'line-color', shadeColour(colours));
  map.setPaintProperty('tail', 'line-color', colours.main);
  map.updateImage(ARROW, arrowImage(colours));
}

/** Draws the line behind the vehicle. It has a source of its own, because it changes more often than the others. */
export function drawTail(map: MapLibreMap, places: readonly MapPlace[]): void {
  const stretches = places.length > 1 ? [{ places }] : [];
  map.getSource<GeoJSONSource>('tail')?.setData(collection([{ id: '', role: 'main', stretches }]));
}

/** Replaces the drawn lines. */
export function drawLines(map: MapLibreMap, lines: readonly MapLine[]): void {
  const draw = (source: string, drawn: readonly MapLine[]) =>
    map.getSource<GeoJSONSource>(source)?.setData(collection(drawn));
  const main = lines.filter(({ role }) => role === 'main');
  draw('pinned', lines.filter(({ role }) => role === 'pinned').map(joined));
  draw('way', main.map(joined));
  draw('main', main);
}

// Joins the stretches: arrows keep their distance along the whole line.
function joined(line: MapLine): MapLine {
  return { ...line, stretches: [{ places: line.stretches.flatMap(({ places }) => places) }] };
}

function shadeColour(colours: MapColours): ExpressionSpecification {
  const shades = Array.from({ length: SHADES }, (_, shade) => [
    shade,
    colours.shades[shade] ?? colours.main,
  ]).flat();
  // The type of expressions cannot have a variable number of pairs.
  return ['match', ['get', 'shade'], ...shades, colours.main] as unknown as ExpressionSpecification;
}

function collection(lines: readonly MapLine[]) {
  return {
    type: 'FeatureCollection' as const,
    features: lines.flatMap((line) =>
      line.stretches.map(({ places, shade }) => ({
        type: 'Feature' as const,
        properties: { shade: shade ?? NONE },
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
