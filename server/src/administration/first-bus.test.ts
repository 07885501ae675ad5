// The first bus of a unit gets what the unit has sent before, and a wrong moment of a move can be mended.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPositionColumns } from '../positions/read.ts';
import { deleteTestUnit, insertTestBus, type TestBus, type TestFleet } from '../test/fleet.ts';
import { askJson, sendBatch } from '../test/requests.ts';
import type { TestServer } from '../test/test-deps.ts';
import { createWholeServer } from '../test/whole-server.ts';

/** In Moscow, the midnight between the two days. */
const MIDNIGHT_MS = Date.parse('2026-11-20T21:00:00Z');
const [LAST_DAY, FIRST_DAY] = ['2026-11-20', '2026-11-21'];
const NOW_MS = MIDNIGHT_MS + 30 * 60_000;
const DAY_MIN = 24 * 60;
const DAY_MS = DAY_MIN * 60_000;

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  ({ server, fleet } = await createWholeServer(NOW_MS));
  for (const login of ['admin', 'integrator']) tokens[login] = await server.signIn(login);
});
afterAll(() => server.close());

/** A bus without a unit, and a spare unit that has been in no bus. */
let bus: TestBus;
let unit: { readonly id: number; readonly credential: string };
let stream: string;
let seq = 0;
beforeEach(async () => {
  server.clock.set(NOW_MS);
  bus = await freshBus(false);
  const made = await ask('POST', '/api/admin/units', { device_id: `spare-${bus.busId}` });
  unit = { id: made.body.unit.id, credential: made.body.credential };
  stream = randomUUID();
});

async function freshBus(hasUnit = true): Promise<TestBus> {
  const { db } = server.deps.database;
  const made = await insertTestBus(db, fleet.first, `Автобус ${randomUUID()}`, 'Europe/Moscow');
  if (!hasUnit) await deleteTestUnit(db, made.unitId);
  return made;
}

const ask = (method: 'GET' | 'POST' | 'PUT', url: string, body?: object, login = 'admin') =>
  askJson(server, tokens[login], method, url, body);
const query = (text: string, values?: unknown[]) => server.deps.database.pool.query(text, values);
const momentAt = (minute: number): string => new Date(MIDNIGHT_MS + minute * 60_000).toISOString();
const put = (busId: number | null, minute?: number, { id } = unit) =>
  ask('PUT', `/api/admin/units/${id}`, {
    ...{ bus_id: busId, ...(minute !== undefined && { moved_from: momentAt(minute) }) },
  });
async function moved(...to: Parameters<typeof put>) {
  const { status, body } = await put(...to);
  expect(status, JSON.stringify(body)).toBe(200);
  // Every process learns of it within this time.
  server.clock.advance(4000);
  return body;
}
async function store(minutes: readonly number[], { credential } = unit): Promise<void> {
  const records = minutes.flatMap((minute) => [
    {
      ...{ type: 'passenger', seq: ++seq, time: momentAt(minute), door: 1 },
      ...{ direction: 'entered', passenger: 'adult' },
    },
    {
      ...{ type: 'position', seq: ++seq, time: momentAt(minute), latitude: 55.75 },
      ...{ longitude: 37.6 + minute / 100_000, speed_kmh: 30 },
    },
  ]);
  const answer = await sendBatch(server, credential, { stream, records });
  expect(answer.json(), answer.body).toMatchObject({ refused: [] });
}

/** A bus whose unit has recorded 9 days ago and left a day later. */
async function leftLongAgo(): Promise<TestBus> {
  const other = await freshBus();
  const its = { id: other.unitId, credential: other.credential };
  server.clock.set(NOW_MS - 8 * DAY_MS);
  await store([-9 * DAY_MIN], its);
  await moved(null, -8 * DAY_MIN, its);
  server.clock.set(NOW_MS);
  stream = randomUUID();
  return other;
}

async function peopleOf({ busId }: TestBus, day: string): Promise<number> {
  const url = `/api/segments/day-segments?workplaceId=${busId}&date=${day}`;
  const { body } = await ask('GET', url);
  return body.devices.reduce(
    (sum: number, one: { totalEntered: number }) => sum + one.totalEntered,
    0,
  );
}
async function minutesOf({ busId }: TestBus): Promise<number[]> {
  const { db } = server.deps.database;
  const { timeMs } = await readPositionColumns(db, busId, 0, Date.UTC(2100));
  return [...timeMs].map((ms) => (ms - MIDNIGHT_MS) / 60_000).sort((a, b) => a - b);
}
const daysOf = async (
  table: 'calculations' | 'lap_days',
  { busId }: TestBus = bus,
): Promise<string[]> => {
  const text = `select day::text from ${table} where workplace_id = $1 order by 1`;
  const { rows } = await query(text, [busId]);
  return rows.map(({ day }) => day);
};
const lastMove = async () => {
  const text = "select after from audit_log where action = 'move_unit' order by id desc limit 1";
  return (await query(text)).rows[0].after;
};

