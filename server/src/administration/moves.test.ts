// A unit moves to another bus from a moment on: what it recorded before stays with the old bus, also what it sends later.
import { randomUUID } from 'node:crypto';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
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

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  ({ server, fleet } = await createWholeServer(NOW_MS));
  for (const login of ['admin', 'integrator']) {
    tokens[login] = await server.signIn(login);
  }
});
afterAll(() => server.close());

/** A unit in one bus, and a bus without a unit, both of the first customer. */
let from: TestBus;
let to: TestBus;
let stream: string;
let seq = 0;
beforeEach(async () => {
  server.clock.set(NOW_MS);
  from = await freshBus(fleet.first);
  to = await freshBus(fleet.first, false);
  stream = randomUUID();
});

async function freshBus(client: number, hasUnit = true): Promise<TestBus> {
  const { db } = server.deps.database;
  const bus = await insertTestBus(db, client, `Автобус ${randomUUID()}`, 'Europe/Moscow');
  if (!hasUnit) await deleteTestUnit(db, bus.unitId);
  return bus;
}

const ask = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  url: string,
  body?: object,
  login = 'admin',
) => askJson(server, tokens[login], method, url, body);
const query = (text: string, values?: unknown[]) => server.deps.database.pool.query(text, values);
const momentAt = (minute: number): string => new Date(MIDNIGHT_MS + minute * 60_000).toISOString();
const move = (busId: number | null, minute?: number, login = 'admin', unitId = from.unitId) =>
  ask(
    'PUT',
    `/api/admin/units/${unitId}`,
    { bus_id: busId, ...(minute !== undefined && { moved_from: momentAt(minute) }) },
    login,
  );
async function moved(...to: Parameters<typeof move>) {
  const { status, body } = await move(...to);
  expect(status, JSON.stringify(body)).toBe(200);
  // Every process learns of it within this time.
  server.clock.advance(4000);
  return body;
}

const passenger = (minute: number) => ({
  ...{ type: 'passenger', seq: ++seq, time: momentAt(minute), door: 1 },
  ...{ direction: 'entered', passenger: 'adult' },
});
const position = (minute: number) => ({
  ...{ type: 'position', seq: ++seq, time: momentAt(minute), latitude: 55.75 },
  ...{ longitude: 37.6 + minute / 1000, speed_kmh: 30 },
});
const fragment = (minute: number, announced = minute + 1) => ({
  ...{ type: 'segment', seq: ++seq, time: momentAt(announced), camera: 'door1', video: 'kept' },
  ...{ start_time: momentAt(minute), end_time: momentAt(minute + 0.5) },
});
async function send(records: readonly object[], { credential } = from) {
  const answer = await sendBatch(server, credential, { stream, records });
  expect(answer.statusCode, answer.body).toBe(200);
  const { acknowledged, refused } = answer.json();
  return { acknowledged, refused };
}
/** An hour later; the token has expired. */
async function later(): Promise<void> {
  server.clock.set(NOW_MS + 3_600_000);
  tokens.admin = await server.signIn('admin');
}
/** Everything is stored, whatever the ranges are. */
async function store(minutes: readonly number[], bus = from): Promise<void> {
  const records = minutes.flatMap((minute) => [passenger(minute), position(minute)]);
  const first = records[0]?.seq ?? 0;
  expect(await send(records, bus)).toEqual({ acknowledged: [[first, seq]], refused: [] });
}

/** Reads what a bus's day shows: people, by hour too, and fragments; and the minutes of its positions. */
async function dayOf({ busId }: TestBus, day: string) {
  const url = `/api/segments/day-segments?workplaceId=${busId}&date=${day}`;
  const { body } = await ask('GET', url);
  const sum = (some: { totalEntered: number }[]): number =>
    some.reduce((total, { totalEntered }) => total + totalEntered, 0);
  return { people: sum(body.devices), fragments: body.segments.length };
}
async function minutesOf({ busId }: TestBus): Promise<number[]> {
  const { db } = server.deps.database;
  const { timeMs } = await readPositionColumns(db, busId, 0, Date.UTC(2100));
  return [...timeMs].map((ms) => (ms - MIDNIGHT_MS) / 60_000).sort((a, b) => a - b);
}
async function hoursOf({ busId }: TestBus): Promise<Record<number, number>> {
  const { rows } = await query(
    `select extract(epoch from hour_start)::int as hour, sum(entered_adults)::int as entered
     from hourly_traffic where workplace_id = $1 group by 1 order by 1`,
    [busId],
  );
  return Object.fromEntries(
    rows.map(({ hour, entered }) => [(hour * 1000 - MIDNIGHT_MS) / 3_600_000, entered]),
  );
}

