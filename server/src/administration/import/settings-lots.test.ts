// Settings of buses that a table changes are written in lots: they come out as those of the form, bus by bus.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTableServer, type TableServer } from '../../test/tables.ts';

/** More buses than one lot has. */
const BUSES = 300;
/** The number of them that have a twin, which the form changes. */
const TWINS = 12;
const COLUMNS = ['name', 'group', 'timezone'];

let server: TableServer['server'];
let tokens: TableServer['tokens'];
let calls: TableServer['calls'];
beforeAll(async () => {
  ({ server, tokens, calls } = await createTableServer('admin'));
  const buses = [...named('Т', BUSES), ...named('Ф', TWINS)];
  const { created } = await calls.load({
    ...{ kind: 'buses', columns: ['name', 'client', 'group', 'device_id'] },
    rows: [...buses.map((name) => [name, 'Первый', 'м1', name]), ['П 1', 'Первый', 'м2', '']],
  });
  expect(created).toBe(BUSES + TWINS + 1);
  await giveDays();
});
afterAll(() => server.close());

const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix} ${at}`);
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.deps.database.pool.query(text, values)).rows;

/** Gives every other bus days with people, a settled one, hours and a fare, all around the present day. */
async function giveDays(): Promise<void> {
  const today = new Date(server.clock.nowMs()).toISOString().slice(0, 10);
  await query(
    `with bus as (
       select id from workplaces where name ~ '^[ТФ] [0-9]*[02468]$'
     ), days as (
       insert into bus_days (workplace_id, day)
       select id, $1::date + shift from bus, generate_series(-3, 0) as shift
     ), hours as (
       insert into hourly_traffic (workplace_id, hour_start, unit_id, entered_adults)
       select bus.id, $1::timestamp at time zone 'UTC' - interval '2 hours', units.id, 5
       from bus join units on workplace_id = bus.id
     ), fares as (
       insert into calculations (workplace_id, day, fare_kopecks)
       select id, $1::date - shift, 3000 from bus, unnest(array[0, 3]) as shift
     )
     insert into day_traffic (workplace_id, day, entered_adults, entered_kids, exited_adults,
       exited_kids, entered_manual, exited_manual, revenue_kopecks, no_price_milli, heard,
       heard_hours, silent_hours, closed)
     select id, $1::date - shift, 5, 0, 0, 0, 0, 0, 15000, 0, 1, 1, 0, false
     from bus, unnest(array[1, 2]) as shift`,
    [today],
  );
}

/** New settings of a bus: another route, another zone, both or nothing. */
const cellsOf = (at: number): [string, string] => [
  at % 4 < 2 ? 'м2' : '',
  at % 3 === 0 ? 'Asia/Omsk' : '',
];

/** Everything that a change of settings writes about a bus. */
async function stateOf(name: string) {
  const [bus] = await query<{ id: number }>('select id from workplaces where name = $1', [name]);
  const rows = (text: string) => query(text, [bus?.id]);
  return {
    settings: await rows(`
      select valid_from, group_id, timezone, terminal_stop_id, count_source
      from workplace_settings where workplace_id = $1 order by valid_from`),
    laps: await rows(`
      select day, asked_at, due_at, edited_take from lap_days where workplace_id = $1 order by day`),
    unsettled: await rows('select day from unsettled_days where workplace_id = $1 order by day'),
    hours: await rows('select hour_start from hourly_traffic where workplace_id = $1'),
    batches: await rows('select batches from units where workplace_id = $1'),
    log: await rows(`
      select action, before, after from audit_log
      where object_type = 'workplace' and object_id = $1::text and action like 'set_%' order by id`),
  };
}

describe('a table that changes routes and zones of more buses than a lot has', () => {
  it('writes about each bus what its form writes', async () => {
    const changed = await calls.load({
      ...{ kind: 'buses', columns: COLUMNS },
      rows: named('Т', BUSES).map((name, at) => [name, ...cellsOf(at)]),
    });
    const expected = named('Т', BUSES).filter((_, at) => cellsOf(at).some((cell) => cell !== ''));
    expect([changed.check.faults, changed.changed]).toEqual([[], expected.length]);
    const [route] = await query<{ id: number }>(`
      select route_groups.id from route_groups join clients on clients.id = client_id
      where route_groups.name = 'м2' and clients.name = 'Первый'`);
    for (const [at, name] of named('Ф', TWINS).entries()) {
      const [bus] = await query<{ id: number }>('select id from workplaces where name = $1', [
        name,
      ]);
      const [group, timezone] = cellsOf(at);
      const answer = await server.app.inject({
        ...{ method: 'PUT', url: `/api/admin/buses/${bus?.id}/settings` },
        headers: { authorization: `Bearer ${tokens.admin}` },
        payload: {
          ...(group && { group_id: route?.id }),
          ...(timezone && { timezone }),
          ...{ valid_from: new Date(server.clock.nowMs()).toISOString().slice(0, 10), seen: {} },
        },
      });
      expect(answer.statusCode).toBe(200);
    }
    for (let at = 0; at < TWINS; at += 1) {
      const [byTable, byForm] = [await stateOf(`Т ${at}`), await stateOf(`Ф ${at}`)];
      expect(byTable, `bus ${at}`).toEqual(byForm);
    }
    const [first, last] = [await stateOf('Т 0'), await stateOf(`Т ${BUSES - 4}`)];
    expect([first.laps.length, first.unsettled.length]).toEqual([3, 3]);
    expect([last.settings.length, last.log.length]).toEqual([2, 1]);
  });

  it('is taken back whole, and one bus that somebody has changed since is named', async () => {
    const table = (route: string) => ({
      ...{ kind: 'buses', columns: COLUMNS },
      rows: named('Т', BUSES).map((name) => [name, route, '']),
    });
    const present = () =>
      query(`
        select distinct on (workplace_id) workplace_id, group_id, timezone
        from workplace_settings order by workplace_id, valid_from desc`);
    const before = await present();
    const { import_id } = await calls.load(table('м3'));
    const other = await calls.load({
      ...{ kind: 'buses', columns: COLUMNS, rows: [[`Т ${BUSES - 2}`, 'м4', '']] },
    });
    const undo = async (id: number) =>
      (
        await server.app.inject({
          ...{ method: 'POST', url: `/api/admin/imports/${id}/undo` },
          headers: { authorization: `Bearer ${tokens.admin}` },
        })
      ).json();
    expect(await undo(import_id)).toEqual({
      ...{ undone: false, obstacles: [{ name: `Т ${BUSES - 2}`, reasons: ['changed'] }] },
    });
    expect(await undo(other.import_id)).toMatchObject({ undone: true });
    expect(await undo(import_id)).toMatchObject({ undone: true });
    expect(await present()).toEqual(before);
  });
});
