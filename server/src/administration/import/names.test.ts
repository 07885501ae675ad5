// The names by which rows of a table call customers and buses, and the words that cells may have.
import { type ImportKind, importColumns } from '@ridewatch/contract/admin-import';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../../test/csv-rows.ts';
import { readXlsx } from '../../test/read-xlsx.ts';
import { askJson } from '../../test/requests.ts';
import { type AskedTable, createTableServer, type TableServer } from '../../test/tables.ts';

let world: TableServer;
beforeAll(async () => {
  world = await createTableServer('admin');
  const columns = ['name', 'surname', 'patronymic'];
  await load(table('customers', columns, ['Анна', 'Громова', 'Ильинична'], ['Парк Север', '', '']));
  await load(table('buses', ['name', 'client'], ['А 1', 'Анна']));
});
afterAll(() => world.server.close());

const table = (kind: ImportKind, columns: string[], ...rows: string[][]): AskedTable => ({
  ...{ kind, columns, rows },
});
/** Loads a table that nothing refuses. */
async function load(asked: AskedTable) {
  const done = await world.calls.load(asked);
  expect(done.check.faults).toEqual([]);
  return done;
}
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await world.server.deps.database.pool.query(text, values)).rows;
/** The reason and the words of the first fault. */
async function faultOf(asked: AskedTable, language = 'ru_RU') {
  const { body } = await world.calls.post('/check', { ...asked, language });
  return [body.faults[0]?.cell, body.faults[0]?.reason, body.faults[0]?.words];
}
/** The rows of an exported table, its headings first. */
async function exported(kind: ImportKind, format: string): Promise<string[][]> {
  const { bytes } = await world.calls.save(kind, `format=${format}&language=ru_RU`);
  if (format === 'xlsx') {
    const [sheet] = await readXlsx(bytes);
    return (sheet?.rows ?? []).map((row) => row.map((cell) => String(cell ?? '')));
  }
  return readCsv(bytes.toString().replace('\uFEFF', ''), ';').map(({ row }) =>
    Object.values(row).map(String),
  );
}
/** Checks what was exported. @returns the states of its rows */
async function exportedStates(kind: ImportKind, format = 'csv'): Promise<string[]> {
  const rows = await exported(kind, format);
  const columns = importColumns[kind];
  const { faults, states } = await world.calls.check({ kind, columns, rows: rows.slice(1) });
  expect(faults, kind).toEqual([]);
  return states;
}

describe('a customer with name and surname', () => {
  it.each(['Анна', 'Анна Громова', 'Громова Анна', ' громова  анна '])(
    'is found in a table of customers as “%s”',
    async (name) => {
      const { states } = await world.calls.check(table('customers', ['name'], [name]));
      expect(states).toEqual(['same']);
    },
  );

  it('is changed by a row that names it so, and no second one is made', async () => {
    const rows = [['Громова Анна', 'пробный']];
    const done = await load(table('customers', ['name', 'status'], ...rows));
    expect([done.created, done.changed]).toEqual([0, 1]);
    expect(await query("select surname, status from clients where name like '%Анна%'")).toEqual([
      { surname: 'Громова', status: 2 },
    ]);
  });

  it('is one object, however the rows of a table name it', async () => {
    const rows = [['Анна'], ['Анна Громова']];
    expect(await faultOf(table('customers', ['name'], ...rows))).toEqual(['A3', 'twice', ['A2']]);
  });

  it.each(['Анна Громова', 'Громова Анна'])(
    'is found as “%s” by all other tables',
    async (name) => {
      const tables = [
        table('buses', ['name', 'client'], ['А 2', name]),
        table('users', ['login', 'role', 'client'], ['gromova', 'клиент', name]),
        table('units', ['device_id', 'client'], ['RW-1', name]),
      ];
      for (const asked of tables) {
        expect(await world.calls.check(asked), asked.kind).toMatchObject({ adds: 1, faults: [] });
      }
      const columns = ['bus', 'client', 'stream_id', 'name'];
      const cameras = table('cameras', columns, ['А 1', name, 'd1', 'Дверь']);
      expect(await world.calls.check(cameras)).toMatchObject({ adds: 1, faults: [] });
    },
  );

  it('goes after one whose name it is', async () => {
    await load(table('customers', ['name'], ['Парк Север Западный']));
    await query("update clients set surname = 'Западный' where name = 'Парк Север'");
    const { check } = await load(
      table('customers', ['name', 'patronymic'], ['Парк Север Западный', 'второй']),
    );
    expect(check.changes).toBe(1);
    expect(await query("select name from clients where patronymic = 'второй'")).toEqual([
      { name: 'Парк Север Западный' },
    ]);
  });
});