describe('a unit that moves at a moment before midnight', () => {
  it('leaves its earlier records to the old bus, and has the later ones in the new bus', async () => {
    await store([-20, -5, 10]);
    await moved(to.busId, -10);
    // A backlog comes after the move, in one batch, and some of it twice.
    await store([-15, -2, 20]);
    expect([await dayOf(from, LAST_DAY), await dayOf(from, FIRST_DAY)]).toMatchObject([
      { people: 2 },
      { people: 0 },
    ]);
    expect([await dayOf(to, LAST_DAY), await dayOf(to, FIRST_DAY)]).toMatchObject([
      { people: 2 },
      { people: 2 },
    ]);
    expect([await hoursOf(from), await hoursOf(to)]).toEqual([{ '-1': 2 }, { '-1': 2, '0': 2 }]);
    expect([await minutesOf(from), await minutesOf(to)]).toEqual([
      [-20, -15],
      [-5, -2, 10, 20],
    ]);
  });

  it('has no record twice, however often and when it sends it', async () => {
    const records = [-20, -5, 10].flatMap((minute) => [passenger(minute), position(minute)]);
    const first = await send(records);
    await moved(to.busId, -10);
    expect(await send(records)).toEqual(first);
    const late = [-12, -11, 5].map((minute) => passenger(minute));
    const answer = await send(late);
    expect(await send([...late].reverse())).toEqual(answer);
    expect([await hoursOf(from), await hoursOf(to)]).toEqual([{ '-1': 3 }, { '-1': 1, '0': 2 }]);
  });

  // A lap of the day before may go on after a move soon after midnight.
  it.each([-10, 10])('has the laps of both buses worked out anew, at minute %i', async (minute) => {
    await store([-20, -5, 10]);
    await query('delete from lap_days');
    await moved(to.busId, minute);
    const { rows } = await query(
      'select workplace_id as bus, day from lap_days where asked_at is not null order by 1, 2',
    );
    expect(rows).toEqual(
      [from, to].flatMap(({ busId }) => [LAST_DAY, FIRST_DAY].map((day) => ({ bus: busId, day }))),
    );
  });

  it('has fragments in the bus where they were recorded, whenever it announces them', async () => {
    await send([fragment(-20), fragment(-5), fragment(10)]);
    await moved(to.busId, -10);
    await send([fragment(-30, 15), fragment(12)]);
    expect([await dayOf(from, LAST_DAY), await dayOf(to, LAST_DAY)]).toMatchObject([
      { fragments: 2 },
      { fragments: 1 },
    ]);
    expect([await dayOf(from, FIRST_DAY), await dayOf(to, FIRST_DAY)]).toMatchObject([
      { fragments: 0 },
      { fragments: 2 },
    ]);
  });

  it('is noted in the audit log with the moment, and the answer says since when it is there', async () => {
    await store([-20]);
    const unit = await moved(to.busId, -10);
    expect(unit).toMatchObject({ bus: { id: to.busId }, assigned_from: momentAt(-10) });
    const { rows } = await query(
      "select after from audit_log where action = 'move_unit' order by id desc limit 1",
    );
    expect(rows[0].after).toMatchObject({ bus: { id: to.busId }, moved_from: momentAt(-10) });
  });
});

