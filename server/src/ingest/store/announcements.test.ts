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
