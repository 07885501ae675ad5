// Requests of any fields and any bodies: what a faulty sender or a stranger sends. Each becomes records that the store
// takes, or a refusal that names a field.
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { type Element, MOST_RECORDS, readElements } from './elements.ts';
import { isFault, readId, readMoment } from './moments.ts';
import { readTime } from './times.ts';
import { recordsOf } from './unit-records.ts';

/** Requests that a run tries: a million where everything is tried. */
const REQUESTS = inject('triesEverything') ? 1_000_000 : 5_000;

/** Names of fields, and what a query has for them: what is usual, what is not, and anything. */
const NAMES = [
  ...['id', 'deviceid', 'device_id', 'timestamp', 'lat', 'lon', 'location', 'speed', 'bearing'],
  ...['heading', 'hdop', 'satellites', 'sat', 'valid', 'mock', 'in', 'out', 'door', 'extras'],
  ...['coords', 'latitude', 'longitude', '__proto__', 'constructor', 'batt'],
];
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string());
const number = fc.oneof(
  fc.integer({ min: -400, max: 400 }),
  fc.double(),
  fc.integer({ min: 0, max: 2 ** 33 }),
  fc.maxSafeNat(),
);
const date = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((one) => one.toISOString());
const text = fc.oneof(
  number.map(String),
  date,
  date.map((one) => one.slice(0, 19).replace('T', ' ')),
  fc.tuple(number, number).map((pair) => pair.join(',')),
  fc.constantFrom('true', 'false', '', 'abc-1', '1e5', '-0', '٣', '\0', '\ud800'),
  fc.string({ unit: 'binary' }),
);
const fields = fc.array(fc.tuple(name, text), { maxLength: 12 });
const query = fields.map((pairs) =>
  pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&'),
);
const value = fc.oneof(number, text, fc.boolean(), fc.constant(null));
const flat = fc.dictionary(name, value, { maxKeys: 12 });
const nested = fc.record(
  {
    timestamp: value,
    coords: fc.oneof(flat, value),
    ...{ valid: value, mock: value, in: value, extras: fc.oneof(flat, value) },
  },
  { requiredKeys: [] },
);
const item = fc.oneof(
  flat,
  fc.record({
    device_id: value,
    location: fc.oneof(nested, fc.array(nested, { maxLength: 3 }), value),
  }),
);
const json = fc
  .oneof(item, fc.array(item, { maxLength: 4 }), fc.json())
  .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
const body = fc.oneof(
  query.map((one) => Buffer.from(one)),
  json.map((one) => Buffer.from(one)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);
const contentType = fc.constantFrom(
  ...['application/json', 'application/x-www-form-urlencoded', 'text/plain', undefined],
);
const settings = fc.record({
  speed: fc.constantFrom('knots' as const, 'kmh' as const, 'ms' as const),
});

it('become records that can be stored, or a refusal', () => {
  fc.assert(
    fc.property(fc.record({ query, body, contentType }), settings, (request, own) => {
      for (const element of elementsOf(request)) {
        const id = readId(element);
        if (isFault(id)) expect(id.field).toMatch(/(^|\.)(id|deviceid|device_id)$/);
        else expect(id).toMatch(/^[\w.:@-]{1,64}$/);
        const moment = readMoment(element);
        if (moment === null) continue;
        if (isFault(moment)) {
          expect([moment.field === '', moment.message === '']).toEqual([false, false]);
          continue;
        }
        for (const one of recordsOf(moment, own)) {
          expect(Number.isSafeInteger(one.seq) && one.seq >= 0).toBe(true);
          expect(Number.isSafeInteger(one.sentMs) && one.sentMs >= 0).toBe(true);
          expect(new Date(one.sentMs).getUTCFullYear()).toBeLessThanOrEqual(9999);
          if (one.type === 'position') {
            const { place, course, speedKmh, hdop, satellites } = one;
            if (place !== null) {
              expect(Math.abs(place.latitude)).toBeLessThanOrEqual(90);
              expect(Math.abs(place.longitude)).toBeLessThanOrEqual(180);
            }
            for (const [measured, most] of [
              ...[[course, 360] as const, [speedKmh, 400] as const],
              ...[[hdop, 100] as const, [satellites, 99] as const],
            ]) {
              expect((measured ?? 0) >= 0 && (measured ?? 0) <= most).toBe(true);
            }
          }
          if (one.type === 'passenger') {
            expect(one.door >= 1 && one.door <= 8 && Number.isInteger(one.door)).toBe(true);
            expect(one.count >= 1 && one.count <= 255 && Number.isInteger(one.count)).toBe(true);
          }
        }
      }
    }),
    { numRuns: REQUESTS },
  );
});

it('say the same time whichever way they say it', () => {
  fc.assert(
    fc.property(date, (iso) => {
      const ms = Date.parse(iso);
      expect(readTime(iso)).toBe(ms);
      expect(readTime(`${iso.slice(0, 19).replace('T', ' ')}`)).toBe(Math.floor(ms / 1000) * 1000);
      if (ms >= 1e11) expect(readTime(String(ms))).toBe(ms);
      if (ms < 1e14)
        expect(readTime(String(Math.floor(ms / 1000)))).toBe(Math.floor(ms / 1000) * 1000);
    }),
  );
});

function elementsOf(request: Parameters<typeof readElements>[0]): readonly Element[] {
  try {
    const { elements } = readElements(request);
    expect(elements.length).toBeLessThanOrEqual(MOST_RECORDS);
    return elements;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect([400, 413]).toContain((error as AppError).status);
    return [];
  }
}

const encode = (part: string): string => encodeURIComponent(part.toWellFormed());
