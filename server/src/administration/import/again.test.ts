// Tables of objects that exist: rows change them or leave them alone, and an exported table changes nothing.
import { type ImportKind, importColumns } from '@ridewatch/contract/admin-import';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../../test/csv-rows.ts';
import { readXlsx } from '../../test/read-xlsx.ts';
import { askJson } from '../../test/requests.ts';
import { type AskedTable, createTableServer, type TableServer } from '../../test/tables.ts';

let server: TableServer['server'];
let tokens: TableServer['tokens'];
let calls: TableServer['calls'];
beforeAll(async () => {
  const logins = ['admin', 'integrator', 'operator', 'first'];
  ({ server, tokens, calls } = await createTableServer(...logins));
  for (const table of [customers, users, buses, units, cameras]) {
    const { created, check } = await calls.load(table);
    expect([created, check.faults]).toEqual([table.rows.length, []]);
  }
});
afterAll(() => server.close());

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.deps.database.pool.query(text, values)).rows;

const customers: AskedTable = {
  kind: 'customers',
  columns: ['name', 'surname', 'patronymic', 'status', 'enabled'],
  rows: [
    ['Парк Юг', 'Громова', 'Ильинична', 'пробный', 'да'],
    ['Парк Запад', '', '', '', 'нет'],
  ],
};
const users: AskedTable = {
  kind: 'users',
  columns: ['login', 'role', 'client', 'can_edit'],
  rows: [
    ['ivanova', 'клиент', 'Парк Юг', 'да'],
    ['petrov', 'оператор', 'Первый', 'нет'],
    ['root', 'администратор', '', ''],
  ],
};
const buses: AskedTable = {
  kind: 'buses',
  columns: [
    ...['name', 'client', 'group', 'capacity_seated', 'capacity_standing', 'device_id', 'timezone'],
    ...['type', 'description'],
  ],
  rows: [
    ['Б 1', 'Парк Юг', 'м7', '30', '70', 'RW-701', 'Asia/Omsk', 'только счётчик', '=1+1'],
    ['Б 2', 'Первый', '', '', '', '007', '', '', ''],
    ['Б 3', 'Первый', 'м1', '20', '', '', '', '', ' с дверью; "новой"'],
  ],
};
const units: AskedTable = {
  kind: 'units',
  columns: ['device_id', 'bus', 'client'],
  rows: [
    ['861230000000000001', 'Б 3', ''],
    ['RW-802', '', 'Парк Юг'],
    ['RW-803', '', 'Первый'],
  ],
};
const cameras: AskedTable = {
  kind: 'cameras',
  columns: ['bus', 'name', 'stream_id', 'client', 'door', 'live', 'counts', 'enabled'],
  rows: [
    ['Б 1', 'Дверь 1', 'door1', '', '1', 'у двери', '', ''],
    ['Б 1', 'Салон', 'cabin', 'Парк Юг', '', 'служебная', '', 'нет'],
    ['Б 2', 'Дверь 2', '02', '', '2', '', 'нет', ''],
  ],
};
const kinds: readonly ImportKind[] = ['customers', 'users', 'buses', 'units', 'cameras'];

/** Some columns of a table with the rows of some objects. */
const part = (kind: ImportKind, columns: string[], ...rows: string[][]): AskedTable => ({
  ...{ kind, columns, rows },
});

