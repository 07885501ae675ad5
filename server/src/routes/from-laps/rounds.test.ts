import { describe, expect, it } from 'vitest';
import { planeAt } from '../../laps/engine/geometry/plane.ts';
import { findHalts } from '../../laps/engine/halts.ts';
import { cleanTrack } from '../../laps/engine/track/track.ts';
import { drive, placeAt, positionsOf, roundTrip, thereAndBack } from '../../test/drive.ts';
import { findRounds, typicalRound } from './rounds.ts';

const START_MS = Date.parse('2026-03-10T03:00:00Z');
const plane = planeAt(placeAt(0, 0));

function roundsOf(
  route: ReturnType<typeof roundTrip>,
  options: { laps: number; layoverS?: number },
) {
  const truth = drive(route, { seed: 4, startMs: START_MS, ...options });
  const track = cleanTrack(positionsOf(truth.points), plane);
  const stays = findHalts(track).map(({ x, y, startMs, endMs }) => ({
    latitude: plane.latitudeOf(y),
    longitude: plane.longitudeOf(x),
    startMs,
    endMs,
    people: 0,
  }));
  return { truth, rounds: findRounds({ track, plane }, stays) };
}

describe('rounds in a day without a route', () => {
  it('of a line there and back have two legs, parted at the far end', () => {
    const line = thereAndBack(
      [
        [0, 0],
        [2400, 0],
        [2400, 1200],
      ],
      600,
    );
    const { truth, rounds } = roundsOf(line, { laps: 4 });
    expect(rounds.length).toBeGreaterThanOrEqual(3);
    for (const legs of rounds) {
      expect(legs.map(({ direction }) => direction)).toEqual(['FORWARD', 'REVERSE']);
      const [there] = legs;
      // Long stays are at the two terminals only.
      const layovers = truth.laps.flatMap(({ stays }) =>
        stays.flatMap((stay) => (stay !== null && stay[1] - stay[0] >= 200_000 ? [stay[1]] : [])),
      );
      const nearest = Math.min(...layovers.map((ms) => Math.abs(ms - (there?.startMs ?? 0))));
      expect(nearest).toBeLessThan(30_000);
    }
  });

  it('of a circle have one leg', () => {
    const circle = roundTrip(
      [
        [0, 0],
        [1500, 0],
        [1500, 1500],
        [0, 1500],
      ],
      500,
    );
    const { rounds } = roundsOf(circle, { laps: 4 });
    expect(rounds.length).toBeGreaterThanOrEqual(2);
    expect(rounds.flat().every(({ direction }) => direction === 'FORWARD')).toBe(true);
    expect(rounds.every((legs) => legs.length === 1)).toBe(true);
  });

  it('are none when the bus came back to nowhere', () => {
    const line = thereAndBack(
      [
        [0, 0],
        [300, 0],
      ],
      150,
    );
    expect(roundsOf(line, { laps: 1 }).rounds).toEqual([]);
  });

  it('have a typical one: as long as most', () => {
    const legsOf = (minutes: number) => [
      { direction: 'FORWARD' as const, startMs: 0, endMs: minutes * 60_000 },
    ];
    expect(typicalRound([90, 40, 41, 12].map(legsOf))).toEqual(legsOf(40));
    expect(typicalRound([])).toEqual([]);
  });
});
