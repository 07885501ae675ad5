import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from '../http/api.ts';

const dayMs = Date.UTC(2026, 10, 20, 6);

let server: TestServer;
let fleet: TestFleet;
beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(dayMs + 3 * 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const freshBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, randomUUID());
const at = (seconds: number): string => new Date(dayMs + seconds * 1000).toISOString();

const segment = (seq: number, seconds: number, video: string) => ({
  type: 'segment',
  seq,
  time: at(seconds + 20),
  camera: 'door1',
  start_time: at(seconds),
  end_time: at(seconds + 20),
  video,
});

async function send(bus: TestBus, records: readonly object[], stream: string): Promise<void> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: { stream, sent_at: new Date(server.clock.nowMs()).toISOString(), records },
  });
  expect([answer.statusCode, answer.json<{ refused: unknown[] }>().refused]).toEqual([200, []]);
}

describe('announcements of many fragments that were known before', () => {
  const announce = (bus: TestBus, stream: string, from: number, count: number, video: string) =>
    send(
      bus,
      Array.from({ length: count }, (_, n) => segment(from + n, n * 30, video)),
      stream,
    );
  async function statementsOf(work: () => Promise<unknown>): Promise<number> {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await work();
    const { length } = query.mock.calls;
    query.mockRestore();
    return length;
  }
  const statusesOf = async (bus: TestBus) => {
    const { db } = server.deps.database;
    const rows = await db
      .selectFrom('segments')
      .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
      .where('unit_id', '=', bus.unitId)
      .groupBy('status')
      .execute();
    return rows.map(({ status, count }) => [status, Number(count)]);
  };

  it('take as many statements as those of two', async () => {
    const [few, many] = [await freshBus(), await freshBus()];
    const stream = randomUUID();
    await announce(few, stream, 1, 2, 'adding');
    await announce(many, stream, 1, 200, 'adding');
    const ofFew = await statementsOf(() => announce(few, stream, 1001, 2, 'kept'));
    const ofMany = await statementsOf(() => announce(many, stream, 1001, 200, 'kept'));
    expect(await statusesOf(many)).toEqual([['LIVE', 200]]);
    expect(ofMany).toBe(ofFew);
  });

  it('bring back those that were given up, each with one command to its unit', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await announce(bus, stream, 1, 50, 'kept');
    const { db } = server.deps.database;
    await sql`update segments set status = 'DOWNLOAD_FAIL', fail_reason = 'unit_gave_up', failed_tries = 4
      where unit_id = ${bus.unitId}`.execute(db);
    await announce(bus, stream, 1001, 50, 'queued');
    expect(await statusesOf(bus)).toEqual([['DOWNLOADING_FROM_TASK', 50]]);
    const { rows } =
      await sql`select count(*)::int as commands, count(distinct segment_id)::int as fragments
      from unit_commands where unit_id = ${bus.unitId} and finished_at is null`.execute(db);
    expect(rows).toEqual([{ commands: 50, fragments: 50 }]);
  });

  it('that only keep one bring back none that was given up', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await announce(bus, stream, 1, 2, 'queued');
    const { db } = server.deps.database;
    await sql`update segments set status = 'DOWNLOAD_FAIL', fail_reason = 'cancelled'
      where unit_id = ${bus.unitId}`.execute(db);
    await announce(bus, stream, 1001, 2, 'kept');
    expect(await statusesOf(bus)).toEqual([['DOWNLOAD_FAIL', 2]]);
  });

  it('move each as its own announcements say, and change every day that they touch', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await announce(bus, stream, 1, 3, 'adding');
    const { db } = server.deps.database;
    const versionOf = async () =>
      (
        await sql<{ version: number }>`select max(version)::int as version from bus_days
        where workplace_id = ${bus.busId}`.execute(db)
      ).rows[0]?.version ?? 0;
    const before = await versionOf();
    await send(
      bus,
      [segment(1001, 0, 'queued'), segment(1002, 30, 'kept'), segment(1003, 60, 'adding')],
      stream,
    );
    const rows = await db
      .selectFrom('segments')
      .select(['status', 'status_from'])
      .where('unit_id', '=', bus.unitId)
      .orderBy('start_time')
      .execute();
    expect(rows).toEqual([
      { status: 'ADDED', status_from: 'ADDING' },
      { status: 'LIVE', status_from: 'ADDING' },
      { status: 'ADDING', status_from: null },
    ]);
    expect(await versionOf()).toBeGreaterThan(before);
  });
});