describe('a unit that moves now', () => {
  it('shows the new bus in no place in which the old one was', async () => {
    await store([20]);
    const place = async ({ busId }: TestBus) =>
      (await ask('GET', `/api/gps?busId=${busId}`)).body.latitude;
    await moved(to.busId);
    server.clock.advance(10_000);
    expect([await place(from), await place(to)]).toEqual([null, null]);
    // Late records do not bring the old place back.
    await store([25]);
    server.clock.advance(10_000);
    expect([await place(from), await place(to)]).toEqual([null, null]);
    server.clock.advance(10 * 60_000);
    await store([35]);
    server.clock.advance(10_000);
    expect([await place(from), await place(to)]).toEqual([null, 55.75]);
  });

  it('goes back, and each bus keeps the records of its own time', async () => {
    await store([0, 20]);
    await moved(to.busId, 10);
    await later();
    await moved(from.busId, 40);
    await store([5, 15, 35, 45]);
    expect([await minutesOf(from), await minutesOf(to)]).toEqual([
      [0, 5, 45],
      [15, 20, 35],
    ]);
    expect([await hoursOf(from), await hoursOf(to)]).toEqual([{ '0': 3 }, { '0': 3 }]);
  });

  it('has never been away when it goes back at the moment at which it left', async () => {
    await store([-5, 10]);
    await moved(to.busId, 0);
    await store([15]);
    await moved(from.busId, 0);
    expect([await hoursOf(from), await hoursOf(to)]).toEqual([{ '-1': 1, '0': 2 }, {}]);
    expect([await minutesOf(from), await minutesOf(to)]).toEqual([[-5, 10, 15], []]);
    const { body } = await ask('GET', `/api/admin/units/${from.unitId}`);
    expect(body.assigned_from).toBeNull();
  });

  it('as a spare one belongs to no bus, and its earlier records still come to the old one', async () => {
    await store([0]);
    await moved(null, 10);
    await store([5, 15]);
    await later();
    await moved(to.busId, 40);
    await store([7, 20, 45]);
    expect([await minutesOf(from), await minutesOf(to)]).toEqual([[0, 5, 7], [45]]);
    expect([await hoursOf(from), await hoursOf(to)]).toEqual([{ '0': 3 }, { '0': 1 }]);
  });

  it('makes room for another unit, and the old bus has the records of both', async () => {
    await store([0, 5]);
    await moved(to.busId, 10);
    const made = await ask('POST', '/api/admin/units', {
      device_id: `new-${from.busId}`,
      bus_id: from.busId,
    });
    expect(made.status).toBe(200);
    const { unit, credential } = made.body;
    // Its clock was wrong: it cannot have counted in this bus before it came.
    await store([9, 12], { ...from, unitId: unit.id, credential });
    await store([8, 15]);
    expect(await minutesOf(from)).toEqual([0, 5, 8, 12]);
    expect(await minutesOf(to)).toEqual([15]);
    expect((await dayOf(from, FIRST_DAY)).people).toBe(4);
  });
});

describe('the video of the old bus', () => {
  const commands = async (): Promise<UnitCommand[]> => {
    const headers = { authorization: `Bearer ${from.credential}` };
    const answer = await server.app.inject({ url: '/unit/v1/commands?wait=0', headers });
    return answer.json<{ commands: UnitCommand[] }>().commands;
  };
  const announceTwo = async () => {
    await send([
      { type: 'camera_state', seq: ++seq, time: momentAt(-20), camera: 'door1', status: 'online' },
      fragment(-5),
      passenger(20),
    ]);
    await moved(to.busId, 10);
    await send([passenger(20)]);
  };

  it('is asked for from the unit that recorded it, wherever it sits now', async () => {
    await announceTwo();
    const { rows } = await query('select id from segments where unit_id = $1', [from.unitId]);
    const asked = await ask('PATCH', `/api/segments/set-downloading/${rows[0].id}`);
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    expect(await commands()).toMatchObject([{ kind: 'fetch_segment', segment: { stream } }]);
  });

  it('that nobody announced is asked for by the part of the range in which the unit sat there', async () => {
    await announceTwo();
    const range = (startTime: string, endTime: string, bus: TestBus) =>
      ask('POST', '/api/segments/set-downloading', {
        ...{ cameraId: bus.cameras.cabin, startTime, endTime },
      });
    expect((await range(momentAt(0), momentAt(20), from)).status).toBe(200);
    expect(await commands()).toMatchObject([
      {
        kind: 'fetch_range',
        range: { camera: 'cabin', start_time: momentAt(0), end_time: momentAt(10) },
      },
    ]);
  });
});

