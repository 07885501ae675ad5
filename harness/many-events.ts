// Passenger events in bulk, written to the database of a product: sending them would take minutes.
import pg from 'pg';
import { databaseUrl, type Product } from './product.ts';

/**
 * Gives every unit as many events on each day of January 2026 from the 1st on, from 6 to 22 o'clock in Moscow.
 * @param aUnit events of a unit, a multiple of `days`
 */
export async function insertManyEvents(
  product: Product,
  aUnit: number,
  days: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    await client.query(`
      create table passenger_events_2026_01 partition of passenger_events
        for values from ('2026-01-01 00:00Z') to ('2026-02-01 00:00Z')`);
    await client.query(
      `insert into passenger_events
        (unit_id, stream_id, seq, sent_time, time, workplace_id, door, direction, passenger, count)
      select units.id, units.id, n, at, at, workplace_id, 1 + n % 3,
        case when n % 2 = 0 then 'entered' else 'exited' end,
        case when n % 11 = 0 then 'child' else 'adult' end, 1 + n % 2
      from units cross join generate_series(0, $1::int - 1) as n
      cross join lateral (select timestamptz '2026-01-01 03:00Z' + n / ($1::int / $2::int) * interval '1 day'
        + n % ($1::int / $2::int) * interval '16 hours' / ($1::int / $2::int) as at) as moment`,
      [aUnit, days],
    );
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
