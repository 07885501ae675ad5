import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { measuresCost } from '../../test/tries-of.ts';
import { zipOf } from '../../test/zip.ts';
import { translate } from './messages.ts';
import { readRouteFile } from './read.ts';

const read = async (file: string | Uint8Array, choice: string | null = null) => {
  const route = await readRouteFile(Buffer.from(file as string), choice);
  return { ...route, notes: route.notes.map((note) => translate(note, 'en')) };
};
const gpx = (inside: string) =>
  `<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${inside}</gpx>`;
const kml = (inside: string) =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inside}</Document></kml>`;
const trk = (name: string, ...longitudes: number[]) =>
  `<trk><name>${name}</name><trkseg>${longitudes
    .map((lon) => `<trkpt lat="55.75" lon="${lon}"><ele>150</ele></trkpt>`)
    .join('')}</trkseg></trk>`;
const longitudesOf = ({ track }: { track: readonly { longitude: number }[] }) =>
  track.map(({ longitude }) => longitude);
const stopsOf = ({ stops }: Awaited<ReturnType<typeof read>>) =>
  stops.map(({ name, routeDirection }) => `${name} ${routeDirection[0]}`);

describe('a GPX file', () => {
  it('gives its track as the line and its waypoints as stops', async () => {
    const file = gpx(
      `<metadata><name>Маршрут &amp; 7</name></metadata><wpt lat="55.75" lon="37.6"><name>Вокзал</name></wpt>${trk('t', 37.6, 37.61)}`,
    );
    const route = await read(file);
    expect(route).toMatchObject({ format: 'gpx', name: 'Маршрут & 7', choices: [] });
    expect(longitudesOf(route)).toEqual([37.6, 37.61]);
    expect(stopsOf(route)).toEqual(['Вокзал F']);
  });

  it('gives the named points of a planned route as its line and its stops', async () => {
    const point = (lon: number, name: string) => `<rtept lat="55.75" lon="${lon}">${name}</rtept>`;
    const points = [
      point(37.6, '<name>A</name>'),
      point(37.61, ''),
      // A name loses its invisible characters.
      point(37.62, '<name>\u200bB\u2800</name>'),
    ];
    const route = await read(gpx(`<rte><name>7\u202e</name>${points.join('')}</rte>`));
    expect([route.name, longitudesOf(route), stopsOf(route)]).toEqual([
      '7',
      [37.6, 37.61, 37.62],
      ['A F', 'B F'],
    ]);
  });

  it('joins the segments of a track, and tracks that go on from each other', async () => {
    const segments = trk('t', 37.6, 37.61).replace(
      '</trkseg>',
      '</trkseg><trkseg><trkpt lat="55.75" lon="37.62"/></trkseg>',
    );
    expect(longitudesOf(await read(gpx(segments)))).toEqual([37.6, 37.61, 37.62]);
    const route = await read(gpx(trk('a', 37.6, 37.61) + trk('b', 37.611, 37.62)));
    expect(longitudesOf(route)).toHaveLength(4);
    expect(route.notes).toContain('Joined 2 lines into one.');
  });

  it('with several lines asks which of them', async () => {
    const file = gpx(trk('Туда', 37.6, 37.61) + trk('Другой', 37.9, 37.91, 37.92));
    const route = await read(file);
    expect(route.choices.map(({ id, name, points }) => [id, name, points])).toEqual([
      ['0', 'Туда', 2],
      ['1', 'Другой', 3],
    ]);
    expect([route.choice, route.track]).toEqual([null, []]);
    expect(longitudesOf(await read(file, '1'))).toEqual([37.9, 37.91, 37.92]);
    await expect(read(file, '2')).rejects.toMatchObject({ field: 'choice' });
  });

  it('leaves out points without a place and says so', async () => {
    const odd = trk('t', 37.6, 37.61).replace(
      '<trkpt',
      '<trkpt lat="x"/><trkpt lat="0" lon="0"/><trkpt lat="95" lon="1"/><trkpt',
    );
    const route = await read(gpx(odd));
    expect(longitudesOf(route)).toEqual([37.6, 37.61]);
    expect(route.notes).toEqual(['Left out: 3 points without coordinates.']);
  });

  it('of a day at one point a second is simplified', async () => {
    const points = Array.from({ length: 30_000 }, (_, n) => 37 + n / 1e5);
    const route = await read(gpx(trk('t', ...points)));
    expect(route.track.length).toBeLessThan(20_000);
    expect(route.notes[0]).toMatch(/^Simplified the line from 30000 to/);
  });
});

describe('a KML file', () => {
  const line = (name: string, coordinates: string) =>
    `<Placemark><name>${name}</name><LineString><coordinates>${coordinates}</coordinates></LineString></Placemark>`;

  it('gives lines and points with the names of their placemarks, in whatever order they stand', async () => {
    const point =
      '<Placemark><Point><coordinates>37.6,55.75,0</coordinates></Point><name><![CDATA[Рынок]]></name></Placemark>';
    const route = await read(
      kml(`<name>Линия 3</name>${line('Путь', '37.6,55.75 37.61,55.75')}${point}`),
    );
    expect([route.name, longitudesOf(route), stopsOf(route)]).toEqual([
      'Линия 3',
      [37.6, 37.61],
      ['Рынок F'],
    ]);
  });

  it('joins the lines of one placemark', async () => {
    const part = (coordinates: string) =>
      `<LineString><coordinates>${coordinates}</coordinates></LineString>`;
    const parts = part('37.62,55.75 37.611,55.75') + part('37.6,55.75 37.61,55.75');
    const placemark = `<Placemark><name>7</name><MultiGeometry>${parts}</MultiGeometry></Placemark>`;
    const route = await read(kml(placemark));
    expect([route.name, route.choices, longitudesOf(route)]).toEqual([
      '7',
      [],
      [37.62, 37.611, 37.61, 37.6],
    ]);
  });

  it('leaves out areas', async () => {
    const area =
      '<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>1,1 2,2 1,1</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>';
    expect((await read(kml(area + line('a', '1,1 1,2')))).notes).toEqual(['Left out: 1 areas.']);
    await expect(read(kml(area))).rejects.toThrow('neither lines nor points');
  });

  it('is read out of its archive', async () => {
    const kmz = zipOf([{ name: 'doc.kml', bytes: kml(line('Путь', '37.6,55.75 37.61,55.75')) }]);
    expect((await read(kmz)).track).toHaveLength(2);
  });
});

describe('a GeoJSON file', () => {
  const feature = (geometry: unknown, properties: unknown = null) => ({
    type: 'Feature',
    geometry,
    properties,
  });

  it('of 200,000 points says how many stops a route has at most', async () => {
    const coordinates = Array.from({ length: 200_000 }, (_, n) => [37 + n / 1e6, 55.75]);
    await expect(read(JSON.stringify({ type: 'MultiPoint', coordinates }))).rejects.toThrow(
      'The file has 200000 points; a route has at most 1000 stops.',
    );
  });

  it('gives lines and points, also with text for numbers', async () => {
    const route = await read(
      JSON.stringify({
        type: 'FeatureCollection',
        name: 'Кольцо',
        features: [
          feature({
            type: 'LineString',
            coordinates: [
              ['37,6', '55.75'],
              [37.61, 55.75, 150],
            ],
          }),
          feature(
            { type: 'Point', coordinates: ['37.6', ' 55.75 '] },
            { name: 7, direction: 'обратно' },
          ),
          feature(null),
        ],
      }),
    );
    expect([route.name, longitudesOf(route), stopsOf(route)]).toEqual([
      'Кольцо',
      [37.6, 37.61],
      ['7 R'],
    ]);
  });

  const lineOf = (...longitudes: number[]) => longitudes.map((lon) => [lon, 55.75]);
  const collection = (...features: unknown[]) =>
    JSON.stringify({ type: 'FeatureCollection', features });

  it('joins the lines of one feature in the best order, whatever their order and direction', async () => {
    const coordinates = [lineOf(37.6, 37.61), lineOf(37.631, 37.621), lineOf(37.611, 37.62)];
    const route = await read(collection(feature({ type: 'MultiLineString', coordinates })));
    expect(longitudesOf(route)).toEqual([37.6, 37.61, 37.611, 37.62, 37.621, 37.631]);
    expect([route.choices, route.notes]).toEqual([[], ['Joined 3 lines into one.']]);
  });

  it('joins no lines over a kilometre unless the user wants it', async () => {
    const coordinates = [lineOf(37.6, 37.61), lineOf(37.7, 37.71), lineOf(37.611, 37.62)];
    const file = collection(feature({ type: 'MultiLineString', coordinates }, { name: 'Линия 3' }));
    const { choices, choice, track, jumps, notes } = await read(file);
    // While the user chooses, all of it is shown, with its gaps.
    expect([choice, track.length, jumps.length]).toEqual([null, 6, 1]);
    expect(jumps[0]).toMatchObject({
      from: { longitude: 37.62 },
      to: { longitude: 37.7 },
      metres: expect.closeTo(5006, -2),
    });
    expect(notes).toContain(
      'The line has 1 gap of a kilometre or more, the longest of 5.0 km. The map marks them. If its pieces are no one route, choose one of them.',
    );
    expect(choices.map(({ id, name, points }) => [id, name, points])).toEqual([
      ['0.0', 'Линия 3 · 1/2', 4],
      ['0.1', 'Линия 3 · 2/2', 2],
      ['0', 'Линия 3', 6],
    ]);
    expect(choices.map(({ jump_m }) => jump_m)).toEqual([
      undefined,
      undefined,
      expect.closeTo(5006, -2),
    ]);
    expect(longitudesOf(await read(file, '0.0'))).toEqual([37.6, 37.61, 37.611, 37.62]);
    expect((await read(file, '0.0')).jumps).toEqual([]);
    expect(longitudesOf(await read(file, '0'))).toHaveLength(6);
    expect((await read(file, '0')).jumps).toEqual(jumps);
  });

  it.each([168, 568, 621])('of a city with %i lines has as many choices', async (count) => {
    const lines = Array.from({ length: count }, (_, n) => {
      const at = 37 + n / 10;
      const coordinates = [lineOf(at + 0.01, at + 0.02), lineOf(at, at + 0.009)];
      return feature({ type: 'MultiLineString', coordinates }, { name: `Линия ${n + 1}` });
    });
    const file = collection(...lines);
    const { choices } = await read(file);
    expect([choices.length, choices.at(-1)?.name]).toEqual([count, `Линия ${count}`]);
    expect((await read(file, String(count - 1))).track).toHaveLength(4);
  });

  const manyLines = (count: number): string =>
    collection(
      ...Array.from({ length: count }, (_, n) =>
        feature({
          type: 'LineString',
          coordinates: lineOf((n % 3000) / 20, (n % 3000) / 20 + 0.001),
        }),
      ),
    );

  it.each([5000, 20_000])('of a large city with %i lines has as many choices', async (count) => {
    const file = manyLines(count);
    const { choices, track } = await read(file);
    expect([choices.length, choices.at(-1)?.name, track]).toEqual([count, String(count), []]);
    expect((await read(file, String(count - 1))).track).toHaveLength(2);
  });

  it('of many lines in many parts is read at once, and joins the parts of the chosen line in the best order', async () => {
    const parts = (at: number) =>
      [0, 4, 2, 7, 1, 6, 3, 5].map((n) => lineOf(at + n / 500, at + n / 500 + 0.001));
    const file = collection(
      ...Array.from({ length: 10_000 }, (_, n) =>
        feature({ type: 'MultiLineString', coordinates: parts((n % 3000) / 20) }),
      ),
    );
    const begunMs = performance.now();
    const found = longitudesOf(await read(file, '700'));
    // Joining all of them in the best order takes 20 s.
    if (measuresCost()) expect(performance.now() - begunMs).toBeLessThan(10_000);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
  });

  it('of more lines than anybody chooses from is refused with the limit', async () => {
    await expect(read(manyLines(50_001))).rejects.toThrow(
      'The file has 50001 lines; at most 50000 are supported.',
    );
  });

  it('has one choice for each feature, and asks for the trails of the chosen one', async () => {
    const trails = (at: number, count: number, name?: string) =>
      feature(
        {
          type: 'MultiLineString',
          coordinates: Array.from({ length: count }, (_, n) =>
            lineOf(at + n / 10, at + n / 10 + (n === 4 ? 0.001 : 0.01)),
          ),
        },
        name === undefined ? null : { name },
      );
    const file = collection(trails(30, 3, 'Линия 1'), trails(40, 2), trails(50, 25, 'Линия 3'));
    const idsOf = async (choice: string | null) =>
      (await read(file, choice)).choices.map(({ id }) => id);
    expect(await idsOf(null)).toEqual(['0', '1', '2']);
    expect(await idsOf('0')).toEqual(['0.0', '0.1', '0.2', '0', '1', '2']);
    const unnamed = await read(file, '1.1');
    expect(unnamed.choices.map(({ name }) => name)).toEqual([
      'Линия 1',
      ...['2 · 1/2', '2 · 2/2', '2'],
      'Линия 3',
    ]);
    expect(longitudesOf(unnamed)).toEqual([40.1, 40.11]);
    // The longest of many trails are listed.
    const many = await read(file, '2');
    expect(many.choices).toHaveLength(2 + 20 + 1);
    expect(many.choices.map(({ id }) => id)).not.toContain('2.4');
    expect(many.notes).toContain(
      'Not listed: 5 shorter pieces of the line; the whole line has them.',
    );
  });

  it('may be a geometry alone, or a collection of them', async () => {
    const line = {
      type: 'LineString',
      coordinates: [
        [1, 1],
        [1, 2],
      ],
    };
    expect((await read(JSON.stringify(line))).track).toHaveLength(2);
    const all = {
      type: 'GeometryCollection',
      geometries: [
        line,
        {
          type: 'MultiPoint',
          coordinates: [
            [1, 1],
            [1, 2],
          ],
        },
      ],
    };
    expect((await read(JSON.stringify(all))).stops).toHaveLength(2);
  });

  it.each([
    ['{', 'The JSON has a syntax error'],
    ['{"type":"Topology"}', 'neither lines nor points'],
    ['[]', 'neither lines nor points'],
    [
      '{"type":"LineString","coordinates":[[414000,6170000],[414100,6170000]]}',
      'fewer than two points',
    ],
    [`${'['.repeat(100_000)}`, 'The JSON has a syntax error'],
  ])('%s is refused', async (text, reason) => {
    await expect(read(text)).rejects.toThrow(reason);
  });
});

describe('a table of stops', () => {
  it.each([
    ['name,lat,lon\nВокзал,55.75,37.6\nРынок,55.76,37.61', ['Вокзал F', 'Рынок F']],
    ['\uFEFFШирота;Долгота;Остановка\r\n55,75;37,6;"Школа; 3"\r\n', ['Школа; 3 F']],
    ['stop_id\tstop_name\tstop_lat\tstop_lon\n1\tA\t1\t1', ['A F']],
    ['name,lat,lon,order\nB,1,2,2\nA,1,1,1', ['A F', 'B F']],
    ['name,lat,lon,direction\nA,1,1,1\nB,1,2,0', ['B F', 'A R']],
    ['lat,lon\n1,1\n1,2', ['null F', 'null F']],
    ['Вокзал,55.75,37.6\nРынок,55.76,37.61', ['Вокзал F', 'Рынок F']],
  ])('%j is read', async (text, stops) => {
    expect(stopsOf(await read(text))).toEqual(stops);
  });

  it('there and back without directions turns where a name comes twice and the names return', async () => {
    const names = ['A', 'B', 'B', 'C', 'C', 'B', 'A'];
    const rows = names.map((name, n) => `${name},55.75,${37.6 + n / 1000}`);
    const route = await read(['name,lat,lon', ...rows].join('\n'));
    expect(stopsOf(route)).toEqual(['A F', 'B F', 'B F', 'C F', 'C R', 'B R', 'A R']);
    expect(route.notes).toContain('The reverse direction begins at the second C.');
    const oneWay = await read('name,lat,lon\nA,1,1\nB,1,2\nB,1,3\nC,1,4');
    expect(oneWay.stops.every(({ routeDirection }) => routeDirection === 'FORWARD')).toBe(true);
  });

  it('names the lines that have no place', async () => {
    const route = await read('name,lat,lon\nA,1,1\nB,,\nC,95,1\nD,1,2');
    expect(route.notes).toEqual([
      'Left out: line 3, which has no coordinates.',
      'Left out: line 4, which has no coordinates.',
    ]);
  });

  it.each([
    ['name,lat\nA,1', 'no column longitude'],
    ['name,lat,lon', 'titles, but no stops'],
    ['name,lat,lon\nA,x,y', 'Line 2'],
    ['hello world', 'not a route'],
    // Reading ends at the first stop beyond the limit, so the open quote after it does not matter.
    [`lat,lon\n${'1,1\n'.repeat(1001)}"never closed`, 'more than 1000 stops'],
  ])('%j is refused', async (text, reason) => {
    await expect(read(text)).rejects.toThrow(reason);
  });
});

describe('a file that is none of these', () => {
  it.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['<html><body/></html>', 'XML of <html>'],
    ['<!DOCTYPE html>', 'XML without elements'],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 2, 3]), 'not text'],
    [gzipSync('x'), 'gzip'],
    [Buffer.from('PK\x03\x04 nothing more'), 'damaged'],
    [zipOf([{ name: 'photo.jpg', bytes: 'x' }]), 'no GTFS feed'],
    [gpx('<trk><trkseg></trkseg></trk>'), 'fewer than two points'],
    [gpx(''), 'neither lines nor points'],
  ])('is refused with the reason (%#)', async (file, reason) => {
    const reading = read(file);
    await expect(reading).rejects.toMatchObject({ name: 'FileRefusal', field: 'file' });
    await expect(reading).rejects.toThrow(reason);
  });
});