describe('a move is refused', () => {
  const refusal = async (...to: Parameters<typeof move>) => {
    const { status, body } = await move(...to);
    return [status, body.field, body.current];
  };
  const because = (cause: string) => [400, 'moved_from', { cause }];

  it('at moments that cannot be', async () => {
    await store([0]);
    const alone = await ask('PUT', `/api/admin/units/${from.unitId}`, { moved_from: momentAt(0) });
    expect([alone.status, alone.body.field]).toEqual([400, 'moved_from']);
    expect(await refusal(to.busId, 31)).toEqual(because('future'));
    expect(await refusal(to.busId, -8 * 24 * 60)).toEqual(because('too_old'));
    await moved(to.busId, 10);
    const since = { cause: 'came_later', since: momentAt(10) };
    expect(await refusal(from.busId, 9)).toEqual([409, 'moved_from', since]);
  });

  it('into a bus in which another unit sat until later, or sits now, which is named', async () => {
    const third = await freshBus(fleet.first);
    await store([0], third);
    await moved(to.busId, 20, 'admin', third.unitId);
    await store([0]);
    const other = { device_id: `unit-${third.busId}` };
    const sat = { cause: 'other_unit', until: momentAt(20), ...other };
    expect(await refusal(third.busId, 10)).toEqual([409, 'moved_from', sat]);
    const sits = [409, 'bus_id', { cause: 'bus_taken', ...other }];
    expect(await refusal(to.busId, 25)).toEqual(sits);
    const made = { device_id: 'новый', bus_id: to.busId };
    const { status, body } = await ask('POST', '/api/admin/units', made);
    expect([status, body.field, body.current]).toEqual(sits);
    await moved(third.busId, 20);
  });

  it('in test mode', async () => {
    await store([0]);
    await ask('PUT', `/api/admin/units/${from.unitId}/test`, { test: true });
    expect(await refusal(to.busId)).toEqual([409, 'bus_id', { cause: 'in_test' }]);
    await ask('PUT', `/api/admin/units/${from.unitId}/test`, { test: false });
    await query('insert into test_releases (unit_id, since, total) values ($1, now(), 1)', [
      from.unitId,
    ]);
    expect(await refusal(to.busId)).toEqual([409, 'bus_id', { cause: 'test_counted' }]);
  });

  it('when the new bus lacks cameras of which there is video since then: all are named', async () => {
    await send([fragment(5), fragment(6), { ...fragment(7), camera: 'cabin' }]);
    await query('delete from cameras where workplace_id = $1', [to.busId]);
    const named = { cabin: 'Салон', door1: 'Дверь 1' };
    const cameras = Object.entries(named).map(([stream_id, name]) => ({ name, stream_id }));
    const lacks = { cause: 'no_camera', cameras, total: 2 };
    expect(await refusal(to.busId, 0)).toEqual([409, 'moved_from', lacks]);
    await moved(to.busId, 10);
  });

  it('for a bus of others, and on a day that was theirs', async () => {
    const foreign = await freshBus(fleet.second, false);
    await store([0]);
    expect((await move(foreign.busId, undefined, 'integrator')).status).toBe(404);
    await query('update bus_owners set from_day = $2 where workplace_id = $1', [
      to.busId,
      FIRST_DAY,
    ]);
    await query(
      "insert into bus_owners (workplace_id, client_id, from_day, to_day) values ($1, $2, '-infinity', $3)",
      [to.busId, fleet.second, LAST_DAY],
    );
    expect(await refusal(to.busId, -10, 'integrator')).toEqual(because('foreign_day'));
    // From now on it passes nothing between them, whatever day it is.
    const sql =
      'update bus_owners set from_day = from_day + 1 where workplace_id = $1 and client_id = $2';
    await query(sql, [to.busId, fleet.first]);
    expect(await refusal(to.busId, 10, 'integrator')).toEqual(because('foreign_day'));
    await moved(to.busId, undefined, 'integrator');
  });
});

it('the page of a bus tells nothing of what its unit does for another one', async () => {
  const foreign = await freshBus(fleet.second, false);
  await store([0]);
  const { db } = server.deps.database;
  await db
    .insertInto('live_streams')
    .values({
      ...{ camera_id: from.cameras.cabin, unit_id: from.unitId, started_at: new Date(NOW_MS) },
      ...{ asked_at: new Date(NOW_MS), wanted_until: new Date(NOW_MS + 60_000) },
    })
    .execute();
  await moved(foreign.busId);
  const happenings = async ({ busId }: TestBus) =>
    (await ask('GET', `/api/admin/buses/${busId}/happenings`)).body.items.map(
      ({ kind, command }: { kind: string; command: string | null }) => command ?? kind,
    );
  // The stream has ended: its pictures would be of the other bus.
  expect([await happenings(from), await happenings(foreign)]).toEqual([['stop_live', 'live'], []]);
  const seen = await ask('GET', `/api/admin/units/${from.unitId}`, undefined, 'integrator');
  expect(seen.status).toBe(404);
});
