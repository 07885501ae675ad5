// Years of passengers for statistics, made by one formula in the product's database and in DuckDB, so that both hold the
// same rows without one being copied into the other.
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { databaseUrl, type Product } from '../harness/product.ts';

/** How much there is. */
export interface Size {
  readonly buses: number;
  readonly days: number;
  /** Of a bus on a day, between 6 and 22 o'clock. */
  readonly events: number;
}

/** The first day, a Sunday; no zone of Moscow changes its clocks since. */
export const FIRST_DAY = '2023-01-01';
/** Moscow is three hours ahead of UTC; its day begins at 21:00 UTC. */
export const ZONE_HOURS = 3;
/** Roubles of each bus's fare, kopecks. */
export const FARE_KOPECKS = 4_600;

/** The rows of one bus's events, by `bus` (from 1), `day` (from 0) and `event` (from 0): PostgreSQL and DuckDB read it. */
const eventColumns = (events: number): string => `
  (day * 86400 + (6 - ${ZONE_HOURS}) * 3600 + event * ${Math.floor(57_600 / events)} + (bus * 7 + day * 13 + event * 31) % 60) as second,
  case when (bus + event) % 2 = 0 then 'entered' else 'exited' end as direction,
  case when (bus + day + event) % 10 = 0 then 'child' else 'adult' end as passenger,
  1 + (bus * day + event) % 3 as count`;

/** Fills the product's database: events, then indexes, then the rollups from the events. */
export async function fillProduct(product: Product, { buses, days, events }: Size): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    await client.query(
      `set max_parallel_workers_per_gather = 2; set work_mem = '256MB'; set maintenance_work_mem = '1GB'`,
    );
    // One copy, and the indexes after it.
    const { rows } = await client.query<{ definition: string }>(
      `select pg_get_indexdef('passenger_events_bus'::regclass) as definition`,
    );
    await client.query('drop index passenger_events_bus');
    await client.query('alter table passenger_events drop constraint passenger_events_pkey');
    await client.query(`create temp table bench_buses as
      select row_number() over (order by workplaces.id)::int as bus, workplaces.id, units.id as unit_id
      from workplaces join units on units.workplace_id = workplaces.id order by id limit ${buses}`);
    await makePartitions(client, days);
    await client.query(`
      insert into passenger_events (unit_id, stream_id, workplace_id, seq, sent_time, time, door, direction, passenger, count)
      select unit_id, unit_id, id, day::bigint * ${events} + event, at, at, 1, direction, passenger, count
      from (select unit_id, id, day, event, ${eventColumns(events)} from bench_buses
        cross join generate_series(0, ${days - 1}) as day cross join generate_series(0, ${events - 1}) as event) as made
      cross join lateral (select timestamptz '${FIRST_DAY}T00:00:00Z' + second * interval '1 second' as at) as moment`);
    await client.query(
      'alter table passenger_events add primary key (unit_id, stream_id, seq, time)',
    );
    // As the product makes it, for all partitions.
    for (const { definition } of rows) await client.query(definition.replace(' ON ONLY ', ' ON '));
    await client.query(`insert into calculations (workplace_id, day, fare_kopecks)
      select id, date '${FIRST_DAY}', ${FARE_KOPECKS} from bench_buses on conflict do nothing`);
    await fillRollups(client);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

