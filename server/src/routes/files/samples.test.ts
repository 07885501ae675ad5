// Real files, if present: each track has the geometry of its GeoJSON twin.
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readCsv } from '../../test/csv-rows.ts';
import { readRouteFile } from './read.ts';

const samples = path.resolve(import.meta.dirname, '../../../../../shared/data/routes');
const read = async (name: string) => readRouteFile(await readFile(path.join(samples, name)), null);
const table = async (name: string) => {
  const [titles, ...rows] = readCsv(await readFile(path.join(samples, name), 'utf8'), ',');
  return rows.map(({ row }) =>
    Object.fromEntries(titles?.row.map((title, n) => [title, row[n]]) ?? []),
  );
};
const pairs = (existsSync(samples) ? ['gpx', 'kml'] : []).flatMap((format) =>
  readdirSync(path.join(samples, 'togeojson', format))
    .filter((name) => name.endsWith(format))
    .map((name) => `togeojson/${format}/${name}`),
);

describe(`the samples of ${samples}`, () => {
  beforeEach(({ skip }) => skip(!existsSync(samples), `${samples} is not there`));

  it.each(pairs)('%s is what its GeoJSON is, or refused with it', async (name) => {
    const [own, twin] = await Promise.allSettled([read(name), read(`${name}.geojson`)]);
    expect(own.status).toBe(twin?.status);
    if (own.status === 'rejected' || twin?.status !== 'fulfilled') return;
    expect(own.value.track).toEqual(twin.value.track);
    expect(own.value.stops).toEqual(twin.value.stops);
  });

  it('of Moscow turn where the operator says', async () => {
    for (const expected of await table('moscow/expected.csv')) {
      const route = await read(`moscow/${expected.file}`);
      const forward = route.stops.filter(({ routeDirection }) => routeDirection === 'FORWARD');
      expect([route.name, route.track.length, route.stops.length]).toEqual([
        expected.name,
        Number(expected.points),
        Number(expected.stations),
      ]);
      expect(forward.at(-1)?.name).toBe(expected.far_terminal_name);
      expect(String(expected.far_terminal_station_index_0based)).toContain(
        `[${forward.length - 1},`,
      );
    }
  });

  it('of Staten Island have the ways that the timetable has', async () => {
    const route = await read('s54_staten_island.zip');
    for (const expected of await table('s54_expected.csv')) {
      const ways = route.choices.filter(({ id }) => id.startsWith(`0.${expected.direction_id}.`));
      const single = ways.filter(({ id }) => !id.includes('+'));
      expect(single).toHaveLength(Number(expected.patterns));
      expect([single[0]?.stops, single[0]?.points]).toEqual([
        Number(expected.most_common_pattern_stops),
        Number(expected.shape_points),
      ]);
    }
    expect([route.stops.length, route.track.length]).toEqual([138, 960]);
    const all = route.choices.find(({ id }) => id.includes(','))?.id ?? '';
    expect(new Set(all.split(/[,+]/)).size).toBe(route.ways.length);
  });
});
