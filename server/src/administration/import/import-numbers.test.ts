// A loaded table has a number, which every row of the audit log that it writes names, and by which it is undone for a day.
import { UNDO_HOURS } from '@ridewatch/contract/admin-import-undo';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askJson } from '../../test/requests.ts';
import { createTableServer, type TableServer } from '../../test/tables.ts';

/** More buses than one lot of settings has. */
const BUSES = 300;

let server: TableServer['server'];
let tokens: TableServer['tokens'];
let calls: TableServer['calls'];
beforeAll(async () => {
  ({ server, tokens, calls } = await createTableServer('admin'));
});
afterAll(() => server.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.deps.database.pool.query(text, values)).rows;
const undo = (id: number) => askJson(server, tokens.admin, 'POST', `/api/admin/imports/${id}/undo`);
const load = async (columns: string[], rows: string[][]): Promise<number> => {
  const { import_id, check } = await calls.load({ kind: 'buses', columns, rows });
  expect(check.faults).toEqual([]);
  return import_id;
};
/** How many rows of the audit log name a table, by their actions. */
const countsOf = async (id: number): Promise<Record<string, number>> => {
  const rows = await query<{ action: string; count: number }>(
    `select action, count(*)::int as count from audit_log where import_id = $1
     group by action order by action`,
    [id],
  );
  return Object.fromEntries(rows.map(({ action, count }) => [action, count]));
};

it('stands in the row of each bus whose settings a table changes, over all lots, and takes back', async () => {
  const names = Array.from({ length: BUSES }, (_, at) => `Б ${at}`);
  await load(
    ['name', 'client', 'group'],
    names.map((name) => [name, 'Первый', 'м1']),
  );
  const since = async () =>
    (await query<{ id: number }>('select coalesce(max(id), 0)::int as id from audit_log'))[0]?.id;
  const before = await since();
  const changed = await load(
    ['name', 'group', 'timezone'],
    names.map((name) => [name, 'м2', 'Asia/Omsk']),
  );
  const counts = await countsOf(changed);
  expect(counts).toEqual({ create_route: 1, import: 1, set_bus_settings: BUSES });
  const nameless = () =>
    query('select id from audit_log where id > $1 and import_id is distinct from $2', [
      before,
      changed,
    ]);
  expect(await nameless()).toEqual([]);
  expect(await undo(changed)).toMatchObject({ status: 200, body: { undone: true } });
  expect(await nameless()).toEqual([]);
  expect((await countsOf(changed)).set_bus_settings).toBe(2 * BUSES);
});

it('undoes a table until the last moment of its day, and not after', async () => {
  const lifeMs = UNDO_HOURS * 3_600_000;
  expect(lifeMs).toBe(24 * 3_600_000);
  const age = (id: number, ms: number) =>
    query('update imports set at = $2 where id = $1', [id, new Date(server.clock.nowMs() - ms)]);
  const early = await load(['name', 'client'], [['Р 1', 'Первый']]);
  await age(early, lifeMs - 1);
  const list = async () =>
    (await askJson(server, tokens.admin, 'GET', '/api/admin/imports?kind=buses')).body.items.map(
      ({ id }: { id: number }) => id,
    );
  expect(await list()).toContain(early);
  expect(await undo(early)).toMatchObject({ status: 200, body: { undone: true } });
  const late = await load(['name', 'client'], [['Р 2', 'Первый']]);
  await age(late, lifeMs);
  expect(await list()).not.toContain(late);
  expect(await undo(late)).toMatchObject({ status: 409, body: { field: 'importId' } });
});
