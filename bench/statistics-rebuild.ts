// Q9: all rollups rebuilt from the raw events by the product's jobs, against DuckDB that makes hours, days and routes of
// the same events. A rebuild writes only rows that are wrong; beside the ratio stands one that has to write all.
import type { DuckDBConnection } from '@duckdb/node-api';
import pg from 'pg';
import { databaseUrl, type Product, waitFor } from '../harness/product.ts';
import { type Pair, type Result, resultOf } from './measure.ts';
import { type Size, ZONE_HOURS } from './statistics-data.ts';

/** A million days take an hour when each is settled by itself. */
const LIMIT_MS = 2 * 3_600_000;
/** Each takes half a minute. */
const ROUNDS = 3;

/** Measures the rebuild. @throws Error when the rebuilt rollups have other sums */
export async function measureRebuild(
  product: Product,
  duck: DuckDBConnection,
  { buses, days, events }: Size,
): Promise<Result> {
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    const before = await sumsOf(client);
    await client.query('create temp table known as select workplace_id, day from day_traffic');
    const pairs: Pair[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      pairs.push({ product: await rebuild(client, before), limit: await rebuildInDuck(duck) });
    }
    await client.query('truncate hourly_traffic, day_traffic, route_traffic');
    const fromNothing = await rebuild(client, before);
    const row = {
      id: 'Q9',
      what: `rebuild of all rollups of ${buses * days} days of buses, ÷ DuckDB`,
      unit: 'ms',
      target: '≤ 6',
      counters: { events: buses * days * events, 'from nothing, ms': Math.round(fromNothing) },
    };
    return resultOf(row, pairs);
  } finally {
    await client.end();
  }
}

async function rebuild(client: pg.Client, sums: string): Promise<number> {
  const beganMs = performance.now();
  await client.query(
    'insert into stale_hours (workplace_id, day) select workplace_id, day from known on conflict do nothing',
  );
  await runUntilEmpty(client, 'rebuild_hours', 'stale_hours');
  // Days that another one changed.
  await runUntilEmpty(client, 'settle_days', 'unsettled_days');
  const tookMs = performance.now() - beganMs;
  const after = await sumsOf(client);
  if (after !== sums) throw new Error(`Q9: the rebuilt sums are ${after} instead of ${sums}.`);
  return tookMs;
}

// The job runs each minute; this spares the wait.
async function runUntilEmpty(client: pg.Client, job: string, table: string): Promise<void> {
  await client.query(`select graphile_worker.add_job($1::text, job_key := $1::text)`, [job]);
  await waitFor(
    async () => (await client.query(`select from ${table} limit 1`)).rows.length === 0,
    `${table} to be empty`,
    LIMIT_MS,
  );
}

async function sumsOf(client: pg.Client): Promise<string> {
  const sums = ['entered_adults', 'entered_kids', 'exited_adults', 'exited_kids'].map(
    (column) => `sum(${column})::bigint`,
  );
  const tables = ['hourly_traffic', 'day_traffic', 'route_traffic'].map(
    (table) => `select '${table}' as name, array[${sums}] as sums from ${table}`,
  );
  const { rows } = await client.query(`${tables.join(' union all ')} order by name`);
  const money = await client.query<{ kopecks: string }>(
    'select sum(revenue_kopecks)::text as kopecks from route_traffic',
  );
  return JSON.stringify([rows, money.rows]);
}

async function rebuildInDuck(duck: DuckDBConnection): Promise<number> {
  const people = (direction: string, passenger: string): string =>
    `sum(count) filter (where direction = '${direction}' and passenger = '${passenger}')`;
  const sums = `${people('entered', 'adult')} as entered_adults, ${people('entered', 'child')} as entered_kids,
    ${people('exited', 'adult')} as exited_adults, ${people('exited', 'child')} as exited_kids`;
  const total = `sum(entered_adults) as entered_adults, sum(entered_kids) as entered_kids,
    sum(exited_adults) as exited_adults, sum(exited_kids) as exited_kids`;
  const beganMs = performance.now();
  await duck.run(`create or replace table rebuilt_hours as
    select bus, client, route, date_trunc('hour', time + interval ${ZONE_HOURS} hour) as hour, ${sums}
    from events group by all`);
  await duck.run(`create or replace table rebuilt_days as
    select bus, client, route, hour::date as day, ${total} from rebuilt_hours group by all`);
  await duck.run(`create or replace table rebuilt_routes as
    select client, route, day, ${total} from rebuilt_days group by all`);
  return performance.now() - beganMs;
}
