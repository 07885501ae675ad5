// Cells with several lines, as Alt+Enter makes them in a spreadsheet.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readXlsx } from '../../test/read-xlsx.ts';
import { createTableServer, type TableServer } from '../../test/tables.ts';

let server: TableServer['server'];
let calls: TableServer['calls'];
beforeAll(async () => {
  ({ server, calls } = await createTableServer('admin'));
});
afterAll(() => server.close());

const columns = ['name', 'client', 'description'];
const buses = (...rows: string[][]) => ({ kind: 'buses' as const, columns, rows });
const descriptionOf = async (name: string): Promise<string | undefined> =>
  (
    await server.deps.database.pool.query('select description from workplaces where name = $1', [
      name,
    ])
  ).rows[0]?.description;

it('a description of several lines becomes one line, and changes nothing the second time', async () => {
  const table = buses(['П 1', 'Первый', 'с дверью \r\n\nи кондиционером\n']);
  expect(await calls.load(table)).toMatchObject({ created: 1, check: { faults: [] } });
  expect(await descriptionOf('П 1')).toBe('с дверью и кондиционером');
  expect((await calls.check(table)).states).toEqual(['same']);
});

it('a line break in another cell is named as one, and other invisible characters are not', async () => {
  const table = buses(['П\n2', 'Первый', ''], ['П 3', 'Первый', 'с\u200bдверью\nи окном']);
  expect(await calls.faultsOf(table)).toEqual(['A2 line_break', 'C3 invisible']);
  const users = {
    kind: 'users' as const,
    columns: ['login', 'role', 'client'],
    rows: [['iva\nnova', 'клиент', 'Первый']],
  };
  expect(await calls.faultsOf(users)).toEqual(['A2 line_break']);
});

it('an exported description that was stored in several lines changes nothing when it is loaded again', async () => {
  await calls.load(buses(['П 4', 'Первый', 'старое']));
  await server.deps.database.pool.query(
    "update workplaces set description = E'первая \\n вторая' where name = 'П 4'",
  );
  const { bytes } = await calls.save('buses', 'format=xlsx&language=ru_RU');
  const [sheet] = await readXlsx(bytes);
  const [headings = [], ...rows] = (sheet?.rows ?? []).map((row) =>
    row.map((cell) => String(cell ?? '')),
  );
  const known: Readonly<Record<string, string>> = {
    ...{ Название: 'name', Клиент: 'client', Описание: 'description' },
  };
  const check = await calls.check({
    ...{ kind: 'buses', columns: headings.map((one) => known[one] ?? null), rows },
  });
  expect([check.faults, new Set(check.states)]).toEqual([[], new Set(['same'])]);
  expect(await descriptionOf('П 4')).toBe('первая \n вторая');
});
