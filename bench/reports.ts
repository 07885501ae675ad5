// X1: a spreadsheet of a million rows from the database to the socket, against CSV of the same rows. X2: how the memory
// of the server grows from 10,000 to a million rows, also with a slow reader. A5: the delay of the event loop meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { reportTypes } from '@ridewatch/contract/reports';
import { insertManyEvents } from '../harness/many-events.ts';
import { type Product, setUpFleet, signIn, startProduct } from '../harness/product.ts';
import { readDelay } from './event-loop.ts';
import { type Bench, interleave, median, ofBudget, type Result, resultOf } from './measure.ts';
import { residentBytes } from './processes.ts';
import { planOf } from './sample-data.ts';

const BUSES = 50;
const ROWS = 1_000_000;
const FEW_ROWS = 10_000;
/** The month of the events; each bus has as many on each day. */
const [FIRST_DAY, LAST_DAY, DAYS] = ['2026-01-01', '2026-01-25', 25] as const;
/** A day of one bus in 50 has 800 events; so many buses and days have FEW_ROWS. */
const FEW_BUSES = 1;
const [FEW_FROM, FEW_TO] = ['2026-01-01', '2026-01-13'] as const;
const MIB = 2 ** 20;
/** Growth of memory, MiB. */
const MOST_GROWTH = 30;
/** p99 of the delay of the event loop, ms. */
const MOST_DELAY_MS = 20;
/** The slow reader takes a part in this time, ms, and leaves after so many parts. */
const SLOW_MS = 50;
const SLOW_PARTS = 300;
const SAMPLE_EVERY_MS = 50;

/** Measures exports. */
export const reports: Bench = {
  ids: ['X1', 'X2', 'A5'],
  run: async (isWanted) => {
    const product = await startProduct();
    try {
      const fleet = await storeEvents(product);
      const results: Result[] = [];
      if (isWanted('X2')) results.push(...(await memory(fleet)));
      if (isWanted('X1')) results.push(await speed(fleet));
      if (isWanted('A5')) results.push(await delay(fleet));
      return results;
    } finally {
      await product.remove();
    }
  },
};

interface Fleet {
  readonly product: Product;
  readonly token: string;
  readonly busIds: readonly number[];
}

async function storeEvents(product: Product): Promise<Fleet> {
  const units = await setUpFleet(product.url, planOf(BUSES));
  await insertManyEvents(product, ROWS / BUSES, DAYS);
  return {
    product,
    token: await signIn(product.url, 'admin'),
    busIds: units.map(({ bus_id }) => bus_id),
  };
}

interface Wanted {
  readonly format?: keyof typeof reportTypes;
  readonly few?: boolean;
}

async function ask(fleet: Fleet, { format = 'xlsx', few = false }: Wanted): Promise<Response> {
  const query = new URLSearchParams({
    from: few ? FEW_FROM : FIRST_DAY,
    to: few ? FEW_TO : LAST_DAY,
  });
  for (const id of few ? fleet.busIds.slice(0, FEW_BUSES) : fleet.busIds) {
    query.append('workplaceIds', `${id}`);
  }
  const headers = { authorization: `Bearer ${fleet.token}`, accept: reportTypes[format] };
  const answer = await fetch(`${fleet.product.url}/api/stat/test-export?${query}`, { headers });
  if (answer.ok && answer.body !== null) return answer;
  throw new Error(`The export answered ${answer.status}: ${await answer.text()}`);
}

// The bytes of an export, which the reader throws away.
async function download(fleet: Fleet, wanted: Wanted = {}): Promise<number> {
  const { body } = await ask(fleet, wanted);
  let bytes = 0;
  for await (const part of body ?? []) bytes += (part as Uint8Array).length;
  return bytes;
}

async function speed(fleet: Fleet): Promise<Result> {
  const bytes = { xlsx: 0, csv: 0 };
  const timed = async (format: keyof typeof bytes): Promise<number> => {
    const beganMs = performance.now();
    bytes[format] = await download(fleet, { format });
    return (performance.now() - beganMs) / 1000;
  };
  const what = 'a spreadsheet of a million rows, ÷ CSV of the same rows';
  const result = await interleave(
    { id: 'X1', what, unit: 's', target: '≤ 2.5' },
    () => timed('xlsx'),
    () => timed('csv'),
  );
  return { ...result, counters: { bytes: bytes.xlsx, 'bytes of CSV': bytes.csv } };
}

async function memory(fleet: Fleet): Promise<Result[]> {
  // The first exports compile the code and fill the pools.
  for (let n = 0; n < 10; n += 1) await download(fleet, { few: true });
  const few = await peakDuring(fleet, () => download(fleet, { few: true }));
  const many = await peakDuring(fleet, () => download(fleet));
  const slow = await peakDuring(fleet, () => readSlowly(fleet));
  const row = { id: 'X2', unit: 'MiB' };
  const growth = (peak: number): number => Math.max(0, Math.round((peak - few) / MIB));
  const counters = { rows: ROWS, 'of before': FEW_ROWS, 'peak before, MiB': Math.round(few / MIB) };
  return [
    ofBudget(
      { ...row, what: 'growth of memory from 10,000 to a million rows', counters },
      growth(many),
      MOST_GROWTH,
    ),
    ofBudget(
      { ...row, what: 'growth of memory with a slow reader', counters },
      growth(slow),
      MOST_GROWTH,
    ),
  ];
}

async function readSlowly(fleet: Fleet): Promise<void> {
  const { body } = await ask(fleet, {});
  const reader = body?.getReader();
  for (let n = 0; n < SLOW_PARTS; n += 1) {
    if ((await reader?.read())?.done !== false) break;
    await pause(SLOW_MS);
  }
  await reader?.cancel();
}

async function peakDuring({ product }: Fleet, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  let isDone = false;
  const watch = async (): Promise<void> => {
    while (!isDone) {
      peak = Math.max(peak, await residentBytes(product.pid()));
      await pause(SAMPLE_EVERY_MS);
    }
  };
  const watching = watch();
  try {
    await work();
  } finally {
    isDone = true;
    await watching;
  }
  return peak;
}

async function delay(fleet: Fleet): Promise<Result> {
  await readDelay(fleet.product.url);
  const delays = [];
  for (let n = 0; n < 3; n += 1) {
    await download(fleet);
    delays.push(await readDelay(fleet.product.url));
  }
  const what = 'delay of the event loop while a million rows are exported, p99';
  const rounds = delays.map(({ p99Ms }) => ({ product: p99Ms, limit: MOST_DELAY_MS }));
  const longest = Math.round(median(delays.map(({ maxMs }) => maxMs)) * 10) / 10;
  return {
    ...resultOf({ id: 'A5', what, unit: 'ms', target: '≤ 1' }, rounds),
    counters: { 'longest, median, ms': longest },
  };
}
