// The largest tables: all of their rows are created, then all of them changed.
import { afterAll, beforeAll, expect, it } from 'vitest';
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
