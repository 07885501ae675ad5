import cyrillic from '@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2?url';
import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import { readMapFile } from '@ridewatch/contract/map-file';
import { addProtocol } from 'maplibre-gl';
import { PMTiles, Protocol } from 'pmtiles';
import { call } from '../calls/request.ts';
import type { Ground } from './ground.ts';
import { STREET_FONT, STREETS, streetLayers } from './street-layers.ts';

/** The ranges of the files, as in web/src/ui/base.css. Letters outside them come from the machine's fonts. */
const FONTS = [
  { url: cyrillic, 'unicode-range': ['U+0301', 'U+0400-045F', 'U+0490-0491', 'U+04B0-04B1'] },
  { url: latin, 'unicode-range': ['U+0000-00FF', 'U+0131', 'U+0152-0153', 'U+2000-206F'] },
];

const files = new Protocol();
addProtocol('pmtiles', files.tile);

/**
 * The ground of the map file: streets and their names.
 * @param version of the map file
 * @param attribution HTML
 */
export function streetGround(version: string, attribution: string): Ground {
  if (!files.get(version)) {
    const getBytes = (offset: number, length: number, signal?: AbortSignal) =>
      readBytes(version, offset, length, signal);
    files.add(new PMTiles({ getKey: () => version, getBytes }));
  }
  return {
    attribution,
    sources: { [STREETS]: { type: 'vector', url: `pmtiles://${version}` } },
    fonts: {
      [STREET_FONT]: FONTS.map(({ url, ...range }) => {
        return { url: new URL(url, location.href).href, ...range };
      }),
    },
    layers: (colours) => streetLayers(colours, document.documentElement.lang),
  };
}

// With a transport of its own: a range is a header, and the answer is bytes.
async function readBytes(version: string, offset: number, length: number, signal?: AbortSignal) {
  let data = new ArrayBuffer(0);
  await call(readMapFile, {
    params: { version },
    ...(signal === undefined ? {} : { signal }),
    transport: async (address, init) => {
      const headers = new Headers(init.headers);
      headers.set('range', `bytes=${offset}-${offset + length - 1}`);
      const response = await fetch(address, { ...init, headers });
      if (response.ok) data = await response.arrayBuffer();
      return response;
    },
  });
  return { data };
}