// The same figures as settling gives, for all days at once: settling a million days one by one takes an hour.
async function fillRollups(client: pg.Client): Promise<void> {
  const people = (direction: string, passenger: string): string =>
    `coalesce(sum(count) filter (where direction = '${direction}' and passenger = '${passenger}'), 0)`;
  await client.query(`
    insert into hourly_traffic (workplace_id, unit_id, hour_start, entered_adults, entered_kids, exited_adults, exited_kids)
    select workplace_id, unit_id, date_trunc('hour', time), ${people('entered', 'adult')}, ${people('entered', 'child')},
      ${people('exited', 'adult')}, ${people('exited', 'child')}
    from passenger_events group by 1, 2, 3`);
  await client.query(`
    insert into day_traffic (workplace_id, day, client_id, group_id, entered_adults, entered_kids, exited_adults,
      exited_kids, entered_manual, exited_manual, revenue_kopecks, no_price_milli, heard, heard_hours, silent_hours, closed)
    select hours.workplace_id, (hour_start at time zone 'Europe/Moscow')::date, min(client_id), min(group_id),
      sum(entered_adults), sum(entered_kids), sum(exited_adults), sum(exited_kids), 0, 0,
      sum(entered_adults + entered_kids) * ${FARE_KOPECKS}, 0, 0, count(*), 0, true
    from hourly_traffic as hours
    join workplace_clients using (workplace_id) join workplace_settings using (workplace_id)
    group by 1, 2`);
  await client.query(`
    insert into route_traffic
    select client_id, day, coalesce(group_id, 0), sum(entered_adults), sum(entered_kids), sum(exited_adults),
      sum(exited_kids), sum(revenue_kopecks), sum(no_price_milli), sum(heard_hours), sum(silent_hours)
    from day_traffic group by 1, 2, 3`);
}

async function makePartitions(client: pg.Client, days: number): Promise<void> {
  const first = new Date(`${FIRST_DAY}T00:00:00Z`);
  const last = new Date(first.getTime() + days * 86_400_000);
  for (let month = first; month <= last; month = nextMonth(month)) {
    const [from, to] = [month, nextMonth(month)].map((date) => date.toISOString().slice(0, 10));
    await client.query(`create table if not exists passenger_events_${from?.slice(0, 7).replace('-', '_')}
      partition of passenger_events for values from ('${from}T00:00:00Z') to ('${to}T00:00:00Z')`);
  }
}

const nextMonth = (date: Date): Date =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));

/** A connection to the DuckDB database in `file`, which is made when there is none. */
export async function openDuck(file: string): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(file, { threads: '2', memory_limit: '4GB' });
  return instance.connect();
}

/** Fills DuckDB with the raw events, and with the rollups that the product has. */
export async function fillDuck(
  duck: DuckDBConnection,
  product: Product,
  { buses, days, events }: Size,
): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    const { rows } = await client.query<{
      bus: number;
      id: number;
      route: number;
      client: number;
    }>(`
      select row_number() over (order by workplaces.id)::int as bus, workplaces.id::int,
        coalesce(group_id, 0)::int as route, client_id::int as client
      from workplaces join workplace_clients on workplace_clients.workplace_id = workplaces.id
      join workplace_settings using (workplace_id) order by workplaces.id limit ${buses}`);
    await duck.run('create table buses (bus integer, id integer, route integer, client integer)');
    const values = rows.map(
      ({ bus, id, route, client: owner }) => `(${bus}, ${id}, ${route}, ${owner})`,
    );
    await duck.run(`insert into buses values ${values.join(',')}`);
  } finally {
    await client.end();
  }
  await duck.run(`
    create table events as
    select id as bus, client, route, (timestamp '${FIRST_DAY}' + to_seconds(second)) as time, direction, passenger,
      count::smallint as count
    from (select bus, id, client, route, day, event, ${eventColumns(events)}
      -- As they come: day by day, so that one bus's rows lie everywhere.
      from (select unnest(range(${days}))::integer as day) cross join buses
      cross join (select unnest(range(${events}))::integer as event))`);
  await duck.run(`
    create table day_rows as
    select bus, client, route, (time + interval ${ZONE_HOURS} hour)::date as day,
      sum(count) filter (where direction = 'entered') as entered, sum(count) filter (where direction = 'exited') as exited
    from events group by all`);
  await duck.run(`
    create table hour_rows as
    select bus, date_trunc('hour', time + interval ${ZONE_HOURS} hour) as hour,
      sum(count) filter (where direction = 'entered') as entered, sum(count) filter (where direction = 'exited') as exited
    from events group by all`);
}
