// Every kind of cause but the silent bus, which watch-job.test.ts has.
import { randomUUID } from 'node:crypto';
import { dayRange } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { ensurePartitions } from '../ingest/store/partitions.ts';
import { insertCameraStates } from '../ingest/store/store-traffic.ts';
import { causesOf, lookForCauses } from '../test/attention.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestMerge } from '../test/merge.ts';
import { insertTestLap } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAttention } from './api.ts';
import { watchAttentionJob } from './watch-job.ts';

const MINUTE_MS = 60_000;
const DAY = '2026-11-18';
const noonMs = dayRange(DAY, inject('fleetZone')).startMs + 12 * 60 * MINUTE_MS;
const inMinutes = (minutes: number) => new Date(noonMs + minutes * MINUTE_MS);

let server: TestServer;
let fleet: TestFleet;
let signedInMs: number;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addAttention]);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  await ensurePartitions(db, db, 'camera_states', [noonMs]);
  for (const role of ['admin', 'first', 'integrator']) tokens[role] = await server.signIn(role);
  signedInMs = server.clock.nowMs();
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server.deps.database;
  for (const table of ['attention_causes', 'laps', 'merge_requests']) {
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
  await sql`update cameras set status = null, status_at = null, offline_since = null`.execute(db);
  await sql`update workplaces set retired_at = null`.execute(db);
});

async function causesAt(minutes: number, role = 'first') {
  server.clock.set(noonMs + minutes * MINUTE_MS);
  await lookForCauses(server);
  return seenBy(role);
}
async function seenBy(role: string) {
  server.clock.set(signedInMs);
  return (await causesOf(server, tokens[role] ?? '')).items;
}

describe('a camera', () => {
  let seq = 0;
  async function report(minutes: number, status: 'online' | 'offline'): Promise<void> {
    const { db } = server.deps.database;
    const { unitId, cameras } = fleet.firstBus;
    const timeMs = noonMs + minutes * MINUTE_MS;
    const { id: streamId } = await db
      .insertInto('unit_streams')
      .values({ unit_id: unitId, stream: randomUUID(), created_at: new Date(timeMs) })
      .returning('id')
      .executeTakeFirstOrThrow();
    seq += 1;
    const state = { type: 'camera', seq, camera: 'door1', status, sentMs: timeMs, timeMs };
    const cameraIds = new Map([['door1', cameras.door1]]);
    await insertCameraStates(
      db,
      { unitId, streamId } as never,
      [state as never],
      cameraIds,
      timeMs,
    );
    await db
      .updateTable('units')
      .set({ last_seen_at: new Date(timeMs) })
      .where('id', '=', unitId)
      .execute();
  }

  it('needs attention when it has been offline for an hour, however often that is reported', async () => {
    await report(0, 'online');
    await report(1, 'offline');
    await report(40, 'offline');
    await report(60, 'offline');
    expect(await causesAt(60)).toEqual([]);
    const [cause] = await causesAt(61);
    expect(cause).toMatchObject({
      details: { kind: 'camera_offline' },
      since: inMinutes(1).toISOString(),
      camera: { id: fleet.firstBus.cameras.door1, name: 'Дверь 1', live: false },
    });
    await report(62, 'online');
    expect(await causesAt(63)).toEqual([]);
  });

  it('of a silent bus is unknown: only what was offline before goes on', async () => {
    await report(100, 'offline');
    expect(await causesAt(170)).toEqual([]);
    await report(171, 'offline');
    expect(await causesAt(172)).toHaveLength(1);
    expect(await causesAt(180)).toHaveLength(1);
    await report(181, 'online');
  });

  it('that is not in use needs none', async () => {
    const { db } = server.deps.database;
    await report(200, 'offline');
    await report(270, 'offline');
    await sql`update cameras set enabled = false`.execute(db);
    expect(await causesAt(271)).toEqual([]);
    await sql`update cameras set enabled = true, status = 'online', offline_since = null`.execute(
      db,
    );
  });
});