describe('a row of an object that exists', () => {
  it('is left alone when it says what is stored, in any case and with spaces', async () => {
    for (const table of [customers, users, buses, units, cameras]) {
      const { states, changes, adds, faults } = await calls.check(table);
      expect([states, changes, adds, faults], table.kind).toEqual([
        ...[table.rows.map(() => 'same'), 0, 0, []],
      ]);
    }
    const odd = part('buses', ['name', 'group'], ['  б  2 ', ''], ['Б 1', 'М7']);
    expect((await calls.check(odd)).states).toEqual(['same', 'same']);
  });

  it('names the cells that change something, with what is stored in the words of the language', async () => {
    const table = part(
      'buses',
      ['name', 'places', 'type', 'group', 'timezone'],
      ['Б 1', '110', 'с видео', 'м9', ''],
      ['Б 4', '', '', '', ''],
      ['Б 2', '', '', '', 'Europe/Samara'],
    );
    const { changed, states, faults, routes } = await calls.check(table);
    expect(states).toEqual(['changed', 'faulty', 'changed']);
    const { reason, words } = faults[0];
    expect([faults.length, reason, words]).toEqual([1, 'no_column', ['client']]);
    expect(routes).toMatchObject([{ cell: 'D2', value: 'м9' }]);
    expect(
      changed.map(({ cell, value, before }: Record<string, string>) => [cell, value, before]),
    ).toEqual([
      ['C2', 'с видео', 'только счётчик'],
      ['B2', '110', '100'],
      ['D2', 'м9', 'м7'],
      ['E4', 'Europe/Samara', 'Europe/Moscow'],
    ]);
    const { body } = await calls.post('/check', { ...table, language: 'en_US' });
    expect(body.changed[0].before).toBe('counter only');
  });

  it('changes the fields that its cells give, and leaves those of empty cells and missing columns', async () => {
    const tables = [
      part('customers', ['name', 'surname', 'status'], ['парк юг', '', 'работает']),
      part('users', ['login', 'can_edit'], ['PETROV', 'да'], ['ivanova', '']),
      part('buses', ['name', 'description', 'device_id'], ['Б 2', 'новый', ''], ['Б 1', '', '']),
      part('units', ['device_id', 'client'], ['RW-802', 'Первый'], ['RW-803', '']),
      part('cameras', ['bus', 'stream_id', 'name'], ['Б 2', '02', 'Дверь 2 слева']),
    ];
    for (const table of tables) {
      const { created, changed, check } = await calls.load(table);
      expect([created, changed, check.faults], table.kind).toEqual([0, 1, []]);
    }
    expect(
      await query("select surname, status, enabled from clients where name = 'Парк Юг'"),
    ).toEqual([{ surname: 'Громова', status: 1, enabled: true }]);
    expect(await query("select role, can_edit from users where login = 'petrov'")).toEqual([
      { role: 'OPERATOR', can_edit: true },
    ]);
    expect(
      await query(
        "select description, capacity_seated as seats from workplaces where name = 'Б 2'",
      ),
    ).toEqual([{ description: 'новый', seats: null }]);
    expect(
      await query(
        "select clients.name from units join clients on clients.id = owner_id where device_id = 'RW-802'",
      ),
    ).toEqual([{ name: 'Первый' }]);
    expect(await query("select door, name from cameras where stream_id = '02'")).toEqual([
      { door: 2, name: 'Дверь 2 слева' },
    ]);
    const written = await query<{ action: string; before: object; after: object }>(
      "select action, before, after from audit_log where action like 'set_%' order by id",
    );
    expect(written).toHaveLength(5);
    expect(written[2]).toEqual({
      ...{ action: 'set_bus', before: { description: null }, after: { description: 'новый' } },
    });
    const [file] = await query<{ after: object }>(
      "select after from audit_log where action = 'import' order by id desc limit 1",
    );
    expect(file?.after).toEqual({ file: 'парк.xlsx', created: 0, changed: 1, routes: 0 });
  });

  it('moves a bus to a route from its present day on, and gives it the unit that it lacks', async () => {
    const table = part('buses', ['name', 'client', 'group'], ['Б 2', 'Первый', 'м5']);
    expect(await calls.load(table)).toMatchObject({ changed: 1, created: 0 });
    const [moved] = await query<{ routes: string[]; days: number }>(
      `select array_agg(route_groups.name order by valid_from) as routes
       from workplaces join workplace_settings as own on own.workplace_id = workplaces.id
       left join route_groups on route_groups.id = group_id where workplaces.name = 'Б 2'`,
    );
    expect(moved?.routes.at(-1)).toBe('м5');
    await calls.load(part('buses', ['name', 'client'], ['Б 9', 'Первый']));
    const unit = part('buses', ['name', 'device_id'], ['Б 9', 'RW-909']);
    const { changed, credentials } = await calls.load(unit);
    expect([changed, credentials]).toMatchObject([1, [{ device_id: 'RW-909', bus: 'Б 9' }]]);
    const other = part('buses', ['name', 'device_id'], ['Б 9', 'RW-910']);
    expect(await calls.faultsOf(other)).toEqual(['B2 has_unit']);
  });

  it('moves a unit, also one that has sent something, but none in test mode', async () => {
    await calls.load(part('buses', ['name', 'client'], ['Б 10', 'Первый']));
    const device = '861230000000000001';
    const to = (bus: string) => part('units', ['device_id', 'bus'], [device, bus]);
    expect(await calls.load(to('Б 10'))).toMatchObject({ changed: 1 });
    const place = () =>
      query(
        `select name, isfinite(assigned_from) as since from units
         join workplaces on workplaces.id = workplace_id where device_id = $1`,
        [device],
      );
    expect(await place()).toEqual([{ name: 'Б 10', since: false }]);
    const set = (change: string) =>
      query(`update units set ${change} where device_id = $1`, [device]);
    await set('last_seen_at = now()');
    expect(await calls.load(to('Б 3'))).toMatchObject({ changed: 1 });
    expect(await place()).toEqual([{ name: 'Б 3', since: true }]);
    await set('test_since = now()');
    expect(await calls.faultsOf(to('Б 10'))).toEqual(['B2 in_test']);
    await set('test_since = null');
    expect(await calls.load(to('Б 10'))).toMatchObject({ changed: 1 });
    const others = part('units', ['device_id', 'client'], [device, 'Парк Юг']);
    expect(await calls.faultsOf(others)).toEqual(['B2 in_bus']);
  });

  it('is refused when another customer has the object, or a second camera would count its door', async () => {
    const other = part('buses', ['name', 'client'], ['Б 1', 'Первый']);
    expect(await calls.faultsOf(other)).toEqual(['A2 taken']);
    const counting = part(
      'cameras',
      ['bus', 'stream_id', 'name', 'door', 'counts'],
      ['Б 1', 'top1', 'Сверху', '1', 'да'],
    );
    expect(await calls.faultsOf(counting)).toEqual(['E2 counted']);
  });

  it('is not written when somebody has changed it since the check', async () => {
    const table = part('customers', ['name', 'surname'], ['Парк Запад', 'Орлова']);
    expect(await calls.check(table)).toMatchObject({ changes: 1 });
    await query("update clients set surname = 'Орлова' where name = 'Парк Запад'");
    expect(await calls.load(table)).toMatchObject({ changed: 0, check: { states: ['same'] } });
  });
});

