import type { Fragment } from '@ridewatch/contract/fragments';
import type { Halt, Lap, LapStop } from '@ridewatch/contract/laps';
import { describe, expect, it } from 'vitest';
import { fragmentsOfLap, fragmentToShow } from './lap-fragments.ts';
import { marksOf } from './map-marks.ts';
import { placeBeside, placesOfLap } from './places.ts';

const START = Date.UTC(2026, 10, 20, 6);
const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

function stop(position: number, minute: number | null, more: Partial<LapStop> = {}): LapStop {
  const moment = minute === null ? null : at(minute);
  const found = { id: position + 1, position, name: `Stop ${position}`, direction: 'FORWARD' };
  const counts = { entered: 0, exited: 0, passengers: 0, segments: [] };
  const given = {
    ...found,
    ...counts,
    arrival: moment,
    departure: moment,
    passed_at: null,
    ...more,
  };
  return given as unknown as LapStop;
}
const halt = (minute: number, position: number | null): Halt =>
  ({ start: at(minute), end: at(minute + 2), position, entered: 0, exited: 0 }) as Halt;
const fragment = (id: number, minute: number, hasVideo = false): Fragment =>
  ({
    id,
    start_time: at(minute),
    end_time: at(minute + 1),
    playback_uri: hasVideo ? `/v/${id}` : null,
  }) as Fragment;
const lapOf = (stops: LapStop[], halts: Halt[] = []): Lap =>
  ({ start: at(0), end: at(60), busStopDtoList: stops, halts }) as unknown as Lap;

describe('the places of a lap', () => {
  it('are its stops in order, with the pauses between those around them', () => {
    const lap = lapOf([stop(0, 0), stop(1, null), stop(2, 20)], [halt(10, null), halt(20, 2)]);
    expect(placesOfLap(lap).map(({ key, kind }) => [key, kind])).toEqual([
      ['0', 'terminal'],
      ['1', 'missed'],
      [`p${START + 600_000}`, 'pause'],
      ['2', 'terminal'],
    ]);
  });

  it('have a pause before the stop that the bus drove past after it', () => {
    const passed = stop(1, null, { passed_at: at(12) });
    const places = placesOfLap(lapOf([stop(0, 0), passed, stop(2, 20)], [halt(10, null)]));
    expect(places.map(({ kind }) => kind)).toEqual(['terminal', 'pause', 'missed', 'terminal']);
    expect(places[2]).toMatchObject({ arrivalMs: null, passedMs: START + 720_000 });
  });

  it('have a terminal where the way turns', () => {
    const stops = [0, 1, 2, 3].map((n) => stop(n, n, { direction: n < 2 ? 'FORWARD' : 'REVERSE' }));
    expect(placesOfLap(lapOf(stops)).map(({ kind }) => kind)).toEqual([
      'terminal',
      'terminal',
      'stop',
      'terminal',
    ]);
  });

  it('are gone through by key, from either end when none is chosen', () => {
    const places = placesOfLap(lapOf([stop(0, 0), stop(1, 5)]));
    const step = (key: string | undefined, by: 1 | -1) => placeBeside(places, key, by)?.key;
    expect([step(undefined, 1), step(undefined, -1), step('0', 1), step('1', 1)]).toEqual([
      '0',
      '1',
      '1',
      undefined,
    ]);
  });
});

describe('the marks of a map', () => {
  it('say who got on and off, and the chosen one its name too', () => {
    const lap = lapOf([stop(0, 0, { entered: 3 }), stop(1, 5, { entered: 1, exited: 2 })]);
    const words = { pause: 'Pause', stop: 'Stop' };
    const marks = marksOf(placesOfLap(lap), '1', 'Europe/Moscow', words);
    expect(marks.map(({ name }) => name)).toEqual(['Stop 0, +3, 09:00', 'Stop 1, +1, −2, 09:05']);
    expect(marks.map(({ notes }) => notes.map(({ text }) => text))).toEqual([
      ['+3'],
      ['Stop 1', '+1', '−2'],
    ]);
  });
});

describe('the fragments of a lap', () => {
  const lap = lapOf([stop(0, 0, { segments: [1] }), stop(1, 5)], [halt(10, null)]);
  const day = [fragment(4, 11), fragment(2, 30, true), fragment(1, -1), fragment(3, 90)];
  const fragments = fragmentsOfLap(day, lap);
  const [first, , pause] = placesOfLap(lap);

  it('are those within it and those of its stops, by start', () => {
    expect(fragments.all.map(({ id }) => id)).toEqual([1, 4, 2]);
  });

  it('belong to the stop that names them, or to the pause during which they ran', () => {
    expect(first && fragments.of(first).map(({ id }) => id)).toEqual([1]);
    expect(pause && fragments.of(pause).map(({ id }) => id)).toEqual([4]);
  });

  it('show the chosen one, else the first that has a video, else the first', () => {
    expect(fragmentToShow(fragments.all, 4)?.id).toBe(4);
    expect(fragmentToShow(fragments.all, undefined)?.id).toBe(2);
    expect(fragmentToShow(fragments.all.slice(0, 2), 99)?.id).toBe(1);
    expect(fragmentToShow([], 4)).toBeUndefined();
  });
});
