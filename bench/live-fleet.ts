// U1: the CPU time of server and database together for a fleet that drives, without the load generator's. U3: the delay
// of other units' acknowledgements while one unit sends a backlog of a year.
import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dayOf } from '@ridewatch/contract/day';
import pg from 'pg';
import {
  databaseUrl,
  type Product,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { besideBacklog } from './backlog.ts';
import { copyMorning, phaseOf } from './driven-hours.ts';
import type { LiveLoad } from './live-load.ts';
import { percentile, reportOf } from './live-report.ts';
import { type Bench, ofBudget, type Result } from './measure.ts';
import { cpuOf, type Processes, processesOf, residentBytes } from './processes.ts';
import { planOfStreet } from './street.ts';

interface Fleet {
  readonly units: number;
  readonly everyMs: number;
}

const FLEETS: readonly Fleet[] = [
  { units: 100, everyMs: 10_000 },
  { units: 500, everyMs: 10_000 },
  { units: 1000, everyMs: 10_000 },
  { units: 300, everyMs: 2000 },
];
const WATCHED = 20;
const MOST_CPU = 1.2;
/** Every row runs so long unless it is said. */
const SHORT_MINUTES = 2;
const SECOND_MS = 1000;
/** The ages of laps are looked at every so many seconds: asking is not free. */
const AGES_EVERY_S = 3;
/** Users who look sign in anew after this time, s: a token is valid for a quarter of an hour. */
const NEW_TOKEN_S = 300;
/** The first reckoning of a thousand buses takes its time. */
const WARM_LIMIT_MS = 900_000;
/** Statements are written down for so long, after the measurement. */
const STATEMENTS_MS = 10_000;
const MEBIBYTE = 1024 * 1024;

/** Measures what a driving fleet costs, and what one unit's backlog costs the others. */
export const liveFleet: Bench = {
  ids: ['U1', 'U3'],
  run: async (isWanted, { minutes = SHORT_MINUTES, units }) => {
    const results: Result[] = [];
    if (isWanted('U1')) {
      const fleets = FLEETS.filter((fleet) => units === undefined || fleet.units === units);
      for (const fleet of fleets) results.push(await measureFleet(fleet, minutes));
    }
    if (isWanted('U3')) results.push(await besideBacklog());
    return results;
  },
};

async function measureFleet(fleet: Fleet, minutes: number): Promise<Result> {
  const product = await startProduct();
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  let load: ChildProcess | undefined;
  try {
    const units = await setUpFleet(product.url, planOfStreet(fleet.units));
    await copyMorning(product, client, units);
    load = fork(path.join(import.meta.dirname, 'live-load.ts'));
    const watched = units.slice(0, WATCHED).map(({ bus_id }) => bus_id);
    const told: LiveLoad = {
      url: product.url,
      units: units.map(({ credential }, index) => ({ credential, phaseS: phaseOf(index) })),
      everyMs: fleet.everyMs,
      watched,
      date: dayOf(Date.now(), 'Europe/Moscow'),
      token: await signIn(product.url, 'admin'),
    };
    load.send(told);
    const all = units.map(({ bus_id }) => bus_id);
    await waitFor(
      async () => (await countWorkedOut(client, all)) === all.length,
      'the laps of all buses',
      WARM_LIMIT_MS,
    );
    load.send({ token: await signIn(product.url, 'admin') });
    await reportOf(load);
    return await measure({ fleet, minutes, product, client, load, watched, all });
  } finally {
    load?.kill();
    await client.end();
    await product.remove();
  }
}

interface Running {
  readonly fleet: Fleet;
  readonly minutes: number;
  readonly product: Product;
  readonly client: pg.Client;
  readonly load: ChildProcess;
  readonly watched: readonly number[];
  readonly all: readonly number[];
}

async function measure(running: Running): Promise<Result> {
  const { fleet, minutes, product, client, load, watched, all } = running;
  const processes = await processesOf(product);
  const others = all.filter((busId) => !watched.includes(busId));
  const rssBefore = await residentBytes(processes.server);
  const walBefore = await walPosition(client);
  const ages = { watched: [] as number[], others: [] as number[] };
  const rss: number[] = [];
  const cpu = await sample(processes, minutes * 60, async (second) => {
    if (second % NEW_TOKEN_S === 0) load.send({ token: await signIn(product.url, 'admin') });
    ages.watched.push(await oldestWaiting(client, watched));
    ages.others.push(await oldestWaiting(client, others));
    rss.push(await residentBytes(processes.server));
  });
  const walBytes = (await walPosition(client)) - walBefore;
  const { acknowledgedMs, looks, failures } = await reportOf(load);
  if (failures.length > 0) throw new Error(`the load met failures:\n${failures.join('\n')}`);
  const batches = acknowledgedMs.length;
  const memory = (bytes: number | undefined): number => Math.round((bytes ?? 0) / MEBIBYTE);
  const statements = await countStatements(running);
  const row = {
    id: 'U1',
    what: `${fleet.units} units, a batch every ${fleet.everyMs / SECOND_MS} s, ${watched.length} looked at, ${minutes} min`,
    unit: 'CPU-s/s',
    counters: {
      server: rounded(cpu.server),
      database: rounded(cpu.database),
      'p99 of the seconds': rounded(percentile(cpu.perSecond, 0.99)),
      'batches a second': rounded(batches / (minutes * 60)),
      'looks a second': rounded(looks / (minutes * 60)),
      'CPU ms a batch': rounded(((cpu.server + cpu.database) * minutes * 60_000) / batches),
      'statements a batch': rounded(statements),
      'WAL bytes a batch': Math.round(walBytes / batches),
      'acknowledged p50, ms': rounded(percentile(acknowledgedMs, 0.5)),
      'acknowledged p99, ms': rounded(percentile(acknowledgedMs, 0.99)),
      'oldest laps looked at, s': rounded(Math.max(...ages.watched)),
      'oldest laps of the others, s': rounded(Math.max(...ages.others)),
      'RSS before, MiB': memory(rssBefore),
      // Bounded memory levels off: it grows less in the second half than in the first.
      'RSS at half, MiB': memory(rss[Math.floor(rss.length / 2)]),
      'RSS after, MiB': memory(rss.at(-1)),
      'heap used after, MiB': memory(await heapBytes(product.url)),
    },
  };
  return ofBudget(row, cpu.server + cpu.database, MOST_CPU);
}

async function heapBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1]);
}

