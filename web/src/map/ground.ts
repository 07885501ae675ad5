import type { StyleSpecification } from 'maplibre-gl';

/** A tile server. */
export interface Tiles {
  /** Address with {z}, {x} and {y}. */
  readonly address: string;
  readonly attribution: string;
}

export interface MapColours {
  readonly ground: string;
  readonly casing: string;
  readonly main: string;
  readonly pinned: string;
  readonly arrow: string;
  readonly shades: readonly string[];
  readonly isDark: boolean;
}

/** Reads the map's colours from the current theme. */
export function readMapColours(element: Element): MapColours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--rw-${name}`).trim();
  return {
    ground: colour('map-ground'),
    casing: colour('surface'),
    main: colour('accent'),
    pinned: colour('text'),
    arrow: colour('text'),
    shades: [1, 2, 3, 4, 5].map((shade) => colour(`shade-${shade}`)),
    isDark: style.colorScheme === 'dark',
  };
}

/** The lowest layer: plain, with tiles if there is a tile server. */
export function groundStyle(tiles: Tiles | null, colours: MapColours): StyleSpecification {
  const ground = {
    id: 'ground',
    type: 'background',
    paint: { 'background-color': colours.ground },
  } as const;
  if (!tiles) return { version: 8, sources: {}, layers: [ground] };
  return {
    version: 8,
    sources: {
      tiles: { type: 'raster', tiles: [tiles.address], tileSize: 256, maxzoom: 19 },
    },
    layers: [
      ground,
      { id: 'tiles', type: 'raster', source: 'tiles', paint: tilePaint(colours.isDark) },
    ],
  };
}

/** Tiles are faint behind the track; the dark theme inverts light ones. */
export function tilePaint(isDark: boolean): Readonly<Record<string, number>> {
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
