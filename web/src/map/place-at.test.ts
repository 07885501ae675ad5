import type { TrackPoint } from '@ridewatch/contract/laps';
import { describe, expect, it } from 'vitest';
import { placeAt } from './place-at.ts';

const START = Date.UTC(2026, 10, 20, 6);
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const point = (seconds: number): TrackPoint => ({
  latitude: 55 + seconds / 10_000,
  longitude: 37,
  time: at(seconds),
  speed_kmh: 20,
});

describe('where the bus was at a moment of a video', () => {
  const track = [point(0), point(10), point(20)];

  it('is between the fixes around it, looking along its way', () => {
    const place = placeAt(track, START + 15_000);
    expect(place?.latitude).toBeCloseTo(55.0015, 9);
    expect(place?.direction).toBeCloseTo(0, 6);
  });

  it('is not known before and after the track', () => {
    expect(placeAt(track, START - 1)).toBeUndefined();
    expect(placeAt(track, START + 20_001)).toBeUndefined();
    expect(placeAt([], START)).toBeUndefined();
  });

  it('looks the way it came while the bus stands, and nowhere before its first way', () => {
    const stood = { ...point(20), time: at(50) };
    expect(placeAt([...track, stood], START + 40_000)?.direction).toBeCloseTo(0, 6);
    expect(placeAt([point(20), stood], START + 40_000)?.direction).toBeNull();
  });
});
