import type { TrackPoint } from '@ridewatch/contract/laps';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullBus, stretchesByLoad, stretchesBySpeed } from './track.ts';

const START = Date.UTC(2026, 10, 20, 6);
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const point = (seconds: number, speed_kmh: number | null = 20): TrackPoint => ({
  latitude: 55 + seconds / 10_000,
  longitude: 37,
  time: at(seconds),
  speed_kmh,
});
const shades = (stretches: { shade?: number | undefined }[]) => stretches.map(({ shade }) => shade);

describe("a track's colours", () => {
  it('change where the speed does, and stay where it is unknown', () => {
    const track = [point(0, 5), point(1, 5), point(2, null), point(3, 45), point(4, 70)];
    expect(shades(stretchesBySpeed(track))).toEqual([0, 3, 4]);
  });

  it('change where people got on and off', () => {
    const track = [0, 10, 20, 30, 40].map((seconds) => point(seconds));
    const stops = [
      { departure: at(15), passengers: 30 },
      { departure: null, passengers: 99 },
      { departure: at(35), passengers: -2 },
    ];
    expect(shades(stretchesByLoad(track, stops, 40))).toEqual([0, 3, 0]);
  });

  it('are measured by the whole bus only once it is mostly full', () => {
    expect([fullBus(20, 100), fullBus(70, 100), fullBus(130, 100), fullBus(0, 0)]).toEqual([
      20, 100, 130, 1,
    ]);
  });

  it('leave no gap between stretches and lose no point', () => {
    const speeds = fc.array(fc.option(fc.integer({ min: 0, max: 90 })), { minLength: 2 });
    fc.assert(
      fc.property(speeds, (given) => {
        const track = given.map((speed, n) => point(n, speed));
        const stretches = stretchesBySpeed(track);
        const ends = stretches.map(({ places }) => places.at(-1));
        expect(stretches.slice(1).map(({ places }) => places[0])).toEqual(ends.slice(0, -1));
        const joined = stretches.flatMap(({ places }, n) => (n === 0 ? places : places.slice(1)));
        expect(joined).toEqual(track);
      }),
    );
  });
});
