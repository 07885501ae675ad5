// Tables of customers, users, buses, units and cameras: what their check says, and what loading them creates.
import { type ImportCell, MOST_IMPORT_FAULTS } from '@ridewatch/contract/admin-import';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AskedTable, createTableServer, type TableServer } from '../../test/tables.ts';

let server: TableServer['server'];
let fleet: TableServer['fleet'];
let calls: TableServer['calls'];
beforeAll(async () => {
  const logins = ['admin', 'integrator', 'operator', 'first'];
  ({ server, fleet, calls } = await createTableServer(...logins));
});
afterAll(() => server.close());

const post: typeof calls.post = (...asked) => calls.post(...asked);
const check: typeof calls.check = (...asked) => calls.check(...asked);
const load: typeof calls.load = (...asked) => calls.load(...asked);
const faultsOf: typeof calls.faultsOf = (...asked) => calls.faultsOf(...asked);
const count = async (table: string): Promise<number> =>
  (await server.deps.database.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n;

const buses = (...rows: ImportCell[][]): AskedTable => ({
  kind: 'buses',
  columns: ['name', 'client', 'group', 'places', 'device_id', 'timezone'],
  rows,
});

describe('a check', () => {
  it('names each cell that cannot be taken, its value, and what is allowed', async () => {
    const table = buses(
      ['А 801 МР', 'Первый', '', '100', 'RW-20611', 'Europe/Moscow'],
      ['А 802 МР', 'Первый', '', '100', 'RW-20612', ''],
      ['А 803 МР', 'Первый', '', 'сто', 'RW-20613', ''],
    );
    expect(await check(table)).toEqual({
      ...{ rows: 3, adds: 2, changes: 0, faulty: 1, routes: [], changed: [], changed_cells: 0 },
      fault_cells: 1,
      states: ['new', 'new', 'faulty'],
      units: [0, 1, 2],
      faults: [
        {
          ...{ cell: 'D4', row: 2, column: 3, value: 'сто', reason: 'number' },
          ...{ least: 0, most: 500, words: [] },
        },
      ],
    });
  });

  it('names cells whose content the file does not tell, if somebody loads their column', async () => {
    const lost = { value: '8.6e+22', unread: 'digits' } as const;
    const rows: ImportCell[][] = [
      [{ value: '#REF!', unread: 'error' }, 'Первый', '', '', lost],
      ['А 902 МР', 'Первый', '', { value: '=D1', unread: 'formula' }, 'RW-902'],
    ];
    expect(await faultsOf(buses(...rows))).toEqual(['A2 error', 'E2 digits', 'D3 formula']);
    expect((await load(buses(...rows))).created).toBe(0);
    const columns = ['name', 'client', null, null, null];
    expect(await faultsOf({ kind: 'buses', columns, rows: rows.slice(1) })).toEqual([]);
  });

  it('finds what is missing, taken, twice, unknown, too long or no zone', async () => {
    const { firstBus } = fleet;
    const { name } = await server.deps.database.db
      .selectFrom('workplaces')
      .select('name')
      .where('id', '=', firstBus.busId)
      .executeTakeFirstOrThrow();
    const table = buses(
      ['', 'Первый', '', '', '', ''],
      [name.toLowerCase(), 'Второй', '', '', '', ''],
      ['А 1', ' первый  Первый-фамилия', '', '', 'RW-1', ''],
      ['а  1', 'Первый', '', '', 'RW-1', ''],
      ['А 2', 'Никто', '', '501', ' ', 'Mars/Base'],
      ['А'.repeat(256), 'Первый', '', '1.5', '', ''],
      ['', '', '', '', '', ''],
      ['А\u200b3', 'Первый', '', '', '', ''],
    );
    expect(await faultsOf(table)).toEqual([
      ...['A2 required', 'A3 taken', 'A5 twice', 'E5 twice'],
      ...['B6 unknown', 'D6 number', 'F6 zone', 'A7 long', 'D7 number', 'A9 invisible'],
    ]);
    const { faults, rows } = await check(table);
    expect(rows).toBe(7);
    expect(faults[1].words).toEqual(['Первый Первый-фамилия']);
    expect(faults[2].words).toEqual(['A4']);
  });

  it('calls cells as the sheet does, also when the headings stand lower and columns are left out', async () => {
    const columns = [...Array.from({ length: 26 }, () => null), 'name', 'client'];
    const rows = [[...Array.from({ length: 27 }, () => ''), 'Никто']];
    const { body } = await post('/check', { kind: 'buses', heading: 4, columns, rows });
    expect(body.faults.map(({ cell }: { cell: string }) => cell)).toEqual(['AA5', 'AB5']);
  });

  it('never runs a formula', async () => {
    expect(await faultsOf(buses(['=1+1', 'Первый', '', '=50', '', '']))).toEqual(['D2 number']);
  });

  it('writes nothing', async () => {
    const before = [
      await count('workplaces'),
      await count('route_groups'),
      await count('audit_log'),
    ];
    const { routes } = await check(buses(['А 3', 'Первый', 'м66', '', '', '']));
    expect(routes).toEqual([{ cell: 'C2', row: 0, column: 2, value: 'м66' }]);
    expect([
      await count('workplaces'),
      await count('route_groups'),
      await count('audit_log'),
    ]).toEqual(before);
  });

  it('takes at most 50,000 rows, and known columns once', async () => {
    const rows = Array.from({ length: 50_001 }, () => ['А', 'Первый']);
    const columns = ['name', 'client'];
    expect((await post('/check', { kind: 'buses', columns, rows })).status).toBe(400);
    for (const odd of [['name', 'name'], ['password']]) {
      const answer = await post('/check', { kind: 'buses', columns: odd, rows: [['А']] });
      expect(answer).toMatchObject({ status: 400, body: { field: 'columns' } });
    }
  });
});

describe('loading a table', () => {
  it('creates buses with their routes and units, whose credentials it shows once', async () => {
    const table = buses(
      ['Б 1', 'Первый', 'м7', '100', 'RW-701', 'Asia/Omsk'],
      ['Б 2', 'Первый', 'М7', '', 'RW-702', ''],
      ['Б 3', 'Второй', '', '', '', ''],
    );
    const done = await load(table);
    expect(done).toMatchObject({ created: 3, check: { adds: 3, faulty: 0 } });
    expect(done.credentials).toEqual([
      { device_id: 'RW-701', bus: 'Б 1', credential: expect.stringMatching(/^rwu_/) },
      { device_id: 'RW-702', bus: 'Б 2', credential: expect.stringMatching(/^rwu_/) },
    ]);
    const { rows } = await server.deps.database.pool.query(
      `select workplaces.name, capacity_standing as places, timezone, route_groups.name as route
       from workplaces join workplace_settings as own on own.workplace_id = workplaces.id
       left join route_groups on route_groups.id = group_id
       where workplaces.name like 'Б %' order by 1`,
    );
    expect(rows).toEqual([
      { name: 'Б 1', places: 100, timezone: 'Asia/Omsk', route: 'м7' },
      { name: 'Б 2', places: null, timezone: 'Europe/Moscow', route: 'м7' },
      { name: 'Б 3', places: null, timezone: 'Europe/Moscow', route: null },
    ]);
  });

  it('has an audit row for each object and one for the file, and none with a credential', async () => {
    const { rows } = await server.deps.database.pool.query(
      `select action, count(*)::int as n from audit_log
       where action = 'import' or action like 'create_%' group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { action: 'create_bus', n: 3 },
      { action: 'create_route', n: 1 },
      { action: 'create_unit', n: 2 },
      { action: 'import', n: 1 },
    ]);
    const found = await server.deps.database.pool.query(
      "select from audit_log where after::text like '%rwu_%'",
    );
    expect(found.rows).toEqual([]);
  });

  it('creates nothing when one cell cannot be taken, and nothing a second time', async () => {
    const before = await count('workplaces');
    const table = buses(['Б 4', 'Первый', '', '', '', ''], ['Б 1', 'Второй', '', '', '', '']);
    expect(await load(table)).toMatchObject({ created: 0, check: { adds: 1, faulty: 1 } });
    expect(await count('workplaces')).toBe(before);
    const one = buses(['Б 5', 'Первый', '', '', 'RW-705', '']);
    expect((await load(one)).created).toBe(1);
    const again = { created: 0, changed: 0, credentials: [], check: { states: ['same'] } };
    expect(await load(one)).toMatchObject(again);
  });

  it('creates and changes at most 5,000 objects at once', async () => {
    const rows = Array.from({ length: 5001 }, (_, at) => [`М ${at}`]);
    const table = { kind: 'customers', columns: ['name'], rows };
    expect((await check(table)).adds).toBe(5001);
    const refused = await post('', { file: 'а.csv', ...table });
    expect(refused).toMatchObject({ status: 413, body: { error: 'too_large', field: 'rows' } });
    expect(await count('clients')).toBeLessThan(5000);
  });

  it('waits for no other one: the later of two is told to try again', async () => {
    const table = (name: string) => buses([name, 'Первый', 'м-один', '', '', '']);
    const client = await server.deps.database.pool.connect();
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(1900060001)');
    const refused = await post('', { file: 'а.csv', ...table('В 1') });
    expect(refused).toMatchObject({ status: 409, body: { field: 'file' } });
    await client.query('rollback');
    client.release();
    expect((await load(table('В 1'))).created).toBe(1);
  });

  it('creates customers, units and cameras', async () => {
    const customers = {
      kind: 'customers',
      columns: ['name', 'surname', 'status', 'enabled'],
      rows: [
        ['Парк Юг', 'Громова', 'пробный', 'да'],
        ['Парк Запад', '', '', ''],
        ['Парк Восток', '', 'спит', 'может быть'],
      ],
    };
    expect(await faultsOf(customers)).toEqual(['C4 choice', 'D4 choice']);
    expect((await load({ ...customers, rows: customers.rows.slice(0, 2) })).created).toBe(2);
    expect((await check(customers)).states).toEqual(['same', 'same', 'faulty']);

    const units = {
      kind: 'units',
      columns: ['device_id', 'bus', 'client'],
      rows: [
        ['RW-801', 'Б 3', ''],
        ['RW-802', '', 'Парк Юг'],
        ['RW-803', 'Б 1', ''],
        ['RW-804', 'Б 3', ''],
      ],
    };
    expect(await faultsOf(units)).toEqual(['B4 has_unit', 'B5 twice']);
    const made = await load({ ...units, rows: units.rows.slice(0, 2) });
    expect(made.credentials).toHaveLength(2);

    const cameras = {
      kind: 'cameras',
      columns: ['bus', 'name', 'stream_id', 'door', 'live', 'counts'],
      rows: [
        ['Б 1', 'Дверь 1', 'door1', '1', '', ''],
        ['Б 1', 'Дверь 1 сверху', 'top1', '1', 'у двери', ''],
        ['Б 1', 'Салон', 'cabin', '', 'салон', ''],
        ['Б 1', 'Дверь 2', 'door1', '17', '', ''],
        ['Б 1', 'Кабина', 'cab', '2', 'служебная', ''],
        ['Б 1', 'Ещё', 'more', '1', '', 'да'],
        ['Б 9', 'Нет', 'no', '1', '', ''],
      ],
    };
    expect(await faultsOf(cameras)).toEqual([
      ...['C5 twice', 'D5 number', 'D6 service_door', 'F7 counted', 'A8 unknown'],
    ]);
    expect((await load({ ...cameras, rows: cameras.rows.slice(0, 3) })).created).toBe(3);
    const { rows } = await server.deps.database.pool.query(
      `select stream_id, door, cameras.live, counts from cameras
       join workplaces on workplaces.id = workplace_id where workplaces.name = 'Б 1' order by 1`,
    );
    expect(rows).toEqual([
      { stream_id: 'cabin', door: null, live: true, counts: false },
      { stream_id: 'door1', door: 1, live: false, counts: true },
      { stream_id: 'top1', door: 1, live: false, counts: false },
    ]);
  });
});

describe('an integrator', () => {
  const table = (client: string) => buses([`И ${client}`, client, '', '', '', '']);

  it('loads buses of its customers, and foreign names are as unknown as missing ones', async () => {
    expect(await faultsOf(table('Второй'), 'integrator')).toEqual(['B2 unknown']);
    expect(await faultsOf(table('Никто'), 'integrator')).toEqual(['B2 unknown']);
    expect((await load(table('Второй'), 'integrator')).created).toBe(0);
    expect((await load(table('Первый'), 'integrator')).created).toBe(1);
    // A bus of a foreign customer does not take a name.
    expect(await faultsOf(buses(['Б 3', 'Первый', '', '', '', '']), 'integrator')).toEqual([]);
    const camera = { kind: 'cameras', columns: ['bus', 'name', 'stream_id'] };
    const ofBus = (bus: string) => ({ ...camera, rows: [[bus, 'Дверь', 'door9']] });
    expect(await faultsOf(ofBus('Б 3'), 'integrator')).toEqual(['A2 unknown']);
    const routed = {
      ...{ kind: 'buses', columns: ['name', 'client', 'group'] },
      rows: [['И 7', 'Первый', '7']],
    };
    expect(await faultsOf(routed, 'integrator')).toEqual(['C2 admin_route']);
    const spare = { kind: 'units', columns: ['device_id'], rows: [['RW-990']] };
    expect((await check({ ...spare }, 'integrator')).faults[0].reason).toBe('no_column');
  });

  it('creates no customers, and others import nothing', async () => {
    const customers = { kind: 'customers', columns: ['name'], rows: [['Новый']] };
    expect(await post('/check', customers, 'integrator')).toMatchObject({ status: 403 });
    for (const role of ['operator', 'first']) {
      for (const path of ['', '/check']) {
        const asked = { ...table('Первый'), ...(path === '' && { file: 'а.csv' }) };
        expect((await post(path, asked, role)).body.error, role).toBe('no_right');
      }
    }
  });
});

describe('the check of a large table', () => {
  it('says how many cells have faults or changes, and names the first of them', async () => {
    const rows = MOST_IMPORT_FAULTS / 2 + 10;
    const fleetOf = (places: string, zone: string) =>
      buses(
        ...Array.from({ length: rows }, (_, at) => [`Парк ${at}`, 'Первый', '', places, '', zone]),
      );
    const faulty = await check(fleetOf('сто', 'Марс'));
    expect(faulty.faults).toHaveLength(MOST_IMPORT_FAULTS);
    expect(faulty).toMatchObject({ faulty: rows, fault_cells: 2 * rows, changed_cells: 0 });
    expect((await load(fleetOf('40', 'Europe/Moscow'))).created).toBe(rows);
    const changing = await check(fleetOf('50', 'Asia/Omsk'));
    expect(changing.changed).toHaveLength(MOST_IMPORT_FAULTS);
    expect(changing).toMatchObject({ changes: rows, fault_cells: 0, changed_cells: 2 * rows });
  });
});
