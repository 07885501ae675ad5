// The check of a table names what it creates besides the objects of its rows, and all that is known to be wrong with a
// row at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTableServer, type TableServer } from '../../test/tables.ts';

let made: TableServer;
let calls: TableServer['calls'];
beforeAll(async () => {
  made = await createTableServer('admin', 'integrator');
  ({ calls } = made);
  const { check } = await calls.load(
    buses(['Б 1', 'Первый', 'м1', 'RW-1'], ['Б 2', 'Второй', 'м2', '']),
  );
  expect(check.faults).toEqual([]);
});
afterAll(() => made.server.close());

const buses = (...rows: string[][]) => ({
  ...{ kind: 'buses', columns: ['name', 'client', 'group', 'device_id'], rows },
});
/** The rows with a new unit, and the cells with new routes. */
const additionsOf = async (...rows: string[][]) => {
  const { units, routes } = await calls.check(buses(...rows));
  return { units, routes: routes.map(({ cell }: { cell: string }) => cell) };
};

describe('a check names', () => {
  it('each row of buses with a unit that does not exist yet', async () => {
    const rows = [
      ['Б 1', 'Первый', '', 'RW-1'],
      ['Б 2', 'Второй', '', 'RW-2'],
      ['Б 3', 'Первый', '', 'RW-3'],
      ['Б 4', 'Первый', '', ''],
    ];
    expect(await additionsOf(...rows)).toEqual({ units: [1, 2], routes: [] });
  });

  it('no unit that is one already, or whose number cannot be taken', async () => {
    const rows = [
      ['Б 3', 'Первый', '', 'RW-1'],
      ['Б 4', 'Первый', '', 'RW-4'],
      ['Б 5', 'Первый', '', 'RW-4'],
    ];
    expect(await additionsOf(...rows)).toEqual({ units: [1], routes: [] });
  });

  it('no unit of a table of units, whose rows are the new objects themselves', async () => {
    const units = { kind: 'units', columns: ['device_id', 'client'], rows: [['RW-9', 'Первый']] };
    expect(await calls.check(units)).toMatchObject({ adds: 1, units: [], routes: [] });
  });

  it('a new unit and a route that nobody has also in a row whose customer is unknown', async () => {
    expect(await additionsOf(['Б 3', 'Никто', 'м3', 'RW-3'])).toEqual({
      ...{ units: [0], routes: ['C2'] },
    });
    // The customer that is meant may have it.
    expect(await additionsOf(['Б 3', 'Никто', 'м1', ''])).toEqual({ units: [], routes: [] });
  });

  it('a route once, though the customer of one of its rows is unknown', async () => {
    const rows = [
      ['Б 3', 'Никто', 'м3', ''],
      ['Б 4', 'Первый', 'М3', ''],
      ['Б 5', 'Нигде', 'м3', ''],
    ];
    expect(await additionsOf(...rows)).toEqual({ units: [], routes: ['C3'] });
  });
});

describe('the first check of a row finds', () => {
  it('a route whose name no route can have, also with an unknown customer', async () => {
    const long = 'м'.repeat(256);
    const rows = [
      ['Б 3', 'Первый', long, ''],
      ['Б 4', 'Никто', long, ''],
      ['Б 5', 'Никто', 'м\u200b5', 'RW-1'],
    ];
    expect(await calls.faultsOf(buses(...rows))).toEqual([
      ...['C2 long', 'B3 unknown', 'C3 long', 'B4 unknown', 'C4 invisible', 'D4 taken'],
    ]);
    const { routes } = await calls.check(buses(...rows));
    expect(routes).toEqual([]);
  });

  it('names that no camera can have, though its bus is unknown', async () => {
    const table = (...rows: string[][]) => ({
      ...{ kind: 'cameras', columns: ['bus', 'name', 'stream_id', 'door'], rows },
    });
    const wrong = table(['Б 99', 'Д'.repeat(256), 'd'.repeat(200), 'вход']);
    expect(await calls.faultsOf(wrong)).toEqual([
      ...['A2 unknown', 'B2 long', 'C2 long', 'D2 number'],
    ]);
    // The bus that is meant may have this camera, which has its name already.
    expect(await calls.faultsOf(table(['Б 99', '', 'd1', '']))).toEqual(['A2 unknown']);
  });
});