describe('an integrator', () => {
  const asked = (role: string, login = 'first') => part('users', ['login', 'role'], [login, role]);

  it('changes nothing of users and buses that it does not see', async () => {
    expect(await calls.faultsOf(asked('operator', 'ivanova'), 'integrator')).toEqual(['A2 taken']);
    const bus = part('buses', ['name', 'description'], ['Б 1', 'чужой']);
    expect(await calls.faultsOf(bus, 'integrator')).toEqual(['A2 no_column']);
    const unit = part('units', ['device_id', 'client'], ['RW-701', 'Первый']);
    expect(await calls.faultsOf(unit, 'integrator')).toEqual(['A2 taken']);
  });

  it('raises nobody, changes no other integrator, and not its own role', async () => {
    expect(await calls.faultsOf(asked('admin'), 'integrator')).toEqual(['B2 no_right']);
    expect(await calls.faultsOf(asked('integrator'), 'integrator')).toEqual(['B2 no_right']);
    const own = asked('operator', 'integrator');
    expect(await calls.faultsOf(own, 'integrator')).toEqual(['B2 no_right']);
    expect(await calls.load(asked('operator'), 'integrator')).toMatchObject({ changed: 1 });
    // Another role ends the sessions of the user.
    const answer = await server.app.inject({
      url: '/api/auth/me',
      headers: { authorization: `Bearer ${tokens.first}` },
    });
    expect(answer.statusCode).toBe(401);
  });
});

