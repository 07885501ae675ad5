import { addDays, dayRange } from '@ridewatch/contract/day';
import { FleetPlan } from '@ridewatch/contract/fleet';
import { StreamId, UnitRecord } from '@ridewatch/contract/unit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { busDay, isWithin, mostInView } from './day.ts';
import { positionAt } from './gps.ts';
import { DEMO_BUSES, planFleet } from './plan.ts';
import { HISTORY_EVERY_MS, LIVE_EVERY_MS, listRecords, streamOf } from './records.ts';
import { lines } from './routes/lines.ts';
import { serviceOf } from './service.ts';
import { truthOf } from './truth.ts';

const { buses, plan } = planFleet(DEMO_BUSES);
const anyDay = fc.record({
  seed: fc.integer({ min: 0, max: 0xffff_ffff }),
  bus: fc.constantFrom(...buses),
  // Working days, a day off, a night with a clock change in other zones, a leap day.
  day: fc.constantFrom('2026-11-16', '2026-11-20', '2026-11-21', '2026-10-25', '2028-02-29'),
});
const few = { numRuns: 25 };
const noneQueued = { isQueued: () => false };

describe('a service', () => {
  it('lets off everybody who got on, lap by lap, and never carries fewer than nobody', () => {
    fc.assert(
      fc.property(anyDay, ({ seed, bus, day }) => {
        for (const lap of serviceOf(seed, bus, day).laps) {
          let load = 0;
          for (const visit of lap.visits) {
            load += visit.boarded.length - visit.alighted.length;
            expect(visit.loadAfter).toBe(load);
            expect(load).toBeGreaterThanOrEqual(0);
            expect(load).toBeLessThanOrEqual(bus.seats + bus.standing);
          }
          expect(load).toBe(0);
        }
      }),
      few,
    );
  });

  it('moves everybody through a door while it is open, at the stop where they get on or off', () => {
    fc.assert(
      fc.property(anyDay, ({ seed, bus, day }) => {
        for (const visit of serviceOf(seed, bus, day).laps.flatMap((lap) => lap.visits)) {
          const crossings = visit.opening?.crossings ?? [];
          const entered = crossings.filter(({ direction }) => direction === 'entered');
          expect(entered).toHaveLength(visit.boarded.length);
          expect(crossings).toHaveLength(visit.boarded.length + visit.alighted.length);
          if (visit.opening === undefined) continue;
          const { openMs, closeMs } = visit.opening;
          expect(openMs).toBeGreaterThan(visit.arrivalMs);
          expect(closeMs).toBeLessThan(visit.departureMs);
          for (const { atMs, door } of crossings) {
            expect(isWithin({ startMs: openMs, endMs: closeMs }, atMs)).toBe(true);
            expect(door).toBeLessThanOrEqual(bus.doors);
          }
        }
      }),
      few,
    );
  });

  it('drives lap after lap, and is over before the next one begins', () => {
    fc.assert(
      fc.property(anyDay, ({ seed, bus, day }) => {
        const service = serviceOf(seed, bus, day);
        for (const [index, motion] of service.motions.entries()) {
          const next = service.motions[index + 1];
          expect(motion.endMs).toBeGreaterThan(motion.startMs);
          if (next !== undefined) expect(next.startMs).toBeGreaterThanOrEqual(motion.endMs);
        }
        const tomorrow = serviceOf(seed, bus, addDays(day, 1));
        const firstMs = tomorrow.laps[0]?.visits[0]?.arrivalMs ?? Number.NaN;
        expect(service.laps.at(-1)?.endMs).toBeLessThan(firstMs);
      }),
      few,
    );
  });

  it('carries more people to the metro in the morning than from it', () => {
    const [bus] = buses;
    if (bus === undefined) throw new Error('no bus');
    const riders = Array.from({ length: 20 }, (_, seed) => serviceOf(seed, bus, '2026-11-18'))
      .flatMap(({ laps, day }) => {
        const { startMs } = dayRange(day, bus.zone);
        return laps.filter(({ departureMs }) => departureMs < startMs + 9 * 3_600_000);
      })
      .flatMap(({ visits }) => visits.flatMap(({ boarded }) => boarded));
    const { stops } = lines[bus.line].line;
    const to = riders.filter((rider) => stops[rider.to]?.attraction === 'metro').length;
    const from = riders.filter((rider) => stops[rider.from]?.attraction === 'metro').length;
    expect(to).toBeGreaterThan(1.5 * from);
  });
});

