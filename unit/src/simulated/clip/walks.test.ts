import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEIGHT } from './frame.ts';
import { isInView, mostPeopleInView } from './people-in-view.ts';
import type { Crossing, DoorScene } from './scene.ts';
import { placesAt, planWalks, SILL_Y } from './walks.ts';

const START = Date.parse('2026-06-10T11:20:00Z');

function stop(crossings: readonly Crossing[], lastsMs: number, seed: number): DoorScene {
  const endMs = START + lastsMs;
  const [doorOpenMs, doorCloseMs] = [START + 2000, endMs - 3000];
  const [busName, zone] = ['А 472 КМ', 'Europe/Moscow'];
  return {
    busName,
    door: 1,
    zone,
    startMs: START,
    endMs,
    doorOpenMs,
    doorCloseMs,
    crossings,
    seed,
  };
}

/** Stops of 6 to 120 seconds with up to thirty crossings at any moments, also equal ones. */
const stops = fc
  .tuple(
    fc.integer({ min: 6000, max: 120_000 }),
    fc.array(
      fc.record({
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        direction: fc.constantFrom('entered' as const, 'exited' as const),
        passenger: fc.constantFrom('adult' as const, 'child' as const),
      }),
      { maxLength: 30 },
    ),
    fc.nat(),
  )
  .map(([lastsMs, people, seed]) =>
    stop(
      people.map(({ share, direction, passenger }) => {
        return { atMs: START + 2000 + Math.round(share * (lastsMs - 5000)), direction, passenger };
      }),
      lastsMs,
      seed,
    ),
  );

describe('people walking through a door', () => {
  it('have their heads over the sill at the given moment, and never go back', () => {
    fc.assert(
      fc.property(stops, (scene) => {
        const walks = planWalks(scene);
        expect(walks).toHaveLength(scene.crossings.length);
        for (const walk of walks) {
          const { atMs, direction } = walk.crossing;
          const yAt = (momentMs: number) =>
            placesAt(walks, momentMs).find((place) => place.walk === walk)?.y ?? Number.NaN;
          expect(yAt(atMs)).toBeCloseTo(SILL_Y, 6);
          const down = direction === 'entered' ? 1 : -1;
          for (let back = 100; back < 500; back += 100) {
            expect((yAt(atMs - back) - SILL_Y) * down).toBeLessThan(0);
            expect((yAt(atMs + back) - SILL_Y) * down).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('leave the frame on the side they went to', () => {
    const scene = stop(
      [
        { atMs: START + 4000, direction: 'entered', passenger: 'adult' },
        { atMs: START + 5000, direction: 'exited', passenger: 'child' },
      ],
      15_000,
      3,
    );
    const walks = planWalks(scene);
    const last = walks.map((walk) => {
      const seen = Array.from({ length: 130 }, (_, index) => START + index * 100)
        .flatMap((momentMs) => placesAt(walks, momentMs))
        .filter((place) => place.walk === walk);
      return seen.at(-1)?.y ?? Number.NaN;
    });
    expect(last[0]).toBeGreaterThan(HEIGHT);
    expect(last[1]).toBeLessThan(0);
  });

  it('keep apart when they cross one after another', () => {
    for (let seed = 0; seed < 40; seed++) {
      const crossings = Array.from({ length: 30 }, (_, index): Crossing => {
        const direction = index < 14 ? 'exited' : 'entered';
        const passenger = (index + seed) % 5 === 0 ? 'child' : 'adult';
        return {
          atMs: START + 3000 + index * 700 + ((index * 37 + seed) % 5) * 40,
          direction,
          passenger,
        };
      });
      const walks = planWalks(stop(crossings, 30_000, seed));
      for (let momentMs = START; momentMs < START + 30_000; momentMs += 100) {
        expect(closest(placesAt(walks, momentMs))).toBeGreaterThan(25);
      }
    }
  });

  it('stand in line at the door before it opens, apart, when they are many', () => {
    for (let seed = 0; seed < 40; seed++) {
      const crossings = Array.from({ length: 14 }, (_, index): Crossing => {
        const direction = index < 7 ? 'exited' : 'entered';
        return { atMs: START + 4000 + index * 900, direction, passenger: 'adult' };
      });
      const crowd = stop(crossings, 25_000, seed);
      const before = placesAt(planWalks(crowd), crowd.doorOpenMs).filter(isInView);
      expect(before.length).toBeGreaterThan(3);
      expect(mostPeopleInView(crowd)).toBeGreaterThan(4);
      expect(closest(before)).toBeGreaterThan(25);
      const few = stop(crossings.slice(4, 10), 25_000, seed);
      expect(mostPeopleInView(few)).toBeLessThan(6);
    }
  });

  it('is as many as the fullest frame shows', () => {
    expect(mostPeopleInView(stop([], 6000, 1))).toBe(0);
    const alone: Crossing = { atMs: START + 3000, direction: 'entered', passenger: 'adult' };
    expect(mostPeopleInView(stop([alone], 8000, 1))).toBe(1);
    const later: Crossing = { ...alone, atMs: START + 30_000 };
    expect(mostPeopleInView(stop([alone, later], 40_000, 1))).toBe(1);
    const beside: Crossing = { ...alone, direction: 'exited', atMs: alone.atMs + 400 };
    expect(mostPeopleInView(stop([alone, beside], 8000, 1))).toBe(2);
  });
});

function closest(places: readonly { x: number; y: number }[]): number {
  const pairs = places.flatMap((one, index) =>
    places.slice(index + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
  );
  return Math.min(Number.POSITIVE_INFINITY, ...pairs);
}
