import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { ensurePartitions } from './partitions.ts';

let server: TestServer;
/** Somebody else who works with the database, and one who looks. */
let other: pg.Client;
let reader: pg.Client;
let year = 1990;

beforeAll(async () => {
  server = await createTestServer([]);
  const { url } = server.deps.database;
  other = new pg.Client(url);
  // A reader that had to wait would be told so.
  reader = new pg.Client({ connectionString: url, lock_timeout: 300 });
  await other.connect();
  await reader.connect();
});
afterAll(async () => {
  await other.end();
  await reader.end();
  await server.close();
});
// Months that nothing has asked for yet.
beforeEach(() => {
  year += 1;
});

const ensure = (months = [1], pool: object = server.deps.database.pool): Promise<void> =>
  ensurePartitions(
    server.deps.database.db,
    pool,
    'passenger_events',
    months.map((month) => Date.UTC(year, month - 1, 15)),
  );

async function listPartitions(): Promise<string[]> {
  const { rows } = await reader.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'passenger_events'::regclass and inhrelid::regclass::text like $1 order by 1`,
    [`passenger_events_${year}_%`],
  );
  return rows.map(({ name }) => name);
}

const read = (): Promise<unknown> => reader.query('select count(*) from passenger_events');

/** Whether somebody waits for a lock of the table. */
async function isWaitedFor(): Promise<boolean> {
  const { rowCount } = await reader.query(
    `select from pg_locks where relation = 'passenger_events'::regclass and not granted`,
  );
  return rowCount !== 0;
}

describe('a partition', () => {
  it('is made beside a long reader and a long writer, who wait for nobody', async () => {
    await ensure([2]);
    await other.query('begin');
    await other.query('select count(*) from passenger_events');
    await other.query(
      `insert into passenger_events (unit_id, stream_id, seq, sent_time, time, door, direction, passenger, count)
       values (1, 1, 1, '${year}-02-01', '${year}-02-01', 1, 'entered', 'adult', 1)`,
    );
    await ensure();
    expect(await listPartitions()).toEqual([
      `passenger_events_${year}_01`,
      `passenger_events_${year}_02`,
    ]);
    await other.query('rollback');
  });

  it('that has to wait for a lock lets all readers pass, and is made when the lock is free', async () => {
    await other.query('begin; lock table passenger_events in share update exclusive mode');
    const made = ensure();
    while (!(await isWaitedFor())) await read();
    for (let count = 0; count < 50; count += 1) await read();
    expect(await listPartitions()).toEqual([]);
    await other.query('rollback');
    await made;
    expect(await listPartitions()).toEqual([`passenger_events_${year}_01`]);
  });

  it('whose lock is not had is given up, lets readers pass, and is made at the next need', async () => {
    await other.query('begin; lock table passenger_events in share update exclusive mode');
    await expect(ensure()).rejects.toMatchObject({ code: '55P03' });
    await read();
    await other.query('rollback');
    await ensure();
    expect(await listPartitions()).toEqual([`passenger_events_${year}_01`]);
  });

  it('that many processes need at once is made once', async () => {
    const pools = Array.from({ length: 6 }, () => ({}));
    await Promise.all(pools.flatMap((pool) => [ensure([1, 2], pool), ensure([2, 1], pool)]));
    expect(await listPartitions()).toEqual([
      `passenger_events_${year}_01`,
      `passenger_events_${year}_02`,
    ]);
  });

  it('has the indexes and the checks of its table, and takes exactly its month', async () => {
    await ensure();
    const name = `passenger_events_${year}_01`;
    const insert = (time: string, direction = 'entered', seq = 1): Promise<unknown> =>
      reader.query(
        `insert into passenger_events (unit_id, stream_id, seq, sent_time, time, door, direction, passenger, count)
         values (1, 1, $1, $2, $2, 1, $3, 'adult', 1)`,
        [seq, time, direction],
      );
    await insert(`${year}-01-01T00:00:00Z`);
    await insert(`${year}-01-31T23:59:59.999Z`);
    await expect(insert(`${year}-01-01T00:00:00Z`)).rejects.toMatchObject({ code: '23505' });
    await expect(insert(`${year}-02-01T00:00:00Z`)).rejects.toMatchObject({ code: '23514' });
    await expect(insert(`${year}-01-02`, 'sideways', 2)).rejects.toMatchObject({ code: '23514' });
    const { rows } = await reader.query(
      'select seq from passenger_events where sent_time between $1 and $2',
      [`${year}-01-01T00:00:00Z`, `${year}-02-01T00:00:00Z`],
    );
    expect(rows).toHaveLength(2);
    const indexes = await reader.query('select from pg_indexes where tablename = $1', [name]);
    const parents = await reader.query(
      `select from pg_indexes where tablename = 'passenger_events'`,
    );
    expect(indexes.rowCount).toBe(parents.rowCount);
  });
});