describe("a bus's local day", () => {
  it('is the same whenever it is made, and whatever the number of buses', () => {
    fc.assert(
      fc.property(anyDay, ({ seed, bus, day }) => {
        const again = planFleet(40).buses.find(({ deviceId }) => deviceId === bus.deviceId);
        if (again === undefined) throw new Error('The larger fleet lacks a bus.');
        expect(busDay(seed, again, day)).toEqual(busDay(seed, bus, day));
      }),
      { numRuns: 10 },
    );
  });

  it('shows every event of a door with a camera in exactly one fragment, unless its camera was lost', () => {
    fc.assert(
      fc.property(anyDay, ({ seed, bus, day }) => {
        const world = busDay(seed, bus, day);
        for (const camera of bus.cameras.filter(({ door }) => door !== null)) {
          const recorded = world.fragments.filter((one) => one.camera === camera);
          for (const { scene, startMs, endMs } of recorded) {
            if (scene.kind !== 'door') throw new Error('not a door');
            for (const { atMs } of scene.door.crossings) {
              expect(isWithin({ startMs, endMs }, atMs)).toBe(true);
            }
          }
          const lost = world.cameraChanges.some(
            (one) => one.camera === camera && one.status === 'offline',
          );
          for (const { atMs, door } of world.crossings) {
            if (door !== camera.door) continue;
            const shown = recorded.filter((fragment) => isWithin(fragment, atMs)).length;
            if (lost || atMs < world.startMs + 120_000) expect(shown).toBeLessThanOrEqual(1);
            else expect(shown).toBe(1);
          }
        }
      }),
      few,
    );
  });

  it('has a few fragments with more people in view than one looks over at a glance, on a working day', () => {
    const recorded = buses.filter(({ cameras }) => cameras.some(({ door }) => door !== null));
    let [rare, all] = [0, 0];
    for (const bus of recorded) {
      for (const day of ['2026-11-18', '2026-11-19', '2026-11-20']) {
        const doors = busDay(1, bus, day).fragments.filter(({ camera }) => camera.door !== null);
        const crowded = doors.map(mostInView).filter((most) => most > 4);
        expect(crowded.length).toBeGreaterThan(0);
        expect(crowded.length).toBeLessThan(20);
        expect(Math.max(...crowded)).toBeLessThan(10);
        rare += crowded.filter((most) => most > 7).length;
        all += crowded.length;
      }
    }
    expect(rare / all).toBeLessThan(0.1);
  });

  it('of a bus that runs round the clock goes on where the day before ended', () => {
    const bus = buses.find(({ departures }) => departures === 'round the clock');
    if (bus === undefined) throw new Error('no bus runs round the clock');
    const days = ['2026-11-18', '2026-11-19', '2026-11-20'].map((day) => busDay(1, bus, day));
    const whole = days.flatMap(({ crossings }) => crossings);
    expect(new Set(whole.map(({ atMs, door }) => `${atMs} ${door}`)).size).toBe(whole.length);
    const [, middle] = days;
    if (middle === undefined) throw new Error('no day');
    expect(middle.services.length).toBeGreaterThan(1);
    const entered = whole.filter(({ direction }) => direction === 'entered').length;
    expect(Math.abs(2 * entered - whole.length)).toBeLessThan(60);
  });

  it('has its truth in sums of what it is made of', () => {
    fc.assert(
      fc.property(anyDay, ({ seed, bus, day }) => {
        const world = busDay(seed, bus, day);
        const truth = truthOf(seed, world);
        const sum = (values: readonly { adult: number; kids: number }[]): number =>
          values.reduce((total, { adult, kids }) => total + adult + kids, 0);
        expect(sum(truth.hours.map(({ entered }) => entered))).toBe(sum([truth.entered]));
        expect(sum(truth.hours.map(({ exited }) => exited))).toBe(sum([truth.exited]));
        expect(sum([truth.entered, truth.exited])).toBe(world.crossings.length);
        for (const lap of truth.laps) {
          expect(sum(lap.stops.map(({ boarded }) => boarded))).toBe(sum([lap.boarded]));
          expect(lap.alighted).toEqual(lap.boarded);
        }
      }),
      few,
    );
  });
});

