// The style of the map file: layers of the Protomaps schema, version 4 (https://docs.protomaps.com/basemaps/layers).
// It is quiet, because the track lies above it: white streets, green, water, and the names that a dispatcher knows.
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  LineLayerSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import type { MapColours } from './ground.ts';

/** The name of the source and of the font in the style. */
export const STREETS = 'streets';
export const STREET_FONT = 'Inter';

type Colours = MapColours['streets'];

const GREEN = [
  ...['park', 'forest', 'wood', 'grass', 'grassland', 'meadow', 'scrub', 'village_green'],
  ...['garden', 'golf_course', 'pitch', 'playground', 'cemetery', 'zoo', 'recreation_ground'],
  ...['nature_reserve', 'national_park', 'protected_area', 'allotments', 'dog_park', 'stadium'],
];
const BUILT = [
  ...['industrial', 'commercial', 'hospital', 'school', 'university', 'college', 'kindergarten'],
  ...['railway', 'aerodrome', 'military', 'pedestrian', 'pier', 'runway', 'taxiway'],
];

/** The kinds of streets, the least first, with their width in px at zoom 11 and 18. */
const ROADS = [
  { kinds: ['minor_road', 'other'], from: 12, thin: 0.3, wide: 14 },
  { kinds: ['major_road'], from: 9, thin: 1.2, wide: 20 },
  { kinds: ['highway'], from: 6, thin: 2, wide: 22 },
];
/** Visible part of an edge on one side, px. */
const EDGE_PX = 1;

/**
 * The layers of the map file, bottom first.
 * @param language of the page, `ru` or `en`: names are in it where the file has them, else as they are written there
 */
export function streetLayers(
  { streets }: Pick<MapColours, 'streets'>,
  language: string,
): LayerSpecification[] {
  return [
    ...areaLayers(streets),
    ...wayLayers(streets),
    ...labelLayers(streets, nameIn(`name:${language}`)),
  ];
}

function areaLayers(colours: Colours): LayerSpecification[] {
  return [
    {
      ...layer('built', 'landuse'),
      type: 'fill',
      filter: isOf(BUILT),
      paint: { 'fill-color': colours.built },
    },
    {
      ...layer('green', 'landuse'),
      type: 'fill',
      filter: isOf(GREEN),
      paint: { 'fill-color': colours.green },
    },
    {
      ...layer('water', 'water'),
      type: 'fill',
      filter: isShape('Polygon'),
      paint: { 'fill-color': colours.water },
    },
    {
      ...layer('rivers', 'water'),
      type: 'line',
      minzoom: 9,
      filter: isShape('LineString'),
      paint: { 'line-color': colours.water, 'line-width': widthOf(0.8, 6) },
    },
    {
      ...layer('buildings', 'buildings'),
      type: 'fill',
      minzoom: 14,
      paint: { 'fill-color': colours.building },
    },
  ];
}

function wayLayers(colours: Colours): LayerSpecification[] {
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const edges = ROADS.map(({ kinds, from, thin, wide }): LineLayerSpecification => {
    return {
      ...layer(`edge-${kinds[0]}`, 'roads'),
      type: 'line',
      minzoom: from,
      filter: isOf(kinds),
      layout: round,
      paint: {
        'line-color': colours.edge,
        'line-width': widthOf(thin + EDGE_PX, wide + 2 * EDGE_PX),
      },
    };
  });
  const fills = ROADS.map(({ kinds, from, thin, wide }): LineLayerSpecification => {
    return {
      ...layer(`road-${kinds[0]}`, 'roads'),
      type: 'line',
      minzoom: from,
      filter: isOf(kinds),
      layout: round,
      paint: {
        'line-color': kinds[0] === 'highway' ? colours.highway : colours.road,
        'line-width': widthOf(thin, wide),
      },
    };
  });
  return [
    {
      ...layer('paths', 'roads'),
      type: 'line',
      minzoom: 15,
      filter: isOf(['path']),
      paint: { 'line-color': colours.road, 'line-width': 1.5, 'line-dasharray': [3, 1.5] },
    },
    ...edges,
    ...fills,
    {
      ...layer('rails', 'roads'),
      type: 'line',
      minzoom: 11,
      filter: isOf(['rail']),
      paint: { 'line-color': colours.rail, 'line-width': widthOf(0.8, 3) },
    },
    {
      ...layer('borders', 'boundaries'),
      type: 'line',
      filter: isOf(['country', 'region']),
      paint: { 'line-color': colours.border, 'line-width': 1, 'line-dasharray': [4, 2] },
    },
  ];
}

function labelLayers(colours: Colours, name: ExpressionSpecification): LayerSpecification[] {
  const paint = {
    'text-color': colours.label,
    'text-halo-color': colours.halo,
    'text-halo-width': 1.5,
  };
  const text = { 'text-field': name, 'text-font': [STREET_FONT] };
  const along = (id: string, kinds: string[], from: number): SymbolLayerSpecification => ({
    ...layer(id, 'roads'),
    type: 'symbol',
    minzoom: from,
    filter: isOf(kinds),
    layout: { ...text, 'symbol-placement': 'line', 'text-size': 12, 'text-max-angle': 30 },
    paint,
  });
  return [
    along('names-minor', ['minor_road', 'other'], 15),
    along('names-major', ['major_road', 'highway'], 12),
    {
      ...layer('names-water', 'water'),
      type: 'symbol',
      minzoom: 12,
      filter: isShape('Point'),
      layout: { ...text, 'text-size': 12, 'text-max-width': 7 },
      paint,
    },
    {
      ...layer('names-districts', 'places'),
      type: 'symbol',
      minzoom: 11,
      maxzoom: 16,
      filter: isOf(['macrohood', 'neighbourhood']),
      layout: { ...text, 'text-size': 13, 'text-max-width': 8 },
      paint,
    },
    {
      ...layer('names-towns', 'places'),
      type: 'symbol',
      maxzoom: 14,
      filter: isOf(['locality']),
      layout: {
        ...text,
        'text-size': sizeByPopulation(),
        'text-max-width': 8,
        'symbol-sort-key': ['-', 0, rank()],
      },
      paint,
    },
  ];
}

function layer(id: string, sourceLayer: string) {
  return { id: `${STREETS}-${id}`, source: STREETS, 'source-layer': sourceLayer };
}

function isOf(kinds: readonly string[]): FilterSpecification {
  return ['in', ['get', 'kind'], ['literal', [...kinds]]];
}

function isShape(shape: 'Point' | 'LineString' | 'Polygon'): FilterSpecification {
  return ['==', ['geometry-type'], shape];
}

function nameIn(translated: string): ExpressionSpecification {
  return ['coalesce', ['get', translated], ['get', 'name'], ''];
}

// Streets keep about their width in metres: it doubles with each zoom when close.
function widthOf(thinPx: number, widePx: number): ExpressionSpecification {
  return ['interpolate', ['exponential', 1.6], ['zoom'], 11, thinPx, 18, widePx];
}

// From 0 to 18; about 12 for a million people.
function rank(): ExpressionSpecification {
  return ['number', ['get', 'population_rank'], 0];
}

function sizeByPopulation(): ExpressionSpecification {
  return ['interpolate', ['linear'], rank(), 4, 12, 13, 20];
}