describe('customers whom the product shows by one name', () => {
  it('are the ones whose objects they are, so that exported tables change nothing', async () => {
    const ids = await query<{ id: number }>(
      "select id from clients where name like 'Парк Север%' order by id",
    );
    for (const [at, { id }] of ids.entries()) {
      const body = { client_ids: [id], timezone: 'Europe/Moscow', name: `С ${at}` };
      const bus = await askJson(world.server, world.tokens.admin, 'POST', '/api/admin/buses', body);
      const values = [`RW-S${at}`, id];
      await query(
        'insert into units (device_id, owner_id, created_at) values ($1, $2, now())',
        values,
      );
      await query("insert into cameras (workplace_id, name, stream_id) values ($1, 'Д', 'd')", [
        bus.body.id,
      ]);
      await query(
        "insert into users (login, role, client_id, password_hash, created_at) values ($1, 'CUSTOMER', $2, '', now())",
        [`sever-${at}`, id],
      );
    }
    for (const kind of ['customers', 'users', 'buses', 'units', 'cameras'] as const) {
      const states = await exportedStates(kind);
      expect([states.length > 1, new Set(states)], kind).toEqual([true, new Set(['same'])]);
    }
  });

  it('are named by the fault of a row that may mean either', async () => {
    const fault = ['several_clients', ['Парк Север Западный']];
    const bus = table('buses', ['name', 'client'], ['С 9', 'Парк Север Западный']);
    expect(await faultOf(bus)).toEqual(['B2', ...fault]);
    await load(table('customers', ['name'], ['Вокзал']));
    await query("insert into clients (name, created_at) values ('ВОКЗАЛ', now())");
    const either = table('customers', ['name'], ['вокзал']);
    expect(await faultOf(either)).toEqual(['A2', 'several_clients', ['Вокзал', 'ВОКЗАЛ']]);
    const exact = table('customers', ['name'], ['Вокзал'], ['ВОКЗАЛ']);
    expect((await world.calls.check(exact)).states).toEqual(['same', 'same']);
  });
});

it('a row that may mean several buses is told whose they are', async () => {
  await load(table('buses', ['name', 'client'], ['Д 1', 'Первый'], ['Д 2', 'Второй']));
  await query("update workplaces set name = 'Д 1' where name = 'Д 2'");
  const camera = (client: string) =>
    table('cameras', ['bus', 'client', 'stream_id', 'name'], ['Д 1', client, 'd', 'Дверь']);
  const owners = ['Второй Второй-фамилия', 'Первый Первый-фамилия'];
  const [cell, reason, words] = await faultOf(camera(''));
  expect([cell, reason, words.toSorted()]).toEqual(['A2', 'several', owners]);
  expect((await world.calls.check(camera('Второй'))).faults).toEqual([]);
  await load(table('buses', ['name', 'client'], ['Д 3', 'Второй']));
  await query("update workplaces set name = 'Д 1' where name = 'Д 3'");
  expect(await faultOf(camera('Второй'))).toEqual(['A2', 'several', [owners[0]]]);
});

it.each(['csv', 'xlsx'])(
  'names with and without an apostrophe before a formula stay two in an exported %s',
  async (format) => {
    const names = ['-7', "'-7", "'-a1", "''=1", "'s"];
    for (const name of names) {
      const values = [`${name} ${format}`];
      await query('insert into clients (name, created_at) values ($1, now())', values);
      await query('insert into units (device_id, created_at) values ($1, now())', values);
    }
    for (const kind of ['customers', 'units'] as const) {
      const states = await exportedStates(kind, format);
      expect([states.length > 5, new Set(states)], kind).toEqual([true, new Set(['same'])]);
    }
  },
);

it('the words that are allowed are those of the language of the user, and all are taken', async () => {
  const cell = (column: string, word: string) =>
    table('customers', ['name', column], ['Анна', word]);
  expect(await faultOf(cell('enabled', 'может'))).toEqual(['B2', 'choice', ['да', 'нет']]);
  const statuses = ['active', 'trial', 'blocked', 'archived'];
  expect(await faultOf(cell('status', 'спит'), 'en_US')).toEqual(['B2', 'choice', statuses]);
  for (const word of ['да', 'Yes', '1', '+']) {
    expect((await world.calls.check(cell('enabled', word))).faults).toEqual([]);
  }
});
