import { describe, expect, it } from 'vitest';
import { readPlace, showPlace } from './place-text.ts';

describe('a place that is typed', () => {
  it.each([
    ['55.7512, 37.6184', 55.7512, 37.6184],
    ['55.7512 37.6184', 55.7512, 37.6184],
    ['55,7512 37,6184', 55.7512, 37.6184],
    ['55,7512; 37,6184', 55.7512, 37.6184],
    [' -33.9, 151 ', -33.9, 151],
    ['−33.9; 151', -33.9, 151],
  ])('%j is a pair of coordinates', (typed, latitude, longitude) =>
    expect(readPlace(typed)).toEqual({ latitude, longitude }),
  );

  it.each(['', '55.7', '55.7 37.6 1', '95, 37', '55, 190', 'Вокзал', '55.7, abc'])(
    '%j is none',
    (typed) => expect(readPlace(typed)).toBeUndefined(),
  );

  it('comes back as it was shown', () => {
    const shown = showPlace({ latitude: 55.75123456, longitude: 37.6 });
    expect(shown).toBe('55.751235, 37.6');
    expect(readPlace(shown)).toEqual({ latitude: 55.751235, longitude: 37.6 });
  });
});
