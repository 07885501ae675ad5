import type { Db } from '../core/db/db.ts';
import { insertRoute } from '../routes/route-rows.ts';
import { listStopsOn } from '../routes/stops.ts';

export interface TestRoute {
  readonly routeId: number;
  /** Forward: Вокзал (first terminal), Школа, Рынок (last); back: Школа. */
  readonly stopIds: readonly [number, number, number, number];
  /** Price of the ride Вокзал → Рынок: 45.00. */
  readonly costId: number;
}

/** Inserts a route along one street, two kilometres long, valid from 2010 on. */
export async function insertTestRoute(db: Db, clientId: number, name: string): Promise<TestRoute> {
  const at = (m: number) => ({ latitude: 55.75, longitude: 37.6 + m / 62_580 });
  return db.transaction().execute(async (tx) => {
    const day = '2010-01-01';
    const routeId = await insertRoute(
      tx,
      clientId,
      {
        name,
        type_calculation: 'CALCULATION',
        track: [at(0), at(2000)],
        entry: { language: 'en', confirmFar: false },
        stops: [
          { name: 'Вокзал', ...at(0), routeDirection: 'FORWARD', terminal: 'first' },
          { name: 'Школа', ...at(1000), routeDirection: 'FORWARD', terminal: null },
          { name: 'Рынок', ...at(2000), routeDirection: 'FORWARD', terminal: 'last' },
          { name: 'Школа', ...at(990), routeDirection: 'REVERSE', terminal: null },
        ],
        costs: [{ from: 0, to: 2, cost: '45.00' }],
      },
      { day, field: '' },
    );
    const stops = await listStopsOn(tx, routeId, day);
    const { id: costId } = await tx
      .selectFrom('route_costs')
      .select('id')
      .where('group_id', '=', routeId)
      .executeTakeFirstOrThrow();
    const stopIds = stops.map(({ id }) => id) as [number, number, number, number];
    return { routeId, stopIds, costId };
  });
}

/** Inserts a complete lap of a bus on 2026-11-20 that has only times. @returns its id */
export async function insertTestLap(
  db: Db,
  busId: number,
  more: { day?: string; number?: number; entered?: number; exited?: number } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('laps')
    .values({
      workplace_id: busId,
      day: '2026-11-20',
      number: 1,
      start_time: new Date('2026-11-20T05:00:00Z'),
      end_time: new Date('2026-11-20T06:00:00Z'),
      legs: '[]',
      open: false,
      entered: 0,
      exited: 0,
      unplaced: 0,
      max_load: 0,
      drift: 0,
      imbalance: 0,
      digest: '',
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
