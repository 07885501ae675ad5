import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { busDay } from './day.ts';
import { planFleet } from './plan.ts';
import { listTold, type Told } from './told.ts';

const { buses, plan } = planFleet(1, 1, 'Europe/Moscow', ['egts', 'jt808', 'osmand']);
const others = buses.slice(1).map((bus) => ({ bus, day: busDay(1, bus, '2026-11-20') }));
const people = (told: readonly Told[]) => told.filter((one) => one.kind === 'people');

describe.each(others)('what the unit of $bus.deviceId tells', ({ bus, day }) => {
  const byOpening = bus.doors === 1;
  const tell = (fromMs: number, toMs: number): Told[] =>
    listTold(day, { seed: 1, fromMs, toMs, positionsEveryMs: 5000, byOpening });
  const whole = tell(day.startMs, day.endMs);

  it('does not depend on how the rush hour is cut into seconds', () => {
    const fromMs = day.startMs + 7 * 3_600_000;
    const seconds = 3600;
    const hour = tell(fromMs, fromMs + seconds * 1000);
    expect(people(hour).length).toBeGreaterThan(10);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: seconds }), { maxLength: 9 }), (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), seconds].map((s) => fromMs + s * 1000);
        const parts = ends.flatMap((toMs, n) => tell(ends[n - 1] ?? fromMs, toMs));
        expect(parts).toEqual(hour);
      }),
      { numRuns: 20 },
    );
  });

  it('has everybody who passed a door, all of them adults, within the hour', () => {
    const key = (door: number, way: string, ms: number) =>
      `${door} ${way} ${Math.floor(ms / 3_600_000)}`;
    const told = new Map<string, number>();
    const add = (name: string, count: number) => {
      if (count > 0) told.set(name, (told.get(name) ?? 0) + count);
    };
    for (const { door, fromMs, atMs, entered, exited } of people(whole)) {
      expect(Math.floor(fromMs / 60_000)).toBe(Math.floor(atMs / 60_000));
      add(key(door, 'entered', atMs), entered);
      add(key(door, 'exited', atMs), exited);
    }
    const truth = Map.groupBy(day.crossings, ({ door, direction, atMs }) =>
      key(door, direction, atMs),
    );
    expect(Object.fromEntries(told)).toEqual(
      Object.fromEntries([...truth].map(([name, all]) => [name, all.length])),
    );
    expect(new Set(day.crossings.map(({ passenger }) => passenger))).toEqual(new Set(['adult']));
  });

  it('names nothing twice: the server knows a record by its time and door', () => {
    const keys = whole.map((one) =>
      one.kind === 'people' ? `${one.atMs} ${one.fromMs} ${one.door}` : String(one.atMs),
    );
    expect(new Set(keys).size).toBe(keys.length);
    const ends = people(whole).map(({ atMs, door }) => `${atMs} ${door}`);
    expect(new Set(ends).size).toBe(ends.length);
  });
});

describe('a fleet with buses of other protocols', () => {
  it('has one of each beside its own, with an id in the protocol, and cameras only in JT/T 808', () => {
    const planned = plan.customers.flatMap((customer) => customer.buses);
    expect(
      planned.flatMap(({ protocol, protocol_id, type, cameras, device_id }) =>
        protocol === undefined ? [] : [[device_id, protocol, protocol_id, type, cameras.length]],
      ),
    ).toEqual([
      ['SIM-EGTS', 'egts', '860000000000001', 'COUNTER', 0],
      ['SIM-JT808', 'jt808', '130000000001', 'VMS', 2],
      ['SIM-OSMAND', 'osmand', 'SIM-OSMAND', 'COUNTER', 0],
    ]);
    expect(buses[0]).toEqual(planFleet(1).buses[0]);
  });

  it('has ids and names of its own in every world', () => {
    const worlds = [1, 2, 4_294_967_295].flatMap(
      (seed) => planFleet(0, seed, 'Europe/Moscow', ['egts', 'jt808', 'osmand']).buses,
    );
    for (const values of [
      worlds.map(({ name }) => name),
      worlds.map(({ deviceId }) => deviceId),
      worlds.map(({ protocol }) => `${protocol?.name} ${protocol?.id}`),
    ]) {
      expect(new Set(values).size).toBe(9);
    }
  });
});
