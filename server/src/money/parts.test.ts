import type { CalculationParts } from '@ridewatch/contract/calculation';
import { errorOfSum, kopecksOf, roublesOf } from '@ridewatch/contract/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCalculator, DAY } from '../test/calculator.ts';
import { drive, thereAndBack } from '../test/drive.ts';
import type { TestBus } from '../test/fleet.ts';
import {
  computeDay,
  insertTestRoute,
  passengerRecord,
  positionRecords,
  sendRecords,
} from '../test/laps.ts';
import { announce } from '../test/video.ts';

const MINUTE_MS = 60_000;
const street = thereAndBack(
  [
    [0, 0],
    [4000, 0],
  ],
  500,
);

let world: Awaited<ReturnType<typeof createCalculator>>;
beforeAll(async () => {
  world = await createCalculator();
});
afterAll(() => world.server.close());

/**
 * A bus that has driven three laps with people.
 * @param prices kopecks by stop ids of `street`; without them its revenue is fare × count
 */
async function drivenBus(startMs: number, prices?: readonly (readonly [number, number, number])[]) {
  const bus = await world.newBus();
  const ids = await insertTestRoute(world.db, bus.routeId, street);
  if (prices !== undefined) {
    await world.db
      .updateTable('route_groups')
      .set({ type_calculation: 'CALCULATION' })
      .where('id', '=', bus.routeId)
      .execute();
    for (const [from, to, kopecks] of prices) {
      await world.db
        .insertInto('route_costs')
        .values({
          group_id: bus.routeId,
          from_stop_id: ids.get(from) ?? 0,
          to_stop_id: ids.get(to) ?? 0,
          cost_kopecks: kopecks,
          valid_from: '2010-01-01',
        })
        .execute();
    }
  }
  const truth = drive(street, { seed: 3, startMs, laps: 3 });
  const people = truth.laps.flatMap(({ stays }) =>
    stays.flatMap((stay, n) => {
      if (stay === null) return [];
      const [fromMs] = stay;
      const on =
        n < stays.length - 1 ? [passengerRecord(fromMs + 3000, 'entered', 1 + (n % 3))] : [];
      const off = n > 0 ? [passengerRecord(fromMs + 5000, 'exited', 1 + ((n + 1) % 3))] : [];
      return [...on, ...off];
    }),
  );
  await sendRecords(
    world.server.app,
    bus,
    [...positionRecords(truth.points), ...people],
    world.server.clock.nowMs(),
  );
  await computeDay(world.server.deps, { busId: bus.busId, day: DAY });
  return { bus, ids, truth };
}

const morningMs = Date.parse(`${DAY}T05:00:00Z`);
const iso = (ms: number): string => new Date(ms).toISOString();
const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/** The parts of the day add up to the whole. */
function expectWhole({ calculation, hours, laps, other, outside }: CalculationParts): void {
  const sum = (rows: readonly { count: number }[]) => rows.reduce((all, one) => all + one.count, 0);
  expect(sum(hours)).toBe(calculation.count);
  expect(sum([...laps, other]) - outside.count).toBe(calculation.count);
  expect(
    Math.min(other.count, outside.count, ...laps.map(({ count }) => count)),
  ).toBeGreaterThanOrEqual(0);
  const amount = [...laps, other].reduce((all, { total }) => all + kopecksOf(total), 0);
  expect(roublesOf(amount)).toBe(calculation.total);
  if (calculation.type_calculation === 'FIXED') {
    const byHour = hours.reduce((all, { total }) => all + kopecksOf(total ?? '0'), 0);
    expect(roublesOf(byHour)).toBe(calculation.total);
  }
  for (const { automatic, corrections, count } of [...hours, ...laps, other, outside]) {
    expect(automatic + corrections).toBe(count);
  }
}