async function sample(
  processes: Processes,
  seconds: number,
  look: (second: number) => Promise<void>,
): Promise<{ server: number; database: number; perSecond: number[] }> {
  const first = await cpuOf(processes);
  const startMs = performance.now();
  const perSecond: number[] = [];
  let before = first;
  let beforeMs = startMs;
  for (let second = 1; second <= seconds; second += 1) {
    await pause(Math.max(0, startMs + second * SECOND_MS - performance.now()));
    const now = await cpuOf(processes);
    const nowMs = performance.now();
    const used = now.server + now.database - before.server - before.database;
    perSecond.push(used / ((nowMs - beforeMs) / SECOND_MS));
    before = now;
    beforeMs = nowMs;
    if (second % AGES_EVERY_S === 0) await look(second);
  }
  const tookS = (beforeMs - startMs) / SECOND_MS;
  return {
    server: (before.server - first.server) / tookS,
    database: (before.database - first.database) / tookS,
    perSecond,
  };
}

async function countWorkedOut(client: pg.Client, busIds: readonly number[]): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(distinct workplace_id)::int as count from lap_days
     where workplace_id = any($1) and computed_at is not null`,
    [busIds],
  );
  return rows[0]?.count ?? 0;
}

// How far laps are behind their data: how long ago the first record came that they do not hold, s, of the bus for which
// this is longest. What came while a day was worked out came after it was taken.
async function oldestWaiting(client: pg.Client, busIds: readonly number[]): Promise<number> {
  const { rows } = await client.query<{ age: number }>(
    `select coalesce(max(extract(epoch from now() -
       case when stored = taken then greatest(asked_at, taken_at) else asked_at end)), 0)::float8 as age
     from lap_days where workplace_id = any($1) and asked_at is not null`,
    [busIds],
  );
  return rows[0]?.age ?? 0;
}

async function walPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]?.bytes);
}

// By the database's own log: those of jobs and of people who look are among them.
async function countStatements({ product, client, load }: Running): Promise<number> {
  const file = path.join(product.dataDir, 'postgres/server.log');
  const log = async (setting: string): Promise<void> => {
    await client.query(`alter system set log_statement = '${setting}'`);
    await client.query('select pg_reload_conf()');
  };
  const lengthBefore = (await readFile(file)).length;
  await log('all');
  await reportOf(load);
  await pause(STATEMENTS_MS);
  const { acknowledgedMs } = await reportOf(load);
  await log('none');
  const written = (await readFile(file)).subarray(lengthBefore).toString('utf8');
  return (
    (written.match(/LOG: {2}(statement|execute [^:]*):/g) ?? []).length / acknowledgedMs.length
  );
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
