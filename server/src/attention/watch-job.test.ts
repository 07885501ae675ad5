import { addDays, dayRange } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { causesOf, lookForCauses } from '../test/attention.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAttention } from './api.ts';
import { watchAttentionJob } from './watch-job.ts';

const MINUTE_MS = 60_000;
const ZONE = inject('fleetZone');
let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
/** The present at the beginning of each test: noon of a working day in the fleet's zone. */
const TODAY = '2026-11-18';
const noonMs = dayRange(TODAY, ZONE).startMs + 12 * 60 * MINUTE_MS;

beforeAll(async () => {
  server = await createTestServer([addAuth, addAttention]);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const role of ['admin', 'first', 'second', 'integrator', 'operator']) {
    tokens[role] = await server.signIn(role);
  }
});
afterAll(() => server.close());

let signedInMs = 0;
beforeEach(async () => {
  signedInMs ||= server.clock.nowMs();
  const { db } = server.deps.database;
  for (const table of ['attention_causes', 'attention_settings', 'attention_watch', 'laps']) {
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
  await sql`delete from merge_requests`.execute(db);
  await sql`delete from day_traffic`.execute(db);
  await sql`update units set last_seen_at = null, last_moved_at = null`.execute(db);
  await sql`update cameras set status = 'online', offline_since = null`.execute(db);
  await sql`update workplaces set retired_at = null`.execute(db);
});

const at = (ms: number) => new Date(ms);
const ago = (minutes: number, fromMs = noonMs) => at(fromMs - minutes * MINUTE_MS);

async function hear(bus: 'firstBus' | 'secondBus', seen: Date, moved: Date | null): Promise<void> {
  await server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: seen, last_moved_at: moved })
    .where('id', '=', fleet[bus].unitId)
    .execute();
}

/** The kinds that a user sees; the clock of tokens is the real one. */
async function kindsAt(nowMs: number, role = 'first'): Promise<string[]> {
  server.clock.set(nowMs);
  await lookForCauses(server);
  return seenBy(role);
}
async function seenBy(role: string): Promise<string[]> {
  server.clock.set(signedInMs);
  const { items } = await causesOf(server, tokens[role] ?? '');
  return items.map((item: { details: { kind: string } }) => item.details.kind);
}

describe('a silent bus', () => {
  it('needs attention after ten minutes if it drove when it was last heard', async () => {
    await hear('firstBus', ago(9), ago(9));
    expect(await kindsAt(noonMs)).toEqual([]);
    expect(await kindsAt(noonMs + MINUTE_MS)).toEqual(['silent_bus']);
    const { items, total, unseen } = await causesOf(server, tokens.first ?? '');
    expect({ total, unseen }).toEqual({ total: 1, unseen: 1 });
    expect(items[0]).toMatchObject({
      details: { kind: 'silent_bus', drove: true, place: null },
      since: ago(9).toISOString(),
      workplace: { id: fleet.firstBus.busId, name: 'Автобус 10', route: 'Маршрут Автобус 10' },
      camera: null,
      seen: false,
    });
  });

  it('was last near a stop of its route, if one is within 400 m of its last position', async () => {
    const { db } = server.deps.database;
    const { routeId, stopIds } = await insertTestRoute(db, fleet.first, '1');
    const stop = await db
      .selectFrom('route_stop_versions')
      .select(['name', 'latitude', 'longitude'])
      .where('stop_id', '=', stopIds[1] ?? 0)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('workplace_settings')
      .set({ group_id: routeId })
      .where('workplace_id', '=', fleet.firstBus.busId)
      .execute();
    await hear('firstBus', ago(11), ago(11));
    const placeAt = async (metresNorth: number): Promise<string | null> => {
      const latitude = stop.latitude + metresNorth / 111_195;
      await db
        .updateTable('units')
        .set({ last_latitude: latitude, last_longitude: stop.longitude })
        .where('id', '=', fleet.firstBus.unitId)
        .execute();
      await kindsAt(noonMs);
      return (await causesOf(server, tokens.first ?? '')).items[0].details.place;
    };
    expect(await placeAt(390)).toBe(stop.name);
    expect(await placeAt(-5_000)).toBeNull();
  });

  it('needs none in the depot at night, when it stood and does not send in other weeks', async () => {
    const nightMs = noonMs - 9 * 60 * MINUTE_MS;
    await hear('firstBus', ago(120, nightMs), ago(140, nightMs));
    expect(await kindsAt(nightMs)).toEqual([]);
  });

  it('needs it although it stood, if it sends at this hour of this weekday in another week', async () => {
    await hear('firstBus', ago(600), ago(640));
    const heard = (1 << 11) | (1 << 12);
    await insertDay(addDays(TODAY, -20), heard);
    expect(await kindsAt(noonMs)).toEqual([]);
    await insertDay(addDays(TODAY, -21), heard);
    expect(await kindsAt(noonMs)).toEqual(['silent_bus']);
  });

  it('needs none before its usual first hour has passed', async () => {
    await hear('firstBus', ago(600), ago(640));
    await insertDay(addDays(TODAY, -7), 1 << 12);
    expect(await kindsAt(noonMs + 20 * MINUTE_MS)).toEqual([]);
  });

  it('needs it until it is heard, also at night, and once only when the link flaps', async () => {
    await hear('firstBus', ago(15), ago(15));
    expect(await kindsAt(noonMs)).toEqual(['silent_bus']);
    expect(await kindsAt(noonMs + 14 * 60 * MINUTE_MS)).toEqual(['silent_bus']);
    const heardMs = noonMs + 20 * 60 * MINUTE_MS;
    await hear('firstBus', at(heardMs), at(heardMs));
    expect(await kindsAt(heardMs)).toEqual([]);
    expect(await kindsAt(heardMs + 12 * MINUTE_MS)).toEqual(['silent_bus']);
    expect(await countRows()).toBe(1);
    await hear('firstBus', at(heardMs + 20 * MINUTE_MS), at(heardMs + 20 * MINUTE_MS));
    expect(await kindsAt(heardMs + 21 * MINUTE_MS)).toEqual([]);
    expect(await kindsAt(heardMs + 120 * MINUTE_MS)).toEqual(['silent_bus']);
    expect(await countRows()).toBe(2);
  });

  it('is not taken for silent because the server itself was off', async () => {
    await hear('firstBus', ago(300), ago(300));
    server.clock.set(noonMs);
    const job = watchAttentionJob(server.deps);
    await job.run({}, {} as never);
    expect(await seenBy('first')).toEqual([]);
    for (const minutes of [2, 4, 6, 8, 10]) {
      server.clock.set(noonMs + minutes * MINUTE_MS);
      await job.run({}, {} as never);
    }
    expect(await seenBy('first')).toEqual(['silent_bus']);
  });

  it('needs none once it has left the fleet, and needs it again if it returns', async () => {
    await hear('firstBus', ago(15), ago(15));
    expect(await kindsAt(noonMs)).toEqual(['silent_bus']);
    await retire(ago(0));
    expect(await kindsAt(noonMs + MINUTE_MS)).toEqual([]);
    expect(await kindsAt(noonMs + 120 * MINUTE_MS)).toEqual([]);
    await retire(null);
    expect(await kindsAt(noonMs + 121 * MINUTE_MS)).toEqual(['silent_bus']);
  });

  it('has the limit of its customer', async () => {
    await hear('firstBus', ago(15), ago(15));
    await hear('secondBus', ago(15), ago(15));
    await server.deps.database.db
      .insertInto('attention_settings')
      .values({ client_id: fleet.first, silent_minutes: 30, sent_kinds: [] })
      .execute();
    expect(await kindsAt(noonMs)).toEqual([]);
    expect(await seenBy('second')).toEqual(['silent_bus']);
  });
});

