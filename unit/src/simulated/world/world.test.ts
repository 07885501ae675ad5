import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fleetOf } from '../fleet.ts';
import { listFragments, listOutages } from './fragments.ts';
import { listFixes } from './positions.ts';
import { placeAt, routes } from './route.ts';
import { type ServiceDay, simulateDay } from './service-day.ts';

const buses = fleetOf(12);
const anyDay = fc.record({
  seed: fc.integer({ min: 0, max: 1000 }),
  bus: fc.constantFrom(...buses),
  day: fc.constantFrom('2026-11-16', '2026-11-20', '2026-03-29'),
});
const simulated = (draw: { seed: number; bus: (typeof buses)[number]; day: string }): ServiceDay =>
  simulateDay(draw.seed, draw.bus, draw.day);

describe('a simulated day', () => {
  it('is the same whenever it is simulated', () => {
    fc.assert(
      fc.property(anyDay, (draw) => {
        expect(simulated(draw).laps).toEqual(simulated(draw).laps);
      }),
      { numRuns: 10 },
    );
  });

  it('lets everybody off who got on, and never carries fewer than nobody', () => {
    fc.assert(
      fc.property(anyDay, (draw) => {
        for (const lap of simulated(draw).laps) {
          const boarded = lap.visits.flatMap((v) => [v.boarded.adult, v.boarded.child]);
          const alighted = lap.visits.flatMap((v) => [v.alighted.adult, v.alighted.child]);
          const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);
          expect(sum(alighted)).toBe(sum(boarded));
          expect(lap.visits.at(-1)?.load).toBe(0);
          for (const visit of lap.visits) expect(visit.load).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('has one head through a door for everybody who boarded or left, while it is open', () => {
    fc.assert(
      fc.property(anyDay, (draw) => {
        for (const visit of simulated(draw).laps.flatMap((lap) => lap.visits)) {
          const heads = visit.doors.flatMap((door) =>
            door.crossings.map((crossing) => ({ ...crossing, door })),
          );
          const entered = heads.filter(({ direction }) => direction === 'entered').length;
          expect(entered).toBe(visit.boarded.adult + visit.boarded.child);
          expect(heads.length - entered).toBe(visit.alighted.adult + visit.alighted.child);
          for (const { atMs, door } of heads) {
            expect(atMs).toBeGreaterThan(door.openMs);
            expect(atMs).toBeLessThan(door.closeMs);
          }
        }
      }),
      { numRuns: 10 },
    );
  });

  it('shows every event of a door in exactly one fragment, unless the camera was lost', () => {
    fc.assert(
      fc.property(anyDay, (draw) => {
        const service = simulated(draw);
        const outages = listOutages(draw.seed, service);
        const doors = listFragments(draw.seed, service).filter(({ kind }) => kind === 'door');
        for (const camera of draw.bus.cameras.filter(({ live }) => !live)) {
          const mine = doors.filter((fragment) => fragment.camera === camera.stream_id);
          const shown = mine.reduce(
            (sum, one) => sum + (one.kind === 'door' ? one.scene.crossings.length : 0),
            0,
          );
          const crossed = service.laps
            .flatMap((lap) => lap.visits.flatMap((visit) => visit.doors))
            .filter(({ door }) => door === camera.door)
            .reduce((sum, door) => sum + door.crossings.length, 0);
          if (outages.some((out) => out.camera === camera.stream_id)) {
            expect(shown).toBeLessThanOrEqual(crossed);
          } else expect(shown).toBe(crossed);
        }
      }),
      { numRuns: 10 },
    );
  });

  it('drives along the street, no faster than traffic, and stands at its stops', () => {
    const [bus] = buses;
    if (bus === undefined) throw new Error('no bus');
    const service = simulateDay(1, bus, '2026-11-20');
    const [visit] = service.laps[0]?.visits.slice(5, 6) ?? [];
    if (visit === undefined) throw new Error('no visit');
    const stop = bus.route.stops[visit.stop];
    for (const fix of listFixes(1, service, visit.arrivalMs, visit.departureMs, 1000)) {
      expect(fix.speedKmh).toBe(0);
      expect(Math.abs(fix.latitude - (stop?.latitude ?? 0)) * 111_195).toBeLessThan(60);
    }
    for (const fix of listFixes(1, service, 0, Number.MAX_SAFE_INTEGER, 5000)) {
      expect(fix.speedKmh).toBeLessThan(60);
    }
  });
});

describe('the routes', () => {
  it('are closed loops with a terminal at each end', () => {
    expect(routes.map(({ name }) => name)).toEqual(['156', '156к', '670к']);
    for (const route of routes) {
      expect(placeAt(route, route.lengthM - 1).latitude).toBeCloseTo(route.path[0]?.[0] ?? 0, 3);
      expect(route.stops.filter(({ terminal }) => terminal !== undefined)).toHaveLength(2);
    }
  });
});
