// The reading of a request: forms, times, places, speeds and counts.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { MOST_RECORDS, readElements } from './elements.ts';
import { isFault, readId, readMoment } from './moments.ts';
import { readTime } from './times.ts';
import { recordsOf } from './unit-records.ts';

const DAY_MS = Date.UTC(2026, 10, 20);

const partsOf = (query: string, body = '', contentType?: string) =>
  readElements({ query, body: Buffer.from(body), contentType }).elements;
const jsonOf = (value: unknown) => partsOf('', JSON.stringify(value), 'application/json');
/** The records of an element, or the fault of one that cannot be read. */
const told = ([element]: ReturnType<typeof partsOf>, speed: 'knots' | 'kmh' | 'ms' = 'knots') => {
  if (element === undefined) throw new Error('no element');
  const moment = readMoment(element);
  return moment === null || isFault(moment) ? moment : recordsOf(moment, { speed });
};
const query = (more: string, speed?: 'knots' | 'kmh' | 'ms') =>
  told(partsOf(`id=1&timestamp=1795132800&${more}`), speed);
const position = (more: object) => [expect.objectContaining({ type: 'position', ...more })];
const people = (direction: string, count: number, door = 1) =>
  expect.objectContaining({ type: 'passenger', passenger: 'adult', direction, count, door });

it('an id that is kept does not keep the request in memory', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const usedBytes = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const rest = 'x'.repeat(60_000);
  const beforeBytes = usedBytes();
  const ids = Array.from({ length: 500 }, (_, n) =>
    partsOf('', `id=one-of-many-${n}&rest=${rest}`).map(readId),
  );
  expect(usedBytes() - beforeBytes).toBeLessThan(8e6);
  expect(ids[7]).toEqual(['one-of-many-7']);
});

describe('a time', () => {
  it.each([
    ['1795132800', DAY_MS],
    ['1795132800000', DAY_MS],
    ['1795132800123', DAY_MS + 123],
    ['1795132800.25', DAY_MS + 250],
    ['2026-11-20T00:00:00Z', DAY_MS],
    ['2026-11-20T00:00:00.123456Z', DAY_MS + 123],
    ['2026-11-20T03:00:00+03:00', DAY_MS],
    ['2026-11-20T03:00:00 03:00', DAY_MS],
    ['2026-11-19T19:00:00-0500', DAY_MS],
    // Without a zone it is UTC.
    ['2026-11-20T00:00', DAY_MS],
    ['2026-11-20 00:00:00', DAY_MS],
  ])('may be said as %s', (text, ms) => {
    expect(readTime(text)).toBe(ms);
  });

  it.each([
    'yesterday',
    '',
    '-1',
    '1e10',
    '0x10',
    '2026-02-30T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20',
    '2026-11-20T00:00:00+25:00',
    '1969-12-31T23:59:59Z',
    '9999999999999999',
  ])('is not %s', (text) => {
    expect(readTime(text)).toBeUndefined();
  });

  it('that is missing is not the time of arrival: what is sent again would count twice', () => {
    const missing = { field: 'timestamp', message: 'is missing' };
    expect(told(partsOf('id=1&lat=1&lon=2'))).toEqual(missing);
    expect(told(partsOf('id=1&in=2'))).toEqual(missing);
    // Nothing is told but that the phone lives.
    expect(told(partsOf('id=1'))).toBeNull();
    expect(told(partsOf('id=1&timestamp=1795132800&batt=90'))).toBeNull();
  });
});