describe('an imbalance', () => {
  const drive = (number: number, entered: number, exited: number) =>
    insertTestLap(server.deps.database.db, fleet.firstBus.busId, {
      day: DAY,
      number,
      entered,
      exited,
    });

  it('over ten percent of at least twenty people needs attention until the day ends', async () => {
    await server.deps.database.db
      .updateTable('units')
      .set({ last_seen_at: inMinutes(0) })
      .where('id', '=', fleet.firstBus.unitId)
      .execute();
    await drive(1, 19, 9);
    expect(await causesAt(0)).toEqual([]);
    await drive(2, 81, 76);
    const [cause] = await causesAt(1);
    expect(cause.details).toEqual({
      ...{ kind: 'imbalance', day: DAY },
      ...{ entered: 100, exited: 85, percent: 15 },
    });
    await drive(3, 0, 10);
    expect(await causesAt(2)).toEqual([]);
    await drive(4, 30, 10);
    const again = await causesAt(300);
    expect(again[0]).toMatchObject({ id: cause.id, details: { entered: 130, exited: 105 } });
    expect(await causesAt(12 * 60 + 1)).toEqual([]);
  });

  it('is measured by the threshold of its customer', async () => {
    const { db } = server.deps.database;
    await drive(1, 100, 80);
    expect(await causesAt(0)).toMatchObject([{ details: { percent: 20 } }]);
    const settings = { client_id: fleet.first, imbalance_percent: 20, sent_kinds: [], mail_to: [] };
    await db.insertInto('attention_settings').values(settings).execute();
    expect(await causesAt(1)).toEqual([]);
    await drive(2, 100, 79);
    expect(await causesAt(2)).toMatchObject([{ details: { percent: 21 } }]);
  });
});

describe('a merge', () => {
  async function failed(reason: string): Promise<number> {
    const { db } = server.deps.database;
    const id = await insertTestMerge(db, fleet.firstBus, fleet.first, { at: inMinutes(-60) });
    await db
      .updateTable('merge_requests')
      .set({ status: 'FAILED', fail_reason: reason, completed_at: inMinutes(0) })
      .where('id', '=', id)
      .execute();
    return id;
  }

  it('that failed needs attention for a day, or until it is requested again', async () => {
    const id = await failed('no_space');
    const [cause] = await causesAt(1);
    expect(cause.details).toMatchObject({
      ...{ kind: 'merge_failed', merge_id: id, reason: 'no_space' },
      from: inMinutes(-60).toISOString(),
    });
    expect(await causesAt(24 * 60)).toEqual([]);
    expect(await causesAt(1)).toHaveLength(1);
    const { db } = server.deps.database;
    await insertTestMerge(db, fleet.firstBus, fleet.first, { at: inMinutes(-60) });
    expect(await causesAt(2)).toEqual([]);
  });

  it('that a user cancelled needs none', async () => {
    await failed('cancelled');
    expect(await causesAt(1)).toEqual([]);
  });
});

describe('the installation', () => {
  it('needs attention when its disk is full, which only administrators see', async () => {
    server.clock.set(noonMs);
    const job = watchAttentionJob(server.deps);
    server.disk.set({ totalBytes: 1000, freeBytes: 40 });
    await job.run({}, {} as never);
    expect(await seenBy('admin')).toMatchObject([{ details: { kind: 'disk_full', percent: 96 } }]);
    for (const role of ['first', 'integrator']) expect(await seenBy(role), role).toEqual([]);
    server.disk.set({ totalBytes: 1000, freeBytes: 500 });
    await job.run({}, {} as never);
    expect(await seenBy('admin')).toEqual([]);
  });

  it('needs it when a class of work starves', async () => {
    const details = { kind: 'queue_starved', class: 'video', waiting: 40, minutes: 11 } as const;
    const since = inMinutes(-11);
    server.clock.set(noonMs);
    await lookForCauses(server, [{ subject: 'video', since, details, opens: true }]);
    expect(await seenBy('admin')).toMatchObject([{ details, since: since.toISOString() }]);
    expect(await seenBy('first')).toEqual([]);
    await lookForCauses(server);
    expect(await seenBy('admin')).toEqual([]);
  });
});

