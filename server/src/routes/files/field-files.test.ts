// Route files as agencies and map programs really write them.
import { describe, expect, it } from 'vitest';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import { zipOf } from '../../test/zip.ts';
import { translate } from './messages.ts';
import { readRouteFile } from './read.ts';

type File = string | Uint8Array;
const read = async (file: File, choice: string | null = null) => {
  const route = await readRouteFile(Buffer.from(file as string), choice);
  const metres = route.track.reduce(
    (sum, point, n) => sum + distanceM(route.track[n - 1] ?? point, point),
    0,
  );
  const notes = route.notes.map((note) => translate(note, 'en'));
  return { ...route, notes, km: metres / 1000 };
};
const kml = (inside: string) =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inside}</Document></kml>`;
const line = (coordinates: string, name = 'Маршрут 3') =>
  `<Placemark><name>${name}</name><LineString><coordinates>${coordinates}</coordinates></LineString></Placemark>`;
const link = (address: string) =>
  `<NetworkLink><name>Маршрут 14</name><Link><href>${address}</href></Link></NetworkLink>`;
const longitudesOf = ({ track }: { track: readonly { longitude: number }[] }) =>
  track.map(({ longitude }) => longitude);

describe('the coordinates of a KML line', () => {
  it.each([
    ['apart by spaces', '43.9,56.4,0 43.91,56.4,0 43.92,56.4,0 43.93,56.4,0'],
    ['with spaces after commas', '43.9, 56.4, 0 43.91, 56.4, 0 43.92, 56.4, 0 43.93, 56.4, 0'],
    ['apart by commas', '43.9,56.4,0,43.91,56.4,0,43.92,56.4,0,43.93,56.4,0'],
    ['two a line', '43.9,56.4,0,43.91,56.4,0\n43.92,56.4,0,43.93,56.4,0'],
    ['with heights like degrees', '43.9,56.4,60,43.91,56.4,61,43.92,56.4,60,43.93,56.4,60'],
    ['without heights, apart by commas', '43.9,56.4,43.91,56.4,43.92,56.4,43.93,56.4'],
    ['with a comma at the end', '43.9,56.4,0, 43.91,56.4,0, 43.92,56.4,0, 43.93,56.4,0,'],
  ])('%s are all read', async (_, coordinates) => {
    const route = await read(kml(line(coordinates)));
    expect(longitudesOf(route)).toEqual([43.9, 43.91, 43.92, 43.93]);
    expect(route.notes).toEqual([]);
  });

  it('that are no places are refused, with the shape and the text', async () => {
    const good = line('43.9,56.4 43.91,56.4');
    await expect(read(kml(good + line('43.9,56.4,0,43.91,56.4')))).rejects.toThrow(
      'The coordinates of shape 2 cannot be read: “43.9,56.4,0,43.91,56.4”.',
    );
  });
});

describe('a KMZ', () => {
  it('whose document links to others of the archive has them all, each once', async () => {
    const other = `${line('43.9,56.4 43.91,56.4')}${link('../DOC.kml')}${link('more%20lines.kml#x')}`;
    const kmz = zipOf([
      { name: 'other.kml', bytes: kml(line('1,1 2,2', 'Чужой')) },
      { name: 'doc.kml', bytes: kml(link('files/line.kml') + link('https://example.org/a.kml')) },
      { name: 'files/line.kml', bytes: kml(other) },
      { name: 'files/more lines.kml', bytes: kml(line('43.91,56.4 43.92,56.4')) },
    ]);
    const route = await read(kmz);
    expect(longitudesOf(route)).toEqual([43.9, 43.91, 43.91, 43.92]);
    expect(route.notes).toEqual(
      expect.arrayContaining([
        'Not read: a link to “https://example.org/a.kml”, which the file does not contain.',
        'Not read: other files of the archive, other.kml.',
      ]),
    );
  });

  it.each([
    ['of an archive', zipOf([{ name: 'doc.kml', bytes: kml(link('http://10.0.0.1/secret.kml')) }])],
    ['alone', kml(link('http://10.0.0.1/secret.kml'))],
  ])(
    'document %s that has nothing but links elsewhere says so, and fetches nothing',
    async (_, file) => {
      await expect(read(file)).rejects.toThrow('a link to “http://10.0.0.1/secret.kml”');
    },
  );

  it('with too many links is refused', async () => {
    const files = Array.from({ length: 201 }, (_, n) => ({
      name: `${n}.kml`,
      bytes: kml(line('43.9,56.4 43.91,56.4')),
    }));
    const links = files.map(({ name }) => link(name)).join('');
    await expect(read(zipOf([{ name: 'doc.kml', bytes: kml(links) }, ...files]))).rejects.toThrow(
      'more than 200',
    );
  });
});

describe('an archive', () => {
  it('of archives says that they lie inside', async () => {
    const inner = zipOf([{ name: 'stops.txt', bytes: 'stop_id' }]);
    const names = ['bus/feed.zip', 'tram.zip', 'metro.kmz', 'boat.zip'];
    await expect(read(zipOf(names.map((name) => ({ name, bytes: inner }))))).rejects.toThrow(
      'The zip file has other zip files inside: feed.zip, tram.zip, metro.kmz, ….',
    );
  });

  it('with two feeds says which they are, instead of mixing them', async () => {
    const tables = ['routes', 'trips', 'stop_times', 'stops'];
    const files = ['bus', 'tram'].flatMap((folder) =>
      tables.map((table) => ({ name: `${folder}/${table}.txt`, bytes: 'id' })),
    );
    await expect(read(zipOf(files))).rejects.toThrow('several GTFS feeds: bus, tram');
  });
});

describe('GeoJSON with a projection', () => {
  const geoJson = (crs: unknown) =>
    JSON.stringify({
      type: 'FeatureCollection',
      crs,
      features: [
        {
          type: 'Feature',
          geometry: {
            type: 'LineString',
            coordinates: [
              [37.6, 55.7],
              [37.61, 55.7],
            ],
          },
        },
      ],
    });
  const named = (name: string) => ({ type: 'name', properties: { name } });

  it.each([
    ['urn:ogc:def:crs:OGC:1.3:CRS84'],
    ['urn:ogc:def:crs:EPSG::4326'],
    ['EPSG:4326'],
    ['epsg:4326'],
    ['OGC:CRS84'],
    ['http://www.opengis.net/def/crs/EPSG/0/4326'],
  ])('%s is read: it is in degrees', async (name) => {
    expect(longitudesOf(await read(geoJson(named(name))))).toEqual([37.6, 37.61]);
  });

  it.each([
    [named('urn:ogc:def:crs:EPSG::20908'), 'urn:ogc:def:crs:EPSG::20908'],
    [named('EPSG:3857'), 'EPSG:3857'],
    [named('EPSG:14326'), 'EPSG:14326'],
    [{ type: 'EPSG', properties: { code: 28407 } }, 'EPSG:28407'],
    [{ type: 'link', properties: { href: 'http://example.org/crs/42' } }, 'example.org/crs/42'],
  ])('%j is refused by its name', async (crs, name) => {
    await expect(read(geoJson(crs))).rejects.toThrow(name);
  });

  it('that says nothing or null is read', async () => {
    for (const crs of [null, undefined]) {
      expect(longitudesOf(await read(geoJson(crs)))).toEqual([37.6, 37.61]);
    }
  });
});

describe('a feed with one shape for both directions', () => {
  const stops = [43.9, 43.91, 43.92, 43.93];
  const csv = (...rows: readonly (readonly (string | number)[])[]) =>
    rows.map((row) => row.join()).join('\n');
  const feed = zipOf([
    { name: 'routes.txt', bytes: csv(['route_id', 'route_short_name'], ['r', 9]) },
    {
      name: 'trips.txt',
      bytes: csv(
        ['route_id', 'trip_id', 'shape_id', 'direction_id'],
        ...['r,there,s,0', 'r,back,s,1'].map((row) => row.split(',')),
      ),
    },
    {
      name: 'stops.txt',
      bytes: csv(
        ['stop_id', 'stop_name', 'stop_lat', 'stop_lon'],
        ...stops.map((lon, n) => [`p${n}`, `Остановка ${n}`, 56.4, lon]),
      ),
    },
    {
      name: 'stop_times.txt',
      bytes: csv(
        ['trip_id', 'stop_id', 'stop_sequence'],
        ...stops.map((_, n) => ['there', `p${n}`, n]),
        ...stops.map((_, n) => ['back', `p${3 - n}`, n]),
      ),
    },
    {
      name: 'shapes.txt',
      bytes: csv(
        ['shape_id', 'shape_pt_lat', 'shape_pt_lon', 'shape_pt_sequence'],
        ...stops.map((lon, n) => ['s', 56.4, lon, n]),
      ),
    },
  ]);

  it('turns it by the stops of each trip, there and back and alone', async () => {
    const both = await read(feed);
    expect(longitudesOf(both)).toEqual([...stops, ...stops.toReversed()]);
    const back = both.choices.find(({ name }) => name.startsWith('Остановка 3 →'));
    expect(longitudesOf(await read(feed, back?.id ?? ''))).toEqual(stops.toReversed());
  });
});