describe('what the total of a fixed fare is made of', () => {
  it('is its hours and its laps, each with the people of the lap', async () => {
    const { bus } = await drivenBus(morningMs);
    await world.save(bus, { fare: '45' });
    const parts = await world.parts(bus);
    expectWhole(parts);
    const stored = await world.db
      .selectFrom('laps')
      .select(['id', 'entered'])
      .where('workplace_id', '=', bus.busId)
      .orderBy('number')
      .execute();
    expect(parts.laps.map(({ lap_id, count }) => ({ id: lap_id, entered: count }))).toEqual(stored);
    expect(parts.laps.length).toBeGreaterThanOrEqual(3);
    expect([parts.other.count, parts.no_price, parts.pending]).toEqual([0, [], false]);
  });

  it('adds up under every shift, in both directions', async () => {
    const { bus, truth } = await drivenBus(morningMs);
    await world.save(bus, { fare: '45.55' });
    const startMs = minuteOf(truth.laps[1]?.startMs ?? 0);
    const moments = [-50, -1, 0, 1, 13, 50].map((minutes) => startMs + minutes * MINUTE_MS);
    for (const calculation_event of ['ENTERED', 'EXITED']) {
      for (const [n, fromMs] of moments.entries()) {
        const untilMs = moments[n + 2];
        const shift = { shift_start: iso(fromMs), shift_end: untilMs ? iso(untilMs) : null };
        expect((await world.save(bus, { ...shift, calculation_event })).status).toBe(200);
        const parts = await world.parts(bus);
        expectWhole(parts);
        expect(parts.laps.every(({ end }) => Date.parse(end) > fromMs)).toBe(true);
        expect([parts.other.count, parts.outside.count]).toEqual([0, 0]);
      }
    }
  });

  it('names the fragments that somebody counted, with who and by how many, and shows them in hour and lap', async () => {
    const { bus, truth } = await drivenBus(morningMs);
    await world.save(bus, { fare: '45' });
    const stay = truth.laps[0]?.stays[3]?.[0] ?? 0;
    const { fragmentId } = await announce(world.server, bus, stay, 'kept');
    const before = await world.parts(bus);
    await world.ask('operator', 'POST', `/api/segments/update-events/${fragmentId}`, {
      entered_manual: { adult: 9, kids: 1 },
      exited_manual: { adult: null, kids: null },
    });
    await computeDay(world.server.deps, { busId: bus.busId, day: DAY });
    const parts = await world.parts(bus);
    expectWhole(parts);
    expect(parts.corrections).toMatchObject([
      {
        segment_id: fragmentId,
        camera_id: bus.cameras.door1,
        door: 1,
        time: iso(stay),
        ...{ count: 10, inside: true, by: 'operator' },
      },
    ]);
    const [correction] = parts.corrections;
    const added = correction?.corrections ?? 0;
    expect(added).toBe(10 - (correction?.automatic ?? 0));
    expect(parts.calculation.count - before.calculation.count).toBe(added);
    expect(parts.laps.map(({ corrections }) => corrections)).toContain(added);
    expect(parts.hours.map(({ corrections }) => corrections)).toContain(added);
  });

  it('says how many fragments of the day are reviewed, of all that the count tab lists', async () => {
    const bus = await world.newBus();
    const withoutVideo = await announce(world.server, bus, morningMs, 'adding');
    await announce(world.server, bus, morningMs + MINUTE_MS, 'kept');
    await announce(world.server, bus, morningMs, 'kept', { camera: 'cabin' });
    await world.ask('operator', 'POST', `/api/segments/reviewed/${withoutVideo.fragmentId}`, {});
    const { segments } = await world.busDay(bus);
    const listed = segments.filter(({ cameraId }) => cameraId === bus.cameras.door1);
    const reviewed = listed.filter(({ reviewed_at }) => reviewed_at !== null);
    const { fragments } = await world.parts(bus);
    expect(fragments).toEqual({ total: listed.length, reviewed: reviewed.length });
    expect(fragments).toEqual({ total: 2, reviewed: 1 });
  });

  it('has the people of a lap past midnight on the day of each', async () => {
    const midnightMs = Date.parse('2026-11-19T21:00:00Z');
    const { bus } = await drivenBus(midnightMs - 20 * MINUTE_MS);
    await computeDay(world.server.deps, { busId: bus.busId, day: '2026-11-19' });
    const [evening, morning] = [await world.parts(bus, '2026-11-19'), await world.parts(bus)];
    for (const parts of [evening, morning]) expectWhole(parts);
    const night = evening.laps.at(-1);
    expect(morning.laps[0]).toMatchObject({ lap_id: night?.lap_id, date: '2026-11-19' });
    expect((night?.count ?? 0) * (morning.laps[0]?.count ?? 0)).toBeGreaterThan(0);
  });
});