describe('the first bus of a unit', () => {
  it('has all that the unit sent before, with its days, laps and money', async () => {
    await store([-20, -5, 10]);
    const unitInBus = await moved(bus.busId);
    expect(unitInBus).toMatchObject({ bus: { id: bus.busId }, assigned_from: null });
    expect([await peopleOf(bus, LAST_DAY), await peopleOf(bus, FIRST_DAY)]).toEqual([2, 1]);
    expect(await minutesOf(bus)).toEqual([-20, -5, 10]);
    expect(await daysOf('calculations')).toEqual([LAST_DAY, FIRST_DAY]);
    expect(await daysOf('lap_days')).toEqual(expect.arrayContaining([LAST_DAY, FIRST_DAY]));
    expect(await lastMove()).toMatchObject({ moved_from: null });
    // A backlog that is older than the first record that was there, too.
    await store([-30, 20]);
    expect(await minutesOf(bus)).toEqual([-30, -20, -5, 10, 20]);
    expect(await peopleOf(bus, LAST_DAY)).toBe(3);
  });

  const setUp = async () => {
    const planned = {
      ...{ name: `Автобус ${randomUUID()}`, type: 'VMS', timezone: 'Europe/Moscow', group: null },
      ...{ gps_trackable: true, device_id: `spare-${bus.busId}`, cameras: [] },
    };
    const plan = { customers: [{ name: 'Парк', groups: [], buses: [planned] }] };
    const { status, body } = await ask('POST', '/api/fleet', plan);
    return { status, body, made: { ...bus, busId: Number(body.units?.[0]?.bus_id) } };
  };

  it('has all of that also when a plan of a fleet names it', async () => {
    await store([-20, -5, 10]);
    const { status, body, made } = await setUp();
    expect(status, JSON.stringify(body)).toBe(200);
    server.clock.advance(4000);
    expect([await peopleOf(made, LAST_DAY), await peopleOf(made, FIRST_DAY)]).toEqual([2, 1]);
    expect(await minutesOf(made)).toEqual([-20, -5, 10]);
    expect(await daysOf('calculations', made)).toEqual([LAST_DAY, FIRST_DAY]);
    await store([-30, 20]);
    expect(await minutesOf(made)).toEqual([-30, -20, -5, 10, 20]);
  });

  it('is none that a plan of a fleet names while the unit is in test mode', async () => {
    await store([-20]);
    await query('update units set test_since = now() where id = $1', [unit.id]);
    const { status, body } = await setUp();
    const refusal = [status, body.field, body.current?.cause];
    expect(refusal).toEqual([409, 'customers.0.buses.0.device_id', 'in_test']);
  });

  it('has records of months, also of days with a gap between them', async () => {
    await store([-90 * DAY_MIN, -20]);
    await moved(bus.busId);
    expect(await minutesOf(bus)).toEqual([-90 * DAY_MIN, -20]);
    expect(await daysOf('calculations')).toEqual(['2026-08-23', LAST_DAY]);
  });

  it('has none of the time in which another unit sat in it', async () => {
    const other = await freshBus();
    await store([-20, 5], { id: other.unitId, credential: other.credential });
    await moved(null, 10, { id: other.unitId, credential: other.credential });
    await store([-15, 12, 20]);
    await moved(other.busId);
    expect(await minutesOf(other)).toEqual([-20, 5, 12, 20]);
    expect([await peopleOf(other, LAST_DAY), await peopleOf(other, FIRST_DAY)]).toEqual([1, 3]);
  });

  it('has none of that time also when the other unit left more than 7 days ago', async () => {
    const other = await leftLongAgo();
    await store([-10 * DAY_MIN, -3 * DAY_MIN, 20]);
    const since = momentAt(-8 * DAY_MIN);
    expect(await moved(other.busId)).toMatchObject({ assigned_from: since });
    expect(await minutesOf(other)).toEqual([-9 * DAY_MIN, -3 * DAY_MIN, 20]);
    // Of the days since then only those that have records.
    expect(await daysOf('calculations', other)).toEqual([
      ...['2026-11-12', '2026-11-18', FIRST_DAY],
    ]);
  });

  it('of a unit that has sent nothing begins when the other one left, however long ago', async () => {
    const other = await leftLongAgo();
    const since = momentAt(-8 * DAY_MIN);
    expect(await moved(other.busId)).toMatchObject({ assigned_from: since });
    await store([-10 * DAY_MIN, -3 * DAY_MIN, 20]);
    expect(await minutesOf(other)).toEqual([-9 * DAY_MIN, -3 * DAY_MIN, 20]);
  });

  it('has days of a year with records since the other unit left; a move of more is refused', async () => {
    const other = await leftLongAgo();
    const past = `update past_assignments set from_at = '-infinity', until_at = '2025-01-01'
      where workplace_id = $1`;
    await query(past, [other.busId]);
    const days = Array.from({ length: 367 }, (_, day) => 5 - day * DAY_MIN);
    for (let from = 0; from < days.length; from += 60) await store(days.slice(from, from + 60));
    const { status, body } = await put(other.busId);
    expect([status, body.field, body.current?.cause]).toEqual([409, 'moved_from', 'too_much']);
    await moved(other.busId, 5 - 6 * DAY_MIN);
    expect(await minutesOf(other)).toEqual(days.slice(0, 7).reverse());
  });

  it('has what came from a moment on, where the move names one', async () => {
    await store([-20, 10]);
    expect(await moved(bus.busId, 0)).toMatchObject({ assigned_from: momentAt(0) });
    expect([await minutesOf(bus), await peopleOf(bus, LAST_DAY)]).toEqual([[10], 0]);
  });

  it('of a unit that has sent nothing yet begins at the moment that the move names, or always', async () => {
    expect(await moved(bus.busId, 0)).toMatchObject({ assigned_from: momentAt(0) });
    await store([-20, 10]);
    expect(await minutesOf(bus)).toEqual([10]);
  });

  it('is forgotten with its records when the unit leaves it at the moment at which it came', async () => {
    const wrong = await freshBus(false);
    await store([-20, 10]);
    await moved(wrong.busId, -25);
    expect(await moved(null, -25)).toMatchObject({ bus: null, assigned_from: null });
    await moved(bus.busId);
    expect([await minutesOf(wrong), await peopleOf(wrong, LAST_DAY)]).toEqual([[], 0]);
    expect([await minutesOf(bus), await peopleOf(bus, LAST_DAY)]).toEqual([[-20, 10], 1]);
  });

  it('is not one that a unit comes to from another bus', async () => {
    await store([-20]);
    await moved(bus.busId);
    await moved(null, 0);
    await store([5]);
    const next = await freshBus(false);
    await moved(next.busId, 10);
    await store([20]);
    expect([await minutesOf(bus), await minutesOf(next)]).toEqual([[-20], [20]]);
  });
});