describe('the end of a fragment', () => {
  const ends = async (bus: TestBus) => {
    const { db } = server.deps.database;
    const rows = await db
      .selectFrom('segments')
      .select(['end_time', 'sent_end', 'seq', 'status'])
      .where('unit_id', '=', bus.unitId)
      .execute();
    return rows.map(({ end_time, sent_end, seq, status }) => [
      ...[(end_time.getTime() - dayMs) / 1000, (sent_end.getTime() - dayMs) / 1000, seq, status],
    ]);
  };
  const until = (seq: number, seconds: number, video: string) => ({
    ...{ ...segment(seq, 0, video), time: at(seconds), end_time: at(seconds) },
  });
  const announced = [until(2, 20, 'queued'), until(3, 40, 'kept'), until(9, 50, 'adding')];

  it.each([
    ['in order', announced],
    ['the last first', announced.toReversed()],
  ])('is that of the last announcement after its recording, %s', async (_, records) => {
    const [together, apart] = [await freshBus(), await freshBus()];
    const stream = randomUUID();
    await send(together, records, stream);
    for (const one of records) await send(apart, [one], stream);
    expect(await ends(together)).toEqual([[40, 40, 3, 'ADDED']]);
    expect(await ends(apart)).toEqual([[40, 40, 3, 'ADDED']]);
  });

  const VIDEO_HERE = sql`segment_files (segment_id, variant, storage_key, size_bytes, sha256, created_at)
    select id, 'source', gen_random_uuid()::text, 1, '', now() from segments`;
  const BYTES_HERE = sql`uploads (id, unit_id, segment_id, storage_key, length_bytes, created_at, received_at)
    select gen_random_uuid()::text, unit_id, id, gen_random_uuid()::text, 9, now(), now() from segments`;
  const LOGIN_OUT = sql`ftp_logins (login, secret_sha256, unit_id, segment_id, length_bytes, created_at, expires_at)
    select gen_random_uuid()::text, '', unit_id, id, 9, now(), now() from segments`;

  it.each([
    ['its video is here', VIDEO_HERE],
    ['bytes of its video are', BYTES_HERE],
    ['a registrar was asked for it', LOGIN_OUT],
  ])('stays once %s', async (_, rows) => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, [until(1, 15, 'kept'), until(2, 20, 'kept')], stream);
    await sql`insert into ${rows} where unit_id = ${bus.unitId}`.execute(server.deps.database.db);
    await send(bus, [until(3, 40, 'kept'), until(9, 50, 'adding')], stream);
    await send(bus, [until(10, 60, 'queued')], stream);
    expect(await ends(bus)).toEqual([[20, 20, 2, 'ADDED']]);
    // A later record of the same file knows its length better.
    await send(bus, [{ ...until(11, 20, 'queued'), time: at(70) }], stream);
    expect(await ends(bus)).toEqual([[20, 20, 11, 'ADDED']]);
  });

  it('is that of its announcement, also when its video was here before', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, [until(1, 60, 'adding')], stream);
    await sql`insert into ${VIDEO_HERE} where unit_id = ${bus.unitId}`.execute(
      server.deps.database.db,
    );
    await send(bus, [until(2, 20, 'kept')], stream);
    expect(await ends(bus)).toEqual([[20, 20, 2, 'LIVE']]);
  });
});
