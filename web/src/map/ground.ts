import type {
  FontFacesSpecification,
  LayerSpecification,
  MapLibreMap,
  StyleSpecification,
} from 'maplibre-gl';

/** The ground below the lines of a map. */
export interface Ground {
  /** HTML, shown beside the ground's first tile; undefined if it has no tiles. */
  readonly attribution?: string;
  readonly sources: StyleSpecification['sources'];
  /** Fonts of the labels. */
  readonly fonts?: FontFacesSpecification;
  /** The layers in the colours of a theme and the language of the page, bottom first. */
  readonly layers: (colours: MapColours) => readonly LayerSpecification[];
}

const STREET_PARTS = [
  'green',
  'built',
  'building',
  'water',
  'rail',
  'edge',
  'road',
  'highway',
  'border',
  'label',
  'halo',
] as const;

export interface MapColours {
  readonly ground: string;
  readonly casing: string;
  readonly main: string;
  readonly pinned: string;
  readonly arrow: string;
  readonly shades: readonly string[];
  readonly streets: Readonly<Record<(typeof STREET_PARTS)[number], string>>;
  readonly isDark: boolean;
}

/** Reads the map's colours from the current theme. */
export function readMapColours(element: Element): MapColours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--rw-${name}`).trim();
  const streets = STREET_PARTS.map((part) => [part, colour(`map-${part}`)]);
  return {
    ground: colour('map-ground'),
    casing: colour('surface'),
    main: colour('accent'),
    pinned: colour('text'),
    arrow: colour('text'),
    shades: [1, 2, 3, 4, 5].map((shade) => colour(`shade-${shade}`)),
    streets: Object.fromEntries(streets) as MapColours['streets'],
    isDark: style.colorScheme === 'dark',
  };
}

/** No tiles: one colour. */
export const plainGround: Ground = { sources: {}, layers: () => [] };

/**
 * The ground of a tile server. A tile that does not come leaves the plain ground.
 * @param address with {z}, {x} and {y}
 * @param attribution HTML
 */
export function tileGround(address: string, attribution: string): Ground {
  return {
    attribution,
    sources: { tiles: { type: 'raster', tiles: [address], tileSize: 256, maxzoom: 19 } },
    layers: ({ isDark }) => [
      { id: 'tiles', type: 'raster', source: 'tiles', paint: tilePaint(isDark) },
    ],
  };
}

/** The style of a map that has only its ground. */
export function groundStyle(ground: Ground, colours: MapColours): StyleSpecification {
  return {
    version: 8,
    sources: ground.sources,
    ...(ground.fonts === undefined ? {} : { 'font-faces': ground.fonts }),
    layers: layersOf(ground, colours),
  };
}

/** Sets the colours of a theme, and the names in the page's language. */
export function paintGround(map: MapLibreMap, ground: Ground, colours: MapColours): void {
  for (const layer of layersOf(ground, colours)) {
    for (const [name, value] of Object.entries(layer.paint ?? {})) {
      map.setPaintProperty(layer.id, name as 'background-color', value);
    }
    if (layer.type !== 'symbol') continue;
    map.setLayoutProperty(layer.id, 'text-field', layer.layout?.['text-field']);
  }
}

function layersOf(ground: Ground, colours: MapColours): LayerSpecification[] {
  return [
    { id: 'ground', type: 'background', paint: { 'background-color': colours.ground } },
    ...ground.layers(colours),
  ];
}

// Tiles are faint behind the track; the dark theme inverts light ones.
function tilePaint(isDark: boolean): Readonly<Record<string, number>> {
  return isDark
    ? {
        'raster-saturation': -0.6,
        'raster-brightness-min': 0.86,
        'raster-brightness-max': 0.06,
        'raster-hue-rotate': 180,
        'raster-contrast': -0.1,
      }
    : {
        'raster-saturation': -0.45,
        'raster-brightness-min': 0.12,
        'raster-brightness-max': 1,
        'raster-hue-rotate': 0,
        'raster-contrast': -0.05,
      };
}