describe('the moment of a move that was wrong', () => {
  it('is put earlier, and the bus has the records since then', async () => {
    await store([-20, -5, 10]);
    await moved(bus.busId, 20);
    expect(await minutesOf(bus)).toEqual([]);
    expect(await moved(bus.busId, -10)).toMatchObject({ assigned_from: momentAt(-10) });
    expect(await minutesOf(bus)).toEqual([-5, 10]);
    expect([await peopleOf(bus, LAST_DAY), await peopleOf(bus, FIRST_DAY)]).toEqual([1, 1]);
    expect(await lastMove()).toMatchObject({ assigned_from: momentAt(-10) });
    await store([-8, -15]);
    expect(await minutesOf(bus)).toEqual([-8, -5, 10]);
  });

  it('is refused with its field where it cannot be, and never passed over', async () => {
    const first = await freshBus(false);
    await store([-20]);
    await moved(first.busId);
    await moved(null, -10);
    await store([0]);
    await moved(bus.busId, 10);
    const refusal = async (...to: Parameters<typeof put>) => {
      const { status, body } = await put(...to);
      return [status, body.field, body.current?.cause];
    };
    expect(await refusal(bus.busId, -15)).toEqual([409, 'moved_from', 'came_later']);
    expect(await refusal(bus.busId, 15)).toEqual([400, 'moved_from', undefined]);
    expect(await refusal(bus.busId, 60)).toEqual([400, 'moved_from', 'future']);
    expect(await refusal(bus.busId, -8 * DAY_MIN)).toEqual([400, 'moved_from', 'too_old']);
    // It is so already.
    expect((await put(bus.busId, 10)).status).toBe(200);
    expect(await moved(bus.busId, -10)).toMatchObject({ assigned_from: momentAt(-10) });
    expect(await minutesOf(bus)).toEqual([0]);
    await moved(null, 20);
    expect(await refusal(null, 15)).toEqual([400, 'moved_from', undefined]);
  });

  it('is refused before another unit left the bus', async () => {
    const other = await freshBus();
    const its = { id: other.unitId, credential: other.credential };
    await store([-20], its);
    await moved(null, 0, its);
    await store([-15, 5]);
    await moved(other.busId, 10);
    const { status, body } = await put(other.busId, -10);
    expect([status, body.field, body.current?.cause]).toEqual([409, 'moved_from', 'other_unit']);
  });
});
