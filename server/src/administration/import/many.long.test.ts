// The largest tables: all of their rows are created, then all of them changed; and the largest that are exported.

import { MOST_IMPORT_ROWS } from '@ridewatch/contract/admin-import';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCsv } from '../../test/csv-rows.ts';
import { createTableServer, type TableServer } from '../../test/tables.ts';

let server: TableServer['server'];
let calls: TableServer['calls'];
beforeAll(async () => {
  ({ server, calls } = await createTableServer('admin'));
});
afterAll(() => server.close());

it('5,000 buses with units are one table', async () => {
  const table = (seats: string) => ({
    kind: 'buses',
    columns: ['name', 'client', 'group', 'capacity_seated', 'device_id'],
    rows: Array.from({ length: 5000 }, (_, at) => [`Т ${at}`, 'Первый', 'т', seats, `T-${at}`]),
  });
  const done = await calls.load(table('30'));
  expect([done.created, done.credentials.length]).toEqual([5000, 5000]);
  expect(await calls.load(table('31'))).toMatchObject({ created: 0, changed: 5000 });
  expect(await calls.load(table('31'))).toMatchObject({ created: 0, changed: 0 });
}, 240_000);

it('2,000 users with links are one table', async () => {
  const table = (mayEdit: string) => ({
    kind: 'users',
    columns: ['login', 'role', 'client', 'can_edit'],
    rows: Array.from({ length: 2000 }, (_, at) => [`u-${at}`, 'customer', 'Первый', mayEdit]),
  });
  const done = await calls.load(table('да'));
  expect([done.created, done.links.length]).toEqual([2000, 2000]);
  expect(await calls.load(table('нет'))).toMatchObject({ created: 0, changed: 2000 });
}, 240_000);

it('50,000 exported cameras change nothing when they are loaded again, and one more of them is added', async () => {
  const { db, pool } = server.deps.database;
  const { rows: buses } = await pool.query<{ id: number }>('select min(id) as id from workplaces');
  const cameras = await db.selectFrom('cameras').select('id').execute();
  await pool.query(
    `insert into cameras (workplace_id, name, stream_id)
     select $1, 'Дверь ' || n, 's' || n from generate_series(1, $2::int) as n`,
    [buses[0]?.id, MOST_IMPORT_ROWS - 1 - cameras.length],
  );
  const columns = ['bus', 'name', 'stream_id', 'client', 'door', 'live', 'counts', 'enabled'];
  const { bytes } = await calls.save('cameras', 'format=csv&language=ru_RU');
  const text = bytes.toString().replace('\uFEFF', '');
  const [, ...stored] = readCsv(text, ';').map(({ row }) => Object.values(row).map(String));
  expect(stored).toHaveLength(MOST_IMPORT_ROWS - 1);
  const same = await calls.check({ kind: 'cameras', columns, rows: stored });
  expect(same).toMatchObject({ adds: 0, changes: 0, faulty: 0, rows: MOST_IMPORT_ROWS - 1 });
  const rows = [...stored, [stored[0]?.[0] ?? '', 'Новая', 'new', '', '', '', '', '']];
  const done = await calls.load({ kind: 'cameras', columns, rows });
  expect([done.created, done.changed]).toEqual([1, 0]);
}, 240_000);