describe('what the total by prices is made of', () => {
  const all = street.stops.map(({ id }) => id);
  const prices = all.flatMap((from) =>
    all.flatMap((to) => (from < to ? [[from, to, 4000 + 100 * (to % 7)] as const] : [])),
  );

  it('is the laps that start in the shift, each whole, with the root of their squared errors', async () => {
    const { bus } = await drivenBus(morningMs, prices);
    const whole = await world.parts(bus);
    expectWhole(whole);
    expect(whole.calculation).toMatchObject({ type_calculation: 'CALCULATION', no_price: 0 });
    expect(kopecksOf(whole.calculation.total)).toBeGreaterThan(0);
    const errors = whole.laps.map(({ error }) => kopecksOf(error ?? '0'));
    expect(whole.calculation.total_error).toBe(roublesOf(errorOfSum(errors)));
    const second = whole.laps[1];
    const start = minuteOf(Date.parse(second?.start ?? ''));
    // A minute before the end of the second lap: it counts whole all the same.
    const end = minuteOf(Date.parse(second?.end ?? '')) - MINUTE_MS;
    await world.save(bus, { shift_start: iso(start), shift_end: iso(end) });
    const parts = await world.parts(bus);
    expectWhole(parts);
    expect(parts.laps.map(({ lap_id, total }) => [lap_id, total])).toEqual([
      [second?.lap_id, second?.total],
    ]);
    expect(parts.calculation).toMatchObject({
      total: second?.total,
      total_error: second?.error,
    });
  });

  it('adds up under every shift: its laps with all their people, less those outside of it', async () => {
    const { bus, truth } = await drivenBus(morningMs, prices);
    const startMs = minuteOf(truth.laps[1]?.startMs ?? 0);
    const moments = [-50, -1, 0, 1, 13, 50].map((minutes) => startMs + minutes * MINUTE_MS);
    let cut = 0;
    for (const calculation_event of ['ENTERED', 'EXITED']) {
      for (const [n, fromMs] of moments.entries()) {
        const untilMs = moments[n + 2];
        const shift = { shift_start: iso(fromMs), shift_end: untilMs ? iso(untilMs) : null };
        expect((await world.save(bus, { ...shift, calculation_event })).status).toBe(200);
        const parts = await world.parts(bus);
        expectWhole(parts);
        cut += parts.outside.count;
      }
    }
    expect(cut).toBeGreaterThan(0);
  });

  it('leaves out a lap that starts in the minute before the shift', async () => {
    const { bus } = await drivenBus(morningMs, prices);
    const { laps } = await world.parts(bus);
    const start = minuteOf(Date.parse(laps[1]?.start ?? '')) + MINUTE_MS;
    await world.save(bus, { shift_start: iso(start) });
    const parts = await world.parts(bus);
    expect(parts.laps.map(({ number }) => number)).toEqual(
      laps.slice(2).map(({ number }) => number),
    );
  });

  it('names the rides without a price, which add up to the number beside the total', async () => {
    const missing = all[4];
    const { bus, ids } = await drivenBus(
      morningMs,
      prices.filter(([, to]) => to !== missing),
    );
    const { calculation, no_price: pairs, laps } = await world.parts(bus);
    expect(calculation.no_price).toBeGreaterThan(0);
    expect(new Set(pairs.map(({ to_stop_id }) => to_stop_id))).toEqual(
      new Set([ids.get(missing ?? 0)]),
    );
    expect(pairs.every(({ from_stop, to_stop }) => from_stop !== '' && to_stop !== '')).toBe(true);
    const sum = pairs.reduce((people, pair) => people + pair.people, 0);
    expect(Math.abs(sum - calculation.no_price)).toBeLessThan(0.05 * (pairs.length + 1));
    const known = new Set(laps.map(({ lap_id }) => lap_id));
    expect(pairs.every(({ lap_id }) => known.has(lap_id))).toBe(true);
  });

  it('says from a count by hand on that it waits, until it has followed, even if nothing changes', async () => {
    const { bus, truth } = await drivenBus(morningMs, prices);
    const day = { busId: bus.busId, day: DAY };
    const startMs = truth.laps[1]?.stays[2]?.[0] ?? 0;
    const { fragmentId } = await announce(world.server, bus, startMs, 'kept');
    const count = (adult: number | null) =>
      world.ask('operator', 'POST', `/api/segments/update-events/${fragmentId}`, {
        entered_manual: { adult, kids: null },
        exited_manual: { adult: null, kids: null },
      });
    const states = async () => {
      const { calculation } = await world.busDay(bus);
      const parts = await world.parts(bus);
      return [calculation?.pending, parts.calculation.pending];
    };
    await computeDay(world.server.deps, day);
    expect(await states()).toEqual([false, false]);
    const before = await world.calculation(bus);
    await count(9);
    expect(await states()).toEqual([true, true]);
    const meanwhile = await world.calculation(bus);
    expect([meanwhile.total, meanwhile.count]).toEqual([before.total, expect.any(Number)]);
    expect(meanwhile.count).not.toBe(before.count);
    await computeDay(world.server.deps, day);
    expect(await states()).toEqual([false, false]);
    const followed = await world.calculation(bus);
    expect(kopecksOf(followed.total)).toBeGreaterThan(kopecksOf(before.total));
    // The same people counted again: money waits, and stays as it is.
    await count(9);
    await computeDay(world.server.deps, day);
    expect([await states(), (await world.calculation(bus)).total]).toEqual([
      [false, false],
      followed.total,
    ]);
  });

  it('does not say so of records that come while the bus drives, nor of a fare', async () => {
    const { bus } = await drivenBus(morningMs, prices);
    await world.send(bus, [[`${DAY}T17:59:00Z`, 1]]);
    expect((await world.calculation(bus)).pending).toBe(false);
    const fixed = await drivenBus(morningMs);
    await world.save(fixed.bus, { calculation_event: 'EXITED' });
    expect((await world.calculation(fixed.bus)).pending).toBe(false);
  });

  it('keeps the money of a past day whose bus is put on another route afterwards', async () => {
    const { bus } = await drivenBus(morningMs, prices);
    const { total } = await world.calculation(bus);
    await world.db
      .updateTable('workplace_settings')
      .set({ group_id: null })
      .where('workplace_id', '=', bus.busId)
      .execute();
    const after = await world.calculation(bus as TestBus);
    expect([after.type_calculation, after.total]).toEqual(['CALCULATION', total]);
  });
});
