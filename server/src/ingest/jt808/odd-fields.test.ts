// A field of a location that cannot be right costs itself, and not the position.
import { locationBody } from '@ridewatch/unit/src/jt808/bodies.ts';
import { describe, expect, it } from 'vitest';
import { RESULT } from './codes.ts';
import { readLocation } from './locations.ts';

const TIME_MS = Date.UTC(2026, 10, 20, 8);
const GOOD = { speedKmh: 32.5, course: 270, satellites: 11 };
const read = (more: Partial<typeof GOOD>, extras = '') => {
  const place = { timeMs: TIME_MS, latitude: 55.75, longitude: 37.61 };
  const body = locationBody({ ...place, ...GOOD, ...more });
  return readLocation(Buffer.concat([body, Buffer.from(extras, 'hex')]), { clock_hours: 8 });
};
const position = (more: object) => [
  expect.objectContaining({
    ...{ type: 'position', sentMs: TIME_MS, ...GOOD },
    ...{ place: { latitude: 55.75, longitude: 37.61 }, ...more },
  }),
];

describe('a location', () => {
  it.each([
    ['its speed', { speedKmh: 400.1 }, { speedKmh: null }],
    ['its course', { course: 361 }, { course: null }],
    ['the number of its satellites', { satellites: 100 }, { satellites: null }],
  ])('loses %s where that is impossible, and is a position all the same', (_, sent, stored) => {
    expect(read(sent)).toEqual(position(stored));
  });

  it('has the greatest speed and course that are possible', () => {
    const most = { speedKmh: 400, course: 360, satellites: 99 };
    expect(read(most)).toEqual(position(most));
  });

  it('is read whatever extras it has, also one whose length goes beyond the message', () => {
    expect(read({}, '140400000010')).toEqual(position({}));
    expect(read({}, 'e2')).toEqual(position({}));
    expect(read({}, 'e2ff01')).toEqual(position({}));
  });
});

it('answers have the numbers of the standard', () => {
  expect(RESULT).toEqual({ ok: 0, failed: 1, wrong: 2, notSupported: 3 });
});
