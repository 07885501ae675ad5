// Figures for the bus list of a whole fleet, written to the database: only answers and screens are measured with them.
import pg from 'pg';
import { databaseUrl, type Product } from '../harness/product.ts';

/** Stops in each direction of a lap. */
const STOPS_A_WAY = 20;
/** Laps of each bus on the day; the last one is driven now. */
const LAPS = 8;

/** Gives each bus a day of people and laps up to now, and last week's people; two of three move. */
export async function insertFigures(product: Product): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    await client.query(`
      update workplaces set capacity_seated = 28, capacity_standing = 40`);
    await client.query(`
      update units set last_seen_at = now() - random() * interval '4 minutes',
        last_moved_at = case when id % 3 > 0 then now() else now() - random() * interval '1 hour' end,
        last_speed_kmh = 10 + id % 40`);
    await client.query(`
      insert into hourly_traffic (workplace_id, unit_id, hour_start, entered_adults, exited_adults)
      select workplace_id, id, hour - week * interval '7 days',
        5 + (workplace_id + extract(hour from hour)::int * 7) % 40, 5 + (workplace_id + extract(hour from hour)::int * 7) % 38
      from units, generate_series(0, 1) as week,
        generate_series(date_trunc('hour', now()) - interval '14 hours', now(), interval '1 hour') as hour
      where workplace_id is not null
      on conflict do nothing`);
    await client.query(
      `insert into laps (workplace_id, day, number, start_time, end_time, legs, open, entered, exited, unplaced, max_load,
        drift, imbalance, digest)
      select id, (now() at time zone 'Europe/Moscow')::date, lap, now() - ($1 - lap + 1) * interval '1 hour',
        now() - ($1 - lap) * interval '1 hour', '[]', lap = $1, 60, 58, 0, 40, 2, 0.03, ''
      from workplaces, generate_series(1, $1::int) as lap on conflict do nothing`,
      [LAPS],
    );
    await client.query(
      `insert into lap_stops (lap_id, position, name, latitude, longitude, direction, arrival, departure, confidence,
        entered, exited, raw_load, load)
      select laps.id, stop, 'Улица ' || stop || '-я Парковая', 55.7, 37.6,
        case when stop < $1 then 'FORWARD' else 'REVERSE' end, reached.at, reached.at, 1, 2, 2, 20, (workplace_id + stop) % 66
      from laps cross join generate_series(0, 2 * $1::int - 1) as stop
      cross join lateral (select case when not open or stop <= workplace_id % (2 * $1::int)
        then start_time + stop * interval '1 minute' end as at) as reached
      on conflict do nothing`,
      [STOPS_A_WAY],
    );
    await client.query(
      `update cameras set status = case when id % 40 = 0 then 'offline' else 'online' end`,
    );
    await client.query('analyze');
  } finally {
    await client.end();
  }
}
