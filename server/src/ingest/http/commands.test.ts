import { once } from 'node:events';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertCommand } from '../../fetching/commands.ts';
import { moveFragment } from '../../fragments/state.ts';
import { listBlocked } from '../../test/blocked.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, KNOWN_MS, type TestServer } from '../../test/test-deps.ts';
import { announce } from '../../test/video.ts';
import { addIngest } from './api.ts';
import { createCommandListener } from './command-listener.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 6);
let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
let base: string;
let buses = 0;

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.set(NOW_MS);
  buses += 1;
  bus = await insertTestBus(server.deps.database.db, fleet.first, `Автобус ${100 + buses}`);
});

const { signal } = new AbortController();

async function poll(
  wait: number,
  credential = bus.credential,
  until = signal,
): Promise<UnitCommand[]> {
  const answer = await fetch(`${base}/unit/v1/commands?wait=${wait}`, {
    headers: { authorization: `Bearer ${credential}` },
    signal: until,
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { commands: UnitCommand[] }).commands;
}

const acknowledge = (id: number, body: Record<string, unknown>, credential = bus.credential) =>
  fetch(`${base}/unit/v1/commands/${id}/ack`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const command = (unitId: number, fragmentId?: number): Promise<number> =>
  server.deps.database.db
    .transaction()
    .execute((tx) =>
      insertCommand(
        tx,
        fragmentId === undefined
          ? { unitId, kind: 'report_camera_states', createdMs: server.clock.nowMs() }
          : { unitId, kind: 'fetch_segment', fragmentId, createdMs: server.clock.nowMs() },
      ),
    );

/** Calls of one unit at once: many times the connections of a process. */
const FLOOD = 200;

const sendPosition = (credential: string) =>
  fetch(`${base}/unit/v1/batches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      stream: crypto.randomUUID(),
      sent_at: new Date(NOW_MS).toISOString(),
      records: [
        {
          type: 'position',
          seq: 1,
          time: new Date(NOW_MS).toISOString(),
          latitude: 55.7,
          longitude: 37.6,
        },
      ],
    }),
  });

const countBlocked = async (): Promise<number> =>
  (await listBlocked(server.deps.database.db)).length;

describe('a unit that waits for commands', () => {
  it('hears of one at once, though it may wait for half a minute', async () => {
    const waiting = poll(30);
    await command(bus.unitId);
    expect((await waiting).map(({ kind }) => kind)).toEqual(['report_camera_states']);
  });

  it('hears of none once its credential has ended', async () => {
    expect(await poll(0)).toEqual([]);
    const begun = once(server.app.server, 'request');
    const waiting = fetch(`${base}/unit/v1/commands?wait=30`, {
      headers: { authorization: `Bearer ${bus.credential}` },
    });
    await begun;
    await server.deps.database.db
      .updateTable('unit_credentials')
      .set({ revoked_at: new Date(NOW_MS) })
      .where('unit_id', '=', bus.unitId)
      .execute();
    server.clock.advance(KNOWN_MS);
    await command(bus.unitId);
    expect((await waiting).status).toBe(401);
  });

  it('is answered with none when there is none', async () => {
    expect(await poll(0)).toEqual([]);
    expect(await poll(1)).toEqual([]);
  });

  it('does not hear what is meant for another', async () => {
    await command(fleet.secondBus.unitId);
    expect(await poll(0)).toEqual([]);
  });

  it('hears it again when the connection broke before the answer came', async () => {
    const broken = new AbortController();
    const lost = poll(30, bus.credential, broken.signal).catch(() => []);
    broken.abort();
    await command(bus.unitId);
    await lost;
    expect(await poll(0)).toHaveLength(1);
    expect(await poll(0)).toHaveLength(1);
  });

  it('learns which fragment to send, by the names that it gave itself', async () => {
    const { fragmentId, stream, seq } = await announce(server, bus, NOW_MS - 60_000, 'kept');
    await command(bus.unitId, fragmentId);
    expect((await poll(0))[0]).toMatchObject({
      kind: 'fetch_segment',
      segment: {
        stream,
        seq,
        camera: 'door1',
        start_time: new Date(NOW_MS - 60_000).toISOString(),
      },
    });
  });

  it.each(['31', '-1', 'x'])('may not wait for %s s', async (wait) => {
    const answer = await fetch(`${base}/unit/v1/commands?wait=${wait}`, {
      headers: { authorization: `Bearer ${bus.credential}` },
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request', field: 'wait' }),
    ]);
  });
});

describe('a unit that polls many times at once', () => {
  it('keeps two polls waiting: a newer one ends the oldest, with no commands', async () => {
    const waiting = [poll(30), poll(30), poll(30)];
    expect(await Promise.race(waiting)).toEqual([]);
    await command(bus.unitId);
    const heard = (await Promise.all(waiting)).map(({ length }) => length);
    expect(heard.sort()).toEqual([0, 1, 1]);
    const listener = await createCommandListener(server.deps);
    const [oldest, ...newer] = [1, 1, 1, 2].map((unit) => listener.open(unit));
    expect([oldest?.isEnded, ...newer.map(({ isEnded }) => isEnded)]).toEqual([
      ...[true, false, false, false],
    ]);
    await listener.stop();
  });

  it('reads its commands by one connection, so that the batches of others go on', async () => {
    const { db, pool } = server.deps.database;
    const other = await insertTestBus(db, fleet.first, `Другой ${buses}`);
    const holder = await pool.connect();
    const broken = new AbortController();
    let answered = 0;
    const flood = (): Promise<void> =>
      poll(20, bus.credential, broken.signal).then(
        () => {
          answered += 1;
        },
        () => undefined,
      );
    const polls: Promise<void>[] = [];
    try {
      await holder.query('begin; lock table unit_commands in access exclusive mode');
      polls.push(...Array.from({ length: FLOOD }, flood));
      await expect.poll(countBlocked).toBeGreaterThan(0);
      expect((await sendPosition(other.credential)).status).toBe(200);
      expect(await countBlocked()).toBe(1);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    await expect.poll(() => answered).toBe(FLOOD - 2);
    broken.abort();
    await Promise.all(polls);
  });
});

describe('a unit that sends many calls at once', () => {
  /** Calls many times while a table is locked, which holds up no batch of another unit. @returns the statuses */
  async function flooded(
    table: string,
    call: () => Promise<Response>,
    count = FLOOD,
  ): Promise<number[]> {
    const { db, pool } = server.deps.database;
    const other = await insertTestBus(db, fleet.first, `Другой ${buses}`);
    // The process knows the unit from then on: what follows is measured without its sign-in.
    await call();
    const holder = await pool.connect();
    const answers: Promise<Response>[] = [];
    try {
      await holder.query(`begin; lock table ${table} in access exclusive mode`);
      answers.push(...Array.from({ length: count }, call));
      await expect.poll(countBlocked).toBeGreaterThan(0);
      expect((await sendPosition(other.credential)).status).toBe(200);
      expect(await countBlocked()).toBe(1);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    return (await Promise.all(answers)).map(({ status }) => status);
  }

  it('has its cameras read by one connection', async () => {
    const me = () =>
      fetch(`${base}/unit/v1/me`, { headers: { authorization: `Bearer ${bus.credential}` } });
    expect(new Set(await flooded('cameras', me))).toEqual(new Set([200]));
  });

  it('has its acknowledgements stored one by one, and is refused those of which too many wait', async () => {
    const id = await command(bus.unitId);
    const accept = () => acknowledge(id, { result: 'accepted' });
    const statuses = await flooded('unit_commands', accept, 2 * FLOOD);
    expect(statuses[0]).toBe(200);
    expect(statuses).toContain(429);
    // 503: on a busy machine the turn comes too late.
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  });
});

describe('a command', () => {
  let id: number;
  beforeEach(async () => {
    await command(bus.unitId);
    id = (await poll(0))[0]?.id ?? 0;
  });

  it('is not shown any more once it is done; done twice is done', async () => {
    expect((await acknowledge(id, { result: 'done' })).status).toBe(200);
    expect((await acknowledge(id, { result: 'done' })).status).toBe(200);
    expect(await poll(0)).toEqual([]);
  });

  it('that was taken up is shown again after two minutes without a word', async () => {
    await acknowledge(id, { result: 'accepted' });
    server.clock.advance(119_000);
    expect(await poll(0)).toEqual([]);
    server.clock.advance(2000);
    expect(await poll(0)).toHaveLength(1);
    expect((await acknowledge(id, { result: 'accepted' })).status).toBe(200);
    expect(await poll(0)).toEqual([]);
  });

  it('that was done cannot fail afterwards', async () => {
    await acknowledge(id, { result: 'done' });
    expect((await acknowledge(id, { result: 'failed', reason: 'no' })).status).toBe(409);
  });

  it('keeps the moments at which the server heard of it', async () => {
    await acknowledge(id, { result: 'accepted' });
    server.clock.advance(7000);
    await acknowledge(id, { result: 'done' });
    const { db } = server.deps.database;
    const row = await db
      .selectFrom('unit_commands')
      .select(['created_at', 'accepted_at', 'finished_at', 'result'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      created_at: new Date(NOW_MS),
      accepted_at: new Date(NOW_MS),
      finished_at: new Date(NOW_MS + 7000),
      result: 'done',
    });
  });

  it('is nothing to another unit, and there is none where there is none', async () => {
    const foreign = await acknowledge(id, { result: 'done' }, fleet.secondBus.credential);
    const unknown = await acknowledge(999_999, { result: 'done' });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(await poll(0)).toHaveLength(1);
  });

  it('to send a fragment that fails for good leaves the reason with the fragment', async () => {
    const { fragmentId } = await announce(server, bus, NOW_MS - 60_000, 'kept');
    await server.deps.database.db.transaction().execute(async (tx) => {
      await moveFragment(tx, fragmentId, 'DOWNLOADING_FROM_TASK', { atMs: NOW_MS });
    });
    await command(bus.unitId, fragmentId);
    const [, fetch] = await poll(0);
    server.clock.advance(3000);
    const reason = 'the disk has overwritten it';
    await acknowledge(fetch?.id ?? 0, { result: 'failed', reason, final: true });
    const segment = await server.deps.database.db
      .selectFrom('segments')
      .select(['status', 'status_at', 'fail_reason', 'fail_detail'])
      .where('id', '=', fragmentId)
      .executeTakeFirstOrThrow();
    expect(segment).toEqual({
      status: 'DOWNLOAD_FAIL',
      status_at: new Date(NOW_MS + 3000),
      fail_reason: 'unit_gave_up',
      fail_detail: reason,
    });
  });

  it('needs a result that is known', async () => {
    const answer = await acknowledge(id, { result: 'maybe' });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ field: 'result' }),
    ]);
  });
});