describe('an exported table', () => {
  const columnsOf = (kind: ImportKind, login: string) =>
    importColumns[kind].filter((column) => column !== 'group' || login === 'admin');

  async function exported(kind: ImportKind, format: string, language: string, login = 'admin') {
    const { status, bytes } = await calls.save(
      kind,
      `format=${format}&language=${language}`,
      login,
    );
    expect(status).toBe(200);
    if (format === 'xlsx') {
      const [sheet] = await readXlsx(bytes);
      return (sheet?.rows ?? []).map((row) => row.map((cell) => String(cell ?? '')));
    }
    const text = bytes.toString().replace('\uFEFF', '');
    return readCsv(text, language === 'ru_RU' ? ';' : ',').map(({ row }) =>
      Object.values(row).map(String),
    );
  }

  it.each([
    ['xlsx', 'ru_RU', 'admin'],
    ['xlsx', 'en_US', 'integrator'],
    ['csv', 'ru_RU', 'admin'],
    ['csv', 'en_US', 'integrator'],
  ])('as %s in %s changes nothing when %s loads it again', async (format, language, login) => {
    for (const kind of kinds) {
      if (kind === 'customers' && login !== 'admin') continue;
      const [, ...rows] = await exported(kind, format, language, login);
      expect(rows.length, kind).toBeGreaterThan(1);
      const table = { kind, columns: columnsOf(kind, login), rows };
      const { faults, changed, states } = await calls.check(table, login);
      expect([faults, changed, new Set(states)], kind).toEqual([[], [], new Set(['same'])]);
      expect(await calls.load(table, login)).toMatchObject({ created: 0, changed: 0 });
    }
  });

  it('changes nothing of rows that are older than the rules, nor of two buses with one name', async () => {
    await query("update workplaces set description = E'с\\u200b1' where name = 'Б 1'");
    await query("update users set login = 'iva\u200bnova' where login = 'ivanova'");
    await query("update workplaces set name = 'Б 1' where name = 'Б 9'");
    for (const kind of kinds) {
      const [, ...rows] = await exported(kind, 'xlsx', 'ru_RU');
      const { faults, states } = await calls.check({
        kind,
        columns: columnsOf(kind, 'admin'),
        rows,
      });
      expect([faults, new Set(states)], kind).toEqual([[], new Set(['same'])]);
    }
    await query("update workplaces set name = 'Б 9' where name = 'Б 1' and description is null");
    await query("update workplaces set description = '=1+1' where name = 'Б 1'");
  });

  it('changes nothing of texts with spaces around them, nor creates what they name', async () => {
    const odd = {
      workplaces: "description = ' с дверью ' where name = 'Б 3'",
      clients: "surname = ' Громова' where name = 'Парк Юг'",
      cameras: "stream_id = ' door1', name = 'Вход ' where name = 'Дверь 1'",
      users: "login = ' petrov' where login = 'petrov'",
    };
    for (const [table, change] of Object.entries(odd)) await query(`update ${table} set ${change}`);
    await query("update workplaces set description = '''+7 999' where name = 'Б 2'");
    for (const kind of kinds) {
      for (const format of ['csv', 'xlsx']) {
        const [, ...rows] = await exported(kind, format, 'ru_RU');
        const table = { kind, columns: columnsOf(kind, 'admin'), rows };
        const { faults, changed, states } = await calls.check(table);
        expect([faults, changed, new Set(states)], kind).toEqual([[], [], new Set(['same'])]);
      }
    }
    await query("update users set login = 'petrov' where login = ' petrov'");
    await query("update clients set surname = 'Громова' where name = 'Парк Юг'");
  });

  it('has headings and words in the language of the user, and every cell as text', async () => {
    const [headings, ...rows] = await exported('buses', 'xlsx', 'ru_RU');
    expect(headings).toEqual([
      ...['Название', 'Клиент', 'Маршрут', 'Сидячих мест', 'Стоячих мест', 'Мест всего'],
      ...['Прибор', 'Часовой пояс', 'Вид', 'Описание'],
    ]);
    expect(rows.find(([name]) => name === 'Б 1')).toEqual([
      ...['Б 1', 'Парк Юг Громова', 'м7', '30', '70', '', 'RW-701', 'Asia/Omsk'],
      ...['только счётчик', '=1+1'],
    ]);
    expect(rows.find(([name]) => name === 'Б 2')?.[6]).toBe('007');
    const [titles, ...spare] = await exported('units', 'xlsx', 'en_US');
    expect(titles).toEqual([
      ...['Device id', 'Bus', 'Customer', 'Protocol', 'Number in the protocol'],
      ...[
        'EGTS: what the door counter sends',
        'EGTS: raw data flag (RDF)',
        'EGTS: number of the counter',
      ],
      ...['JT/T 808: clock of the unit', 'JT/T 808: door of the counter'],
      ...['JT/T 808: recorded video comes', 'OsmAnd: unit of speed'],
    ]);
    expect(spare.find(([device]) => device === '861230000000000001')?.slice(0, 4)).toEqual([
      ...['861230000000000001', 'Б 10', 'Первый Первый-фамилия', "Ridewatch's own"],
    ]);
  });

  it('has no secret, is noted in the audit log, and only administrators get all customers', async () => {
    const text = (await calls.save('users', 'format=csv')).bytes.toString();
    expect(text).toContain('petrov');
    expect(text).not.toMatch(/argon2|rwu_|link/);
    const [row] = await query<{ object_type: string; after: object }>(
      "select object_type, after from audit_log where action = 'export' order by id desc limit 1",
    );
    expect(row).toMatchObject({ object_type: 'user', after: { format: 'csv' } });
    expect((await calls.save('customers', '', 'integrator')).status).toBe(403);
    expect((await calls.save('buses', '', 'operator')).status).toBe(403);
    const foreign = (await calls.save('buses', 'format=csv', 'integrator')).bytes.toString();
    expect(foreign).not.toContain('Автобус 2');
  });
});

describe('a row that may mean either of two buses', () => {
  it('of one customer and name is a fault until one of them is renamed', async () => {
    const [owner] = await query<{ id: number }>("select id from clients where name = 'Первый'");
    const body = { client_ids: [owner?.id], timezone: 'Europe/Moscow' };
    const made = await Promise.all(
      ['Тёзка', 'ТЁЗКА'].map((name) =>
        askJson(server, tokens.admin, 'POST', '/api/admin/buses', { ...body, name }),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    const table = part('buses', ['name', 'client', 'places'], ['тёзка', 'Первый', '40']);
    expect(await calls.faultsOf(table)).toEqual(['A2 several']);
    const url = `/api/admin/buses/${made[0]?.body.id}`;
    await askJson(server, tokens.admin, 'PUT', url, { name: 'Тёзка 1' });
    expect(await calls.faultsOf(table)).toEqual([]);
  });
});
