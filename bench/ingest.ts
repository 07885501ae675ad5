// I0: batches over HTTP, acknowledged and visible, against COPY into a keyed, partitioned table of one row a record.
// I5: bytes of a position on disk.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { DayFragments } from '@ridewatch/contract/fragments';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  ask,
  databaseUrl,
  type Product,
  setUpFleet,
  signIn,
  startProduct,
} from '../harness/product.ts';
import { type Bench, interleave, ofBudget, type Result } from './measure.ts';
import { planOf } from './sample-data.ts';
import { drive, ridersAmong, type Sent } from './sample-records.ts';

const UNITS = 50;
const BATCH = 1000;
/** One of this many records is a passenger. */
const RIDERS_EVERY = 10;
const STORED_UNITS = 20;
const DAY_S = 86_400;
const MOST_BYTES = 16;

/** Measures the rate and size of stored records. */
export const ingest: Bench = {
  ids: ['I0', 'I5'],
  run: async (isWanted) => {
    const product = await startProduct();
    const client = new pg.Client({ connectionString: await databaseUrl(product) });
    await client.connect();
    try {
      const units = await setUpFleet(product.url, planOf(UNITS + STORED_UNITS));
      const results: Result[] = [];
      if (isWanted('I0')) {
        results.push(await copyBeside(product, client, units.slice(0, UNITS), false));
        results.push(await copyBeside(product, client, units.slice(0, UNITS), true));
      }
      if (isWanted('I5')) results.push(await bytesAPosition(product, client, units.slice(UNITS)));
      return results;
    } finally {
      await client.end();
      await product.remove();
    }
  },
};

type Units = Awaited<ReturnType<typeof setUpFleet>>;

async function copyBeside(
  product: Product,
  client: pg.Client,
  units: Units,
  withRiders: boolean,
): Promise<Result> {
  const startMs = yesterdayMs() + (withRiders ? 12 : 3) * 3_600_000;
  const streams = units.map(() => randomUUID());
  const recordsOf = (round: number): Sent[] => {
    const positions = drive(round * BATCH, BATCH, startMs);
    return withRiders ? ridersAmong(positions, RIDERS_EVERY) : positions;
  };
  await makePeer(client);
  let round = 0;
  const sendAll = async (): Promise<number> => {
    const bodies = streams.map((stream) => packed(stream, recordsOf(round)));
    round += 1;
    const fromMs = performance.now();
    await Promise.all(units.map((unit, at) => send(product.url, unit.credential, bodies[at])));
    return (UNITS * BATCH) / ((performance.now() - fromMs) / 1000);
  };
  const lines = units.flatMap((_, unit) => recordsOf(0).map((one) => lineOf(unit, one)));
  const copyAll = async (): Promise<number> => {
    await client.query('truncate peer');
    const fromMs = performance.now();
    await pipeline(Readable.from(lines), client.query(copyFrom('copy peer from stdin')));
    return (UNITS * BATCH) / ((performance.now() - fromMs) / 1000);
  };
  const riders = withRiders ? `, every ${RIDERS_EVERY}th a passenger` : ' of positions';
  const what = `batches of ${BATCH} records${riders}, ${UNITS} units, ÷ COPY`;
  const row = { id: 'I0', what, unit: 'records/s', target: '≥ 0.25' };
  const result = await interleave(row, sendAll, copyAll);
  if (withRiders) await expectRiders(product, units, startMs, (round * BATCH) / RIDERS_EVERY);
  return result;
}

async function makePeer(client: pg.Client): Promise<void> {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  await client.query('drop table if exists peer');
  await client.query(`create table peer (unit_id bigint, time timestamptz, latitude float8,
    longitude float8, speed real, course real, primary key (unit_id, time)) partition by range (time)`);
  await client.query(`create table peer_1 partition of peer
    for values from ('${day(yesterdayMs())}') to ('${day(Date.now() + 86_400_000)}')`);
}

function lineOf(unit: number, { time, ...one }: Sent): string {
  const place = 'latitude' in one ? [one.latitude, one.longitude, one.speed_kmh, one.course] : [];
  const columns = [...place, ...Array.from({ length: 4 - place.length }, () => '\\N')];
  return `${[unit, time, ...columns].join('\t')}\n`;
}

function packed(stream: string, records: readonly Sent[]): Uint8Array {
  return gzipSync(JSON.stringify({ stream, sent_at: new Date().toISOString(), records }));
}

async function send(url: string, credential: string, body: Uint8Array | undefined): Promise<void> {
  const response = await fetch(`${url}/unit/v1/batches`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: new Uint8Array(body ?? []),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const { refused } = (await response.json()) as BatchAnswer;
  if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused[0])}`);
}

// Acknowledged records must be visible once, else the rate would count discarded records.
async function expectRiders(
  { url }: Product,
  units: Units,
  startMs: number,
  riders: number,
): Promise<void> {
  const token = await signIn(url, 'admin');
  const date = new Date(startMs).toISOString().slice(0, 10);
  for (const { bus_id } of units) {
    const address = `/api/segments/day-segments?workplaceId=${bus_id}&date=${date}`;
    const day = await ask<DayFragments>(url, token, 'GET', address);
    if (day.entered.adult === riders) continue;
    throw new Error(`${riders} passengers were sent, and ${day.entered.adult} are visible.`);
  }
}

async function bytesAPosition(product: Product, client: pg.Client, units: Units): Promise<Result> {
  const before = await sizeOfPositions(client);
  for (const { credential } of units) {
    const stream = randomUUID();
    for (let first = 0; first < DAY_S; first += BATCH) {
      const records = drive(first, Math.min(BATCH, DAY_S - first), yesterdayMs());
      await send(product.url, credential, packed(stream, records));
    }
  }
  const bytes = ((await sizeOfPositions(client)) - before) / (units.length * DAY_S);
  const what = `a day of ${units.length} units at 1 Hz, indexes included`;
  return ofBudget({ id: 'I5', what, unit: 'bytes a position' }, bytes, MOST_BYTES);
}

async function sizeOfPositions(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree('position_blocks')",
  );
  return Number(rows[0]?.bytes);
}

function yesterdayMs(): number {
  return Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000;
}