describe('ids that no unit has', () => {
  it('need attention while they knock and for a day, and only of administrators', async () => {
    const { db } = server.deps.database;
    const knock = (id: string, minutes: number, ignored = false, protocol = 'egts') =>
      db
        .insertInto('knocks')
        .values({
          ...{ protocol, protocol_id: id, address: '10.0.0.1', records: 1, ignored },
          ...{ first_at: inMinutes(minutes - 5), last_at: inMinutes(minutes) },
        })
        .execute();
    await knock('1', -90);
    server.clock.set(noonMs);
    const seen = async (minutes: number, login = 'admin') => {
      server.clock.set(noonMs + minutes * 60_000);
      await lookForCauses(server);
      return seenBy(login);
    };
    expect(await seen(0)).toEqual([]);
    await knock('2', 0);
    await knock('3', 0, true);
    expect(await seen(1)).toMatchObject([
      {
        details: { kind: 'unknown_unit', protocol: 'egts', name: '1', count: 2 },
        since: inMinutes(-95).toISOString(),
      },
    ]);
    const forget = (id: string) =>
      db.deleteFrom('unknown_units').where('protocol_id', '=', id).execute();
    // The moment is always that of the one which is named.
    await forget('1');
    expect(await seen(1)).toMatchObject([
      { details: { name: '2', count: 1 }, since: inMinutes(-5).toISOString() },
    ]);
    for (const login of ['first', 'integrator']) expect(await seenBy(login), login).toEqual([]);
    // An id of OsmAnd is as good as a password, and causes are sent by mail and to programs.
    await knock('f3a9c1d2e4b5', 1, false, 'osmand');
    await forget('2');
    expect(await seen(2)).toMatchObject([{ details: { protocol: 'osmand', name: 'f3a9…' } }]);
    await db.deleteFrom('unknown_units').where('protocol', '=', 'osmand').execute();
    await knock('van', 2, false, 'osmand');
    expect(await seen(2)).toMatchObject([{ details: { protocol: 'osmand', name: 'v…' } }]);
    await db.updateTable('unknown_units').set({ ignored: true }).execute();
    expect(await seen(2)).toEqual([]);
    await db.deleteFrom('unknown_units').execute();
  });
});