describe('a query and a form', () => {
  it('are one: the form goes before the query, and the last of two equal fields before the first', () => {
    const [element] = partsOf('id=a&door=2&lat=1', 'lat=3&lat=4&lon=5', 'text/plain');
    expect(Object.fromEntries([...(element?.fields ?? [])].map(([n, f]) => [n, f.text]))).toEqual({
      ...{ id: 'a', door: '2', lat: '4', lon: '5' },
    });
  });

  it('has its place in one field or in two', () => {
    const place = { latitude: 55.5, longitude: -37.25 };
    expect(query('lat=55.5&lon=-37.25')).toEqual(position({ place }));
    expect(query('location=55.5,-37.25')).toEqual(position({ place }));
    expect(query('lat=55.5&lon=-37.25&location=1,2')).toEqual(position({ place }));
    // Stored so far.
    expect(query('lat=55.12345649&lon=+37.1')).toEqual(
      position({ place: { latitude: 55.123456, longitude: 37.1 } }),
    );
  });

  it.each([
    ['lat=91&lon=1', 'lat'],
    ['lat=x&lon=1', 'lat'],
    ['lat=NaN&lon=1', 'lat'],
    ['lat=0x10&lon=1', 'lat'],
    ['lat=1e999&lon=1', 'lat'],
    ['lat=55,7&lon=1', 'lat'],
    ['lat=1&lon=180.1', 'lon'],
    ['lat=1', 'lon'],
    ['lat=1&lon=', 'lon'],
    ['lon=1', 'lat'],
    ['location=1', 'location'],
    ['location=1,2,3', 'location'],
    ['location=91,2', 'location'],
    ['lat=1&lon=2&in=-1', 'in'],
    ['in=256', 'in'],
    ['out=1.5', 'out'],
    ['out=x', 'out'],
    ['in=1&door=0', 'door'],
    ['in=1&door=9', 'door'],
    ['in=1&door=true', 'door'],
  ])('with %s names %s', (more, field) => {
    expect(query(more)).toEqual({ field, message: expect.any(String) });
  });

  it.each([
    ['knots' as const, 18.5],
    ['kmh' as const, 10],
    ['ms' as const, 36],
  ])('has speeds in %s if the unit is set so', (speed, speedKmh) => {
    expect(query('lat=1&lon=2&speed=10', speed)).toEqual(position({ speedKmh }));
  });

  it('has no speed, course or quality where they are impossible', () => {
    const none = { speedKmh: null, course: null, satellites: null, hdop: null };
    for (const more of [
      '',
      '&speed=-1&bearing=-1&hdop=-1&sat=-1',
      '&speed=217&bearing=361&hdop=101&satellites=100',
      '&speed={5}&heading=x&hdop=NaN&satellites=many',
    ]) {
      expect(query(`lat=1&lon=2${more}`)).toEqual(position(none));
    }
    expect(query('lat=1&lon=2&heading=360&hdop=1.25&sat=7')).toEqual(
      position({ course: 360, hdop: 1.3, satellites: 7 }),
    );
  });

  it('has no place without a fix, and none that an app made up', () => {
    for (const more of ['valid=false', 'valid=0', 'mock=true', 'mock=1']) {
      expect(query(`lat=1&lon=2&${more}`)).toEqual(position({ place: null }));
    }
    for (const more of ['valid=true', 'valid=1', 'mock=false', 'mock=0']) {
      expect(query(`lat=1&lon=2&${more}`)).toEqual(
        position({ place: { latitude: 1, longitude: 2 } }),
      );
    }
  });

  it('counts people by door, with a position and without', () => {
    expect(query('in=3&out=1&door=2')).toEqual([people('entered', 3, 2), people('exited', 1, 2)]);
    expect(query('in=0&out=2')).toEqual([people('exited', 2)]);
    expect(query('in=0&out=0')).toEqual([]);
    expect(query('lat=1&lon=2&in=3.0')).toEqual([...position({}), people('entered', 3)]);
    // Of other devices: a door that is open.
    expect(query('lat=1&lon=2&door=true')).toEqual(position({}));
  });

  it('tells two counts of a second apart by their ms', () => {
    const numberAt = (ms: number) =>
      (told(partsOf(`id=1&timestamp=${DAY_MS + ms}&in=1`)) as { seq: number }[])[0]?.seq;
    expect(new Set([0, 1, 999, 1000].map(numberAt)).size).toBe(4);
    expect(numberAt(999)).toBe(numberAt(999));
  });
});

describe('an id', () => {
  const idOf = ([element]: ReturnType<typeof partsOf>) => element && readId(element);
  it('has one of three names', () => {
    for (const name of ['id', 'deviceid', 'device_id']) {
      expect(idOf(partsOf(`${name}=abc`))).toBe('abc');
      expect(idOf(jsonOf({ [name]: 48_241_179 }))).toBe('48241179');
      expect(idOf(jsonOf({ [name]: 'abc', location: {} }))).toBe('abc');
    }
  });

  it('must be there, and short, of letters that every protocol has', () => {
    expect(idOf(partsOf('lat=1'))).toMatchObject({ field: 'id' });
    expect(idOf(partsOf('id='))).toMatchObject({ field: 'id' });
    expect(idOf(partsOf('id=a%00b'))).toMatchObject({ field: 'id' });
    expect(idOf(partsOf(`id=${'a'.repeat(65)}`))).toMatchObject({ field: 'id' });
    expect(idOf(jsonOf({ id: {} }))).toMatchObject({ field: 'id' });
    expect(idOf(jsonOf([{ lat: 1 }]))).toMatchObject({ field: '0.id' });
    expect(idOf(jsonOf({ location: {} }))).toMatchObject({ field: 'device_id' });
    expect(idOf(jsonOf([{ location: [{}] }]))).toMatchObject({ field: '0.device_id' });
  });
});