describe('a cause', () => {
  it('is opened once by two looks at the same moment', async () => {
    await hear('firstBus', ago(15), ago(15));
    server.clock.set(noonMs);
    await lookForCauses(server);
    await Promise.all([lookForCauses(server), lookForCauses(server)]);
    expect(await countRows()).toBe(1);
  });

  it('is seen by those who look after the bus, and by nobody else', async () => {
    await hear('firstBus', ago(15), ago(15));
    await kindsAt(noonMs);
    for (const role of ['admin', 'first', 'integrator', 'operator']) {
      expect(await seenBy(role), role).toEqual(['silent_bus']);
    }
    expect(await seenBy('second')).toEqual([]);
  });

  it('of a bus of two customers is one for an administrator', async () => {
    await hear('firstBus', ago(15), ago(15));
    const { db } = server.deps.database;
    const shared = { workplace_id: fleet.firstBus.busId, client_id: fleet.second };
    await db.insertInto('workplace_clients').values(shared).execute();
    expect(await kindsAt(noonMs, 'admin')).toEqual(['silent_bus']);
    expect(await seenBy('second')).toEqual(['silent_bus']);
    await db
      .deleteFrom('workplace_clients')
      .where('workplace_id', '=', shared.workplace_id)
      .where('client_id', '=', shared.client_id)
      .execute();
    expect(await seenBy('second')).toEqual([]);
  });
});

/** @param retiredAt null: the bus is in the fleet */
async function retire(retiredAt: Date | null): Promise<void> {
  await server.deps.database.db
    .updateTable('workplaces')
    .set({ retired_at: retiredAt })
    .where('id', '=', fleet.firstBus.busId)
    .execute();
}

async function insertDay(day: string, heard: number): Promise<void> {
  await server.deps.database.db
    .insertInto('day_traffic')
    .values({
      workplace_id: fleet.firstBus.busId,
      day,
      ...{ client_id: fleet.first, group_id: null, entered_adults: 0, entered_kids: 0 },
      ...{ exited_adults: 0, exited_kids: 0, entered_manual: 0, exited_manual: 0 },
      ...{ revenue_kopecks: 0, no_price_milli: 0, heard, heard_hours: 2, silent_hours: 0 },
      closed: true,
    })
    .execute();
}

async function countRows(): Promise<number> {
  const { count } = await server.deps.database.db
    .selectFrom('attention_causes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