describe('an upstream', () => {
  it('needs attention of administrators while records wait for it too long and it is on', async () => {
    const { db } = server.deps.database;
    const { id } = await db
      .insertInto('upstreams')
      .values({
        ...{ name: 'Регион', host: 'egts.example', port: 20_332, late_minutes: 15 },
        created_at: inMinutes(-60),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const wait = (minutes: number) =>
      db
        .insertInto('upstream_queue')
        .values({
          ...{ upstream_id: id, unit_id: 1, workplace_id: 1, records: 1 },
          ...{ stored_at: inMinutes(minutes), due_at: inMinutes(minutes + 60) },
        })
        .execute();
    await wait(-14);
    await wait(-2);
    const seen = async (minutes: number, login = 'admin') => {
      server.clock.set(noonMs + minutes * 60_000);
      await lookForCauses(server);
      return seenBy(login);
    };
    expect(await seen(0)).toEqual([]);
    expect(await seen(1)).toMatchObject([
      {
        details: { kind: 'upstream_late', name: 'Регион', upstream_id: id },
        since: inMinutes(-14).toISOString(),
      },
    ]);
    for (const login of ['first', 'integrator']) expect(await seenBy(login), login).toEqual([]);
    await db.updateTable('upstreams').set({ enabled: false }).execute();
    expect(await seen(2)).toEqual([]);
    await db.updateTable('upstreams').set({ enabled: true }).execute();
    expect(await seen(3)).toHaveLength(1);
    await db.deleteFrom('upstream_queue').execute();
    expect(await seen(4)).toEqual([]);
  });
});

describe('an upstream that refuses records', () => {
  it('needs attention of administrators: buses that it does not know, and each other reason for a day', async () => {
    const { db } = server.deps.database;
    const { id } = await db
      .insertInto('upstreams')
      .values({
        ...{ name: 'Область', host: 'egts.example', port: 20_332, created_at: inMinutes(-60) },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const ofFirst = { upstream_id: id, client_id: fleet.first };
    await db.insertInto('upstream_clients').values(ofFirst).execute();
    await db
      .insertInto('upstream_unregistered')
      .values({
        ...{ id: 1, upstream_id: id, unit_id: 1, workplace_id: fleet.firstBus.busId, records: 1 },
        stored_at: inMinutes(-7),
      })
      .execute();
    await db
      .insertInto('upstream_refusals')
      .values(
        // A version that did not keep records of unknown buses has noted them as refused.
        [154, 153].map((code) => ({
          ...{ upstream_id: id, code, records: 58, workplace_id: fleet.firstBus.busId },
          last_at: inMinutes(-3),
        })),
      )
      .execute();
    const details = { kind: 'upstream_refuses', name: 'Область', upstream_id: id };
    const seen = async (minutes: number, login = 'admin') => {
      server.clock.set(noonMs + minutes * 60_000);
      await lookForCauses(server);
      return (await seenBy(login)).filter(
        (one: { details: { kind: string } }) => one.details.kind === 'upstream_refuses',
      );
    };
    expect(await seen(0)).toMatchObject(
      [
        { details: { ...details, code: 154, number: 58 }, since: inMinutes(-3).toISOString() },
        { details: { ...details, code: 153, number: 1 }, since: inMinutes(-7).toISOString() },
      ].sort((a, b) => b.details.code - a.details.code),
    );
    expect(await seen(0, 'first')).toEqual([]);
    // It gets no records of a customer that is taken off.
    await db.deleteFrom('upstream_clients').execute();
    expect(await seen(1)).toMatchObject([{ details: { code: 154 } }]);
    await db.insertInto('upstream_clients').values(ofFirst).execute();
    expect(await seen(2)).toHaveLength(2);
    await db.deleteFrom('upstream_unregistered').execute();
    expect(await seen(3)).toMatchObject([{ details: { code: 154 } }]);
    await db.updateTable('upstreams').set({ enabled: false }).execute();
    expect(await seen(4)).toEqual([]);
  });
});

describe('a bus that has left the fleet', () => {
  it('has no causes of its cameras, laps and merges: open ones end, and none opens', async () => {
    const { db } = server.deps.database;
    const { busId, unitId } = fleet.firstBus;
    server.clock.set(noonMs);
    await db
      .updateTable('units')
      .set({ last_seen_at: inMinutes(0) })
      .where('id', '=', unitId)
      .execute();
    await sql`update cameras set status = 'offline', offline_since = ${inMinutes(-61)}
      where id = ${fleet.firstBus.cameras.door1}`.execute(db);
    await insertTestLap(db, busId, { day: DAY, number: 1, entered: 100, exited: 50 });
    const mergeId = await insertTestMerge(db, fleet.firstBus, fleet.first, { at: inMinutes(-60) });
    await db
      .updateTable('merge_requests')
      .set({ status: 'FAILED', fail_reason: 'no_space', completed_at: inMinutes(0) })
      .where('id', '=', mergeId)
      .execute();
    const kindsAt = async (minutes: number) =>
      (await causesAt(minutes)).map(({ details }: { details: { kind: string } }) => details.kind);
    expect((await kindsAt(0)).sort()).toEqual(['camera_offline', 'imbalance', 'merge_failed']);
    await db
      .updateTable('workplaces')
      .set({ retired_at: inMinutes(1) })
      .where('id', '=', busId)
      .execute();
    expect(await kindsAt(1)).toEqual([]);
    await db.deleteFrom('attention_causes').execute();
    expect(await kindsAt(2)).toEqual([]);
  });
});