describe('what a unit tells', () => {
  it('is what the contract says, and has each number once', () => {
    const [bus] = buses;
    if (bus === undefined) throw new Error('no bus');
    const world = busDay(7, bus, '2026-11-20');
    const records = listRecords(world, {
      seed: 7,
      fromMs: world.startMs,
      toMs: world.endMs,
      positionsEveryMs: HISTORY_EVERY_MS,
      ...noneQueued,
    });
    for (const record of records) expect(() => UnitRecord.parse(record)).not.toThrow();
    expect(new Set(records.map(({ seq }) => seq)).size).toBe(records.length);
    expect(StreamId.safeParse(streamOf(7, world)).success).toBe(true);
  });

  it('does not depend on how the day is cut', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ seed, bus, day }, share) => {
          const world = busDay(seed, bus, day);
          const middleMs = Math.floor(world.startMs + (world.endMs - world.startMs) * share);
          const told = (fromMs: number, toMs: number): UnitRecord[] =>
            listRecords(world, {
              seed,
              fromMs,
              toMs,
              positionsEveryMs: LIVE_EVERY_MS,
              ...noneQueued,
            });
          const key = ({ seq, time }: UnitRecord): string => `${seq} ${time}`;
          const parts = [...told(world.startMs, middleMs), ...told(middleMs, world.endMs)];
          expect(parts.map(key).sort()).toEqual(told(world.startMs, world.endMs).map(key).sort());
        },
      ),
      { numRuns: 5 },
    );
  });

  it('puts a standing bus at its stop and a driving one on its street', () => {
    const [bus] = buses;
    if (bus === undefined) throw new Error('no bus');
    const world = busDay(1, bus, '2026-11-20');
    const { stops } = lines[bus.line].line;
    for (const visit of world.laps.flatMap((lap) => lap.visits)) {
      const fix = positionAt(1, world, Math.ceil(visit.arrivalMs / 1000) * 1000 + 3000);
      const stop = stops[visit.stop];
      if (typeof fix.latitude !== 'number' || stop === undefined) continue;
      expect(fix.speed_kmh).toBeLessThan(2);
      expect(Math.abs(fix.latitude - stop.latitude) * 111_195).toBeLessThan(8);
    }
  });
});

describe('the plan of the fleet', () => {
  it('is one that the contract allows, with every kind of bus in it', () => {
    expect(() => FleetPlan.parse(plan)).not.toThrow();
    expect(plan.customers.map(({ name }) => name)).toEqual(['Иван', 'Анна', 'ООО «Затон-Транс»']);
    const all = plan.customers.flatMap((customer) => customer.buses);
    expect(new Set(all.map(({ name }) => name)).size).toBe(DEMO_BUSES);
    expect(all.filter(({ group }) => group === null)).toHaveLength(1);
    expect(all.some(({ type }) => type === 'COUNTER')).toBe(true);
    expect(all.some(({ timezone }) => timezone === 'Asia/Yekaterinburg')).toBe(true);
    const isCabin = ({ live }: { live: boolean }): boolean => live;
    expect(all.some(({ cameras }) => cameras.length > 0 && cameras.every(isCabin))).toBe(true);
  });

  it('gives every customer another route to move a bus to, of both kinds of prices', () => {
    for (const { groups } of plan.customers) expect(groups.length).toBeGreaterThan(1);
    const groups = plan.customers.flatMap((customer) => customer.groups);
    expect(new Set(groups.map(({ name }) => name)).size).toBe(3);
    const kinds = new Set(groups.map(({ type_calculation }) => type_calculation));
    expect(kinds).toEqual(new Set(['CALCULATION', 'FIXED']));
  });

  it('names each of a thousand buses differently', () => {
    const names = planFleet(1000).buses.map(({ name }) => name);
    expect(new Set(names).size).toBe(1000);
  });

  it('has buses of its own in every world', () => {
    const worlds = [1, 2, 77].map((seed) => planFleet(20, seed).buses);
    const names = worlds.flat().flatMap(({ deviceId, name }) => [deviceId, name]);
    expect(new Set(names).size).toBe(names.length);
  });
});
