import type { Fragment } from '@ridewatch/contract/fragments';
import type { Lap } from '@ridewatch/contract/laps';
import { describe, expect, it } from 'vitest';
import { fragmentsOfLap, fragmentToShow } from './lap-fragments.ts';
import type { Place } from './places.ts';

const at = (minute: number) => new Date(minute * 60_000).toISOString();
const fragment = (id: number, minute: number, more: Partial<Fragment> = {}) =>
  ({
    id,
    start_time: at(minute),
    end_time: at(minute + 1),
    playback_uri: null,
    ...more,
  }) as Fragment;
const lap = {
  start: at(10),
  end: at(60),
  busStopDtoList: [{ segments: [3] }, { segments: [7] }],
} as unknown as Lap;
const stop = (...fragments: number[]) => ({ stop: { segments: fragments } }) as unknown as Place;
const pause = (from: number, to: number) =>
  ({ stop: null, arrivalMs: from * 60_000, departureMs: to * 60_000 }) as unknown as Place;
const idsOf = (fragments: readonly Fragment[]) => fragments.map(({ id }) => id);

describe('the fragments of a lap', () => {
  const day = [fragment(5, 70), fragment(3, 9), fragment(1, 12), fragment(2, 30)];

  it('are those that began within it, and those of its stops, in order of time', () => {
    expect(idsOf(fragmentsOfLap(day, lap).all)).toEqual([3, 1, 2]);
  });

  it('are none while the lap is not known', () => {
    expect(fragmentsOfLap(day, undefined).all).toEqual([]);
  });

  it('of a stop are those that the server found there', () => {
    expect(idsOf(fragmentsOfLap(day, lap).of(stop(2, 5)))).toEqual([2, 5]);
  });

  it('of a pause are those that touch it', () => {
    const { of } = fragmentsOfLap(day, lap);
    expect(idsOf(of(pause(12, 31)))).toEqual([1, 2]);
    expect(idsOf(of(pause(40, 50)))).toEqual([]);
    expect(of({ ...pause(1, 2), arrivalMs: null })).toEqual([]);
  });
});

describe('the fragment that is shown of a place', () => {
  const videos = [fragment(1, 1), fragment(2, 2, { playback_uri: '/2' }), fragment(3, 3)];

  it('is the chosen one', () => expect(fragmentToShow(videos, 3)?.id).toBe(3));
  it('else the first with a video', () => expect(fragmentToShow(videos, undefined)?.id).toBe(2));
  it('else the first', () => expect(fragmentToShow(videos.slice(2), 99)?.id).toBe(3));
  it('else none', () => expect(fragmentToShow([], undefined)).toBeUndefined());
});
