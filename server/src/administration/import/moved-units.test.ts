// Tables that put units into buses which had other units before, and units that have sent something into their first bus.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../ingest/store/partitions.ts';
import { createTableServer, type TableServer } from '../../test/tables.ts';

const DAY_MS = 86_400_000;

let tables: TableServer;
beforeAll(async () => {
  tables = await createTableServer('admin', 'integrator');
});
afterAll(() => tables.server.close());

/** Of two buses and a unit, by test. */
let count = 0;
let [first, second, device]: string[] = [];
beforeEach(async () => {
  count += 1;
  [first, second, device] = [`П ${count}`, `К ${count}`, `RW-${count}`];
  await load('buses', ['name', 'client'], [first, 'Первый'], [second, 'Первый']);
});

const query = async (text: string, values: unknown[] = []) =>
  (await tables.server.deps.database.pool.query(text, values)).rows;

/** Loads a table that nothing refuses. @returns its number */
async function load(kind: string, columns: string[], ...rows: string[][]): Promise<number> {
  const answer = await tables.calls.load({ kind, columns, rows });
  expect(answer.check?.faults, JSON.stringify(answer)).toEqual([]);
  return answer.import_id;
}

async function undo(id: number) {
  const answer = await tables.server.app.inject({
    ...{ method: 'POST', url: `/api/admin/imports/${id}/undo` },
    headers: { authorization: `Bearer ${tables.tokens.admin}` },
  });
  return answer.json();
}

/** Has another unit leave a bus. */
async function leave(bus: string, until: string): Promise<void> {
  await query(
    `with gone as (insert into units (device_id, created_at) values ($1 || ' former', now()) returning id)
     insert into past_assignments (unit_id, workplace_id, from_at, until_at)
     select gone.id, workplaces.id, '-infinity', $2 from gone, workplaces where name = $1`,
    [bus, until],
  );
}

describe('a unit that has sent nothing, between buses that had others', () => {
  const place = async () =>
    (
      await query(
        `select name as bus, assigned_from as since from units
         join workplaces on workplaces.id = workplace_id where device_id = $1`,
        [device],
      )
    )[0];

  it.each([
    ['an earlier', '2025-02-01T00:00:00Z', '2025-01-01T00:00:00Z'],
    ['a later', '2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z'],
  ])('is where it was once a move to one with %s place is undone', async (_, then, now) => {
    await leave(first ?? '', then);
    await leave(second ?? '', now);
    const columns = ['device_id', 'bus'];
    await load('units', columns, [device ?? '', first ?? '']);
    const change = await load('units', columns, [device ?? '', second ?? '']);
    expect(await place()).toEqual({ bus: second, since: new Date(now) });
    expect(await undo(change)).toEqual({ undone: true, obstacles: [] });
    expect(await place()).toEqual({ bus: first, since: new Date(then) });
  });
});

describe('the first bus of a unit that has sent something', () => {
  beforeEach(() => load('units', ['device_id', 'client'], [device ?? '', 'Первый']));

  /** Has the unit count a passenger on each of the last days. */
  async function send(days: number): Promise<void> {
    const nowMs = tables.server.clock.nowMs();
    const { db, pool } = tables.server.deps.database;
    const moments = Array.from({ length: days }, (_, day) => nowMs - (day + 1) * DAY_MS);
    await ensurePartitions(db, pool, 'passenger_events', moments);
    await query(
      `with unit as (update units set last_seen_at = $2 where device_id = $1 returning id)
       insert into passenger_events (unit_id, stream_id, seq, sent_time, time, door, direction, passenger, count)
       select unit.id, 1, day, at, at, 1, 'entered', 'adult', 1
       from unit, generate_series(1, $3::int) as day,
         lateral (select $2::timestamptz - day * interval '24 hours' as at) as time`,
      [device, new Date(nowMs), days],
    );
  }
  const faultsOf = async (login?: string) => {
    const rows = [[device ?? '', first ?? '']];
    const { faults } = await tables.calls.check(
      { kind: 'units', columns: ['device_id', 'bus'], rows },
      login,
    );
    return faults.map((one: { cell: string; reason: string; words: string[] }) => [
      ...[one.cell, one.reason, ...one.words],
    ]);
  };

  it('is a fault of its row where the unit has sent more than a move takes along', async () => {
    await send(370);
    expect(await faultsOf()).toEqual([['B2', 'sent_too_much', device]]);
    // Another unit sat there for most of the time.
    const lately = new Date(tables.server.clock.nowMs() - 100 * DAY_MS);
    await leave(first ?? '', lately.toISOString());
    expect(await faultsOf()).toEqual([]);
  });

  it('is a fault where days with records are those of customers whom the user does not see', async () => {
    await send(40);
    expect(await faultsOf('integrator')).toEqual([]);
    const since = new Date(tables.server.clock.nowMs() - 20 * DAY_MS);
    await query(
      `update bus_owners set from_day = $2::date
       from workplaces where workplaces.id = workplace_id and name = $1`,
      [first, since],
    );
    expect(await faultsOf('integrator')).toEqual([['B2', 'sent_on_foreign_days', device]]);
    expect(await faultsOf()).toEqual([]);
  });

  it('is none of its faults where everything goes along, and the unit has it', async () => {
    await send(40);
    await load('units', ['device_id', 'bus'], [device ?? '', first ?? '']);
    const [{ moved }] = await query(
      `select count(*)::int as moved from passenger_events
       join workplaces on workplaces.id = workplace_id where name = $1`,
      [first],
    );
    expect(moved).toBe(40);
  });
});
