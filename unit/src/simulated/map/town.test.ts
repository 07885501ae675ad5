import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';
import { describe, expect, it } from 'vitest';
import { lines } from '../routes/lines.ts';
import type { MapFeature } from './map-file.ts';
import { AREA, makeTownMap, townFeatures } from './town.ts';

const LANGUAGES = ['name:ru', 'name:en'];
const features = townFeatures();
const ofLayer = (layer: string) => features.filter((feature) => feature.layer === layer);

/** Reads the archive as a browser does. */
function readerOf(bytes: Buffer): PMTiles {
  return new PMTiles({
    getKey: () => 'town',
    getBytes: async (from, length) => {
      return { data: new Uint8Array(bytes.subarray(from, from + length)).buffer };
    },
  });
}

async function tileOf(reader: PMTiles, z: number, x: number, y: number): Promise<VectorTile> {
  const tile = await reader.getZxy(z, x, y);
  return new VectorTile(new PbfReader(new Uint8Array(tile?.data ?? new ArrayBuffer(0))));
}

// Whether a place is on the feature's line, within some 40 m.
function isOn({ places }: MapFeature, place: { latitude: number; longitude: number }): boolean {
  return places.some((to, index) => {
    const from = places[index - 1] ?? to;
    return [0, 0.25, 0.5, 0.75, 1].some((share) => {
      const latitude = from.latitude + (to.latitude - from.latitude) * share;
      const longitude = from.longitude + (to.longitude - from.longitude) * share;
      const [north, east] = [latitude - place.latitude, longitude - place.longitude];
      return Math.hypot(north, east * 0.56) < 40 / 111_195;
    });
  });
}

describe('the map of the demo', () => {
  it('has a street at every stop of the simulated routes', () => {
    const large = ofLayer('roads').filter(({ properties }) => properties.kind === 'major_road');
    for (const { line } of Object.values(lines)) {
      for (const stop of line.stops) {
        expect([stop.name, large.some((street) => isOn(street, stop))]).toEqual([stop.name, true]);
      }
    }
  });

  it('names streets, water and districts in both languages', () => {
    const named = features.filter(({ properties }) => properties.name !== undefined);
    for (const layer of ['roads', 'water', 'places']) {
      expect(named.some((feature) => feature.layer === layer)).toBe(true);
    }
    for (const { properties } of named)
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(LANGUAGES));
    expect(named.map(({ properties }) => properties['name:en'])).toContain(
      'Kolomenskaya naberezhnaya',
    );
  });

  it('is the same at every start, and small', () => {
    const bytes = makeTownMap();
    expect(makeTownMap().equals(bytes)).toBe(true);
    expect(bytes.length).toBeLessThan(1_000_000);
  });

  it('is read as a browser reads it: more of the town the closer it is looked at', async () => {
    const reader = readerOf(makeTownMap());
    const header = await reader.getHeader();
    expect([header.minZoom, header.maxZoom]).toEqual([5, 13]);
    expect(header.minLon).toBeCloseTo(AREA.southWest.longitude, 5);
    expect(header.maxLat).toBeCloseTo(AREA.northEast.latitude, 5);
    // The tiles of the stop "Метро Коломенская".
    const far = await tileOf(reader, 10, 619, 320);
    const near = await tileOf(reader, 13, 4953, 2563);
    expect(Object.keys(far.layers).toSorted()).toEqual(['landuse', 'places', 'roads', 'water']);
    expect(Object.keys(near.layers)).toContain('buildings');
    const kindsOf = (tile: VectorTile) => {
      const roads = tile.layers.roads;
      const all = Array.from({ length: roads?.length ?? 0 }, (_, index) => {
        return roads?.feature(index).properties.kind;
      });
      return [...new Set(all)].toSorted();
    };
    expect(kindsOf(far)).not.toContain('minor_road');
    expect(kindsOf(near)).toEqual(expect.arrayContaining(['major_road', 'minor_road']));
  });
});