describe('JSON', () => {
  const location = (more: object = {}, coords: object = {}) => ({
    timestamp: '2026-11-20T00:00:00.500Z',
    coords: { latitude: 55.5, longitude: 37.5, speed: 10, heading: 90, accuracy: 4, ...coords },
    ...{ is_moving: true, odometer: 1, event: '', activity: { type: 'still' }, extras: {} },
    ...{ battery: { level: 0.5, is_charging: true }, _: '&id=1&lat=1&', ...more },
  });

  it('of Traccar Client 9 is a location with speeds in m/s, -1 for none', () => {
    const one = { sentMs: DAY_MS + 500, place: { latitude: 55.5, longitude: 37.5 } };
    expect(told(jsonOf({ device_id: '1', location: location() }))).toEqual(
      position({ ...one, speedKmh: 36, course: 90 }),
    );
    const unknown = location({}, { speed: -1, heading: -1 });
    expect(told(jsonOf({ device_id: '1', location: unknown }), 'kmh')).toEqual(
      position({ ...one, speedKmh: null, course: null }),
    );
    for (const name of ['satellites', 'sat']) {
      for (const said of [location({}, { [name]: 7 }), location({ [name]: 7 })]) {
        expect(told(jsonOf({ device_id: '1', location: said }))).toEqual(
          position({ satellites: 7 }),
        );
      }
    }
    const mock = jsonOf({ device_id: '1', location: location({ mock: true }) });
    expect(told(mock)).toEqual(position({ place: null }));
  });

  it('has counts in extras, or in the location, also without coordinates', () => {
    const { coords: _, ...bare } = location({ extras: { in: 2, out: '1', door: 3 } });
    const both = [people('entered', 2, 3), people('exited', 1, 3)];
    expect(told(jsonOf({ device_id: '1', location: bare }))).toEqual(both);
    const beside = location({ in: 1, extras: { in: 2, out: 1, door: 3 } });
    expect(told(jsonOf({ device_id: '1', location: beside }))).toEqual([...position({}), ...both]);
    const flat = { id: 1, timestamp: 1_795_132_800, extras: { in: 2, out: 1, door: 3 } };
    expect(told(jsonOf(flat))).toEqual(both);
  });

  it('of Traccar Client 10 is a list of flat objects with speeds of the query form', () => {
    const one = { id: '1', timestamp: 1_795_132_800, lat: 1, lon: 2, speed: 10, bearing: 5 };
    const elements = jsonOf([one, { ...one, lat: null, lon: null }, { ...one, in: 4 }]);
    expect(elements).toHaveLength(3);
    expect(told(elements)).toEqual(position({ speedKmh: 18.5, course: 5 }));
    expect(told(elements.slice(1))).toBeNull();
    expect(told(elements.slice(2))).toEqual([...position({}), people('entered', 4)]);
  });

  it('may have many locations of one phone, and names the wrong field of one', () => {
    const elements = jsonOf({
      device_id: '1',
      location: [location(), location({}, { longitude: 200 }), location({ timestamp: 'now' })],
    });
    expect(elements).toHaveLength(3);
    expect(told(elements)).toEqual(position({}));
    expect(told(elements.slice(1))).toMatchObject({ field: 'location.1.coords.longitude' });
    expect(told(elements.slice(2))).toMatchObject({ field: 'location.2.timestamp' });
    expect(told(jsonOf({ device_id: '1', location: [] }))).toBeNull();
  });

  it('is known by its first character, whatever its type', () => {
    const { form, elements } = readElements({
      ...{ query: '', contentType: 'text/plain' },
      body: Buffer.from(' {"id":"1"}'),
    });
    expect([form, elements.length]).toEqual(['json', 1]);
  });

  it.each([
    ['{"id":', 'The body is not JSON.'],
    ['5', 'The body must be an object or a list of objects.'],
    ['[1]', 'The body must be an object or a list of objects.'],
    ['{"location":[5]}', 'must be an object'],
    ['['.repeat(100), 'The body is JSON of at most 64 levels.'],
  ])('is not %s', (text, message) => {
    expect(() => partsOf('', text, 'application/json')).toThrow(message);
  });

  it('has a limit of records', () => {
    const many = Array.from({ length: MOST_RECORDS + 1 }, () => ({ id: 1 }));
    expect(() => jsonOf(many)).toThrow('at most 1000 records');
    expect(() => jsonOf({ id: 1, location: many })).toThrow('at most 1000 records');
  });
});
