// Q1 to Q5: whole HTTP calls of statistics against DuckDB that scans the raw events, and beside it DuckDB on the same
// rollup rows. Q8: random filters. Q9: the rebuild of the rollups. --units N: buses; --days N: days. Both answers must
// have the same sums, else the row is not measured.
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { addDays } from '@ridewatch/contract/day';
import { setUpFleet, signIn, startProduct } from '../harness/product.ts';
import { fetchAnswer } from './load.ts';
import { type Bench, interleave, median, type Result } from './measure.ts';
import { planOf } from './sample-data.ts';
import { FIRST_DAY, fillDuck, fillProduct, openDuck, type Size } from './statistics-data.ts';
import { compareFilters } from './statistics-filters.ts';
import { measureRebuild } from './statistics-rebuild.ts';
import { recountWorlds } from './statistics-recount.ts';

/** Without a wish: enough to tell, made in two minutes. The measured size of docs/benchmarks.md is 1,000 × 1,096 days. */
const USUAL: Size = { buses: 200, days: 366, events: 200 };
const ROUNDS_ON_ROLLUPS = 7;

/** Measures statistics. */
export const statistics: Bench = {
  ids: ['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q8', 'Q9'],
  run: async (isWanted, { units, days, folder: kept }) => {
    const size = { ...USUAL, buses: units ?? USUAL.buses, days: days ?? USUAL.days };
    const folder = await openFolder(kept, size);
    const product = await startProduct({ dataDir: folder.product });
    try {
      if (!folder.isFull) {
        await setUpFleet(product.url, planOf(size.buses));
        await fillProduct(product, size);
      }
      const duck = await openDuck(path.join(folder.path, 'events.duckdb'));
      if (!folder.isFull) await fillDuck(duck, product, size);
      await folder.markFull();
      const headers = {
        authorization: `Bearer ${await signIn(product.url, 'admin')}`,
        'accept-encoding': 'gzip',
      };
      const ids = await listIds(duck);
      const results: Result[] = [];
      for (const one of questionsOf(size, ids)) {
        if (isWanted(one.id)) results.push(await measure(product.url, headers, duck, one, size));
      }
      if (isWanted('Q8')) {
        results.push(await compareFilters(product.url, headers, duck, size, ids));
        results.push(await recountWorlds());
      }
      // Last: it writes all rows of the rollups anew.
      if (isWanted('Q9')) results.push(await measureRebuild(product, duck, size));
      return results;
    } finally {
      await product.stop();
      if (kept === undefined) await rm(folder.path, { recursive: true, force: true });
    }
  },
};

interface Folder {
  readonly path: string;
  /** The product's data. */
  readonly product: string;
  /** An earlier run has made all records. */
  readonly isFull: boolean;
  markFull(): Promise<void>;
}

async function openFolder(kept: string | undefined, size: Size): Promise<Folder> {
  const folder = kept ?? (await mkdtemp(path.join(tmpdir(), 'ridewatch-statistics-')));
  const mark = path.join(folder, 'size.json');
  const wanted = JSON.stringify(size);
  const made = existsSync(mark) ? await readFile(mark, 'utf8') : undefined;
  if (made !== undefined && made !== wanted) throw new Error(`${folder} has records of ${made}.`);
  const product = path.join(folder, 'product');
  if (made === undefined) {
    await mkdir(folder, { recursive: true });
    // A folder that a run left half full, or that holds something else, is not this bench's to delete.
    if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty.`);
    await mkdir(product);
    // The embedded database may run as another user.
    await chmod(folder, 0o755);
  }
  return {
    path: folder,
    product,
    isFull: made !== undefined,
    markFull: () => writeFile(mark, wanted),
  };
}

interface Question {
  readonly id: string;
  readonly what: string;
  readonly target: string;
  readonly address: string;
  /** DuckDB on `events`, and on rollup rows; each row has `entered` and `exited`. */
  readonly raw: string;
  readonly rollup: string;
}

const LOCAL = '(time + interval 3 hour)';
const SUMS = `sum(count) filter (where direction = 'entered') as entered, sum(count) filter (where direction = 'exited') as exited`;
const ROLLUP_SUMS = 'sum(entered) as entered, sum(exited) as exited';

function questionsOf({ days }: Size, ids: readonly number[]): Question[] {
  const last = addDays(FIRST_DAY, days - 1);
  const from = (length: number): string => addDays(FIRST_DAY, Math.max(0, days - length));
  const [bus = 0] = ids;
  const [some, few] = [ids.slice(0, 50), ids.slice(0, 25)];
  const keys = (chosen: readonly number[]): string =>
    chosen.map((id) => `&workplaces=${id}`).join('');
  const span = (dateFrom: string): string => `dateFrom=${dateFrom}&dateTo=${last}`;
  const within = (day: string, dateFrom: string): string =>
    `${day} between '${dateFrom}' and '${last}'`;
  const weekdays = [1, 2, 3, 4, 5].map((day) => `&dayOfWeek=${day}`).join('');
  const rawDay = `${LOCAL}::date`;
  const quarter = from(91);
  const year = from(365);
  return [
    {
      id: 'Q1',
      what: 'one bus-day by hour',
      target: '≤ 0.02',
      address: `/api/stat/day-traffic?${span(last)}&by=hour${keys([bus])}`,
      raw: `select date_trunc('hour', ${LOCAL}), ${SUMS} from events where bus = ${bus} and ${within(rawDay, last)} group by 1`,
      rollup: `select hour, ${ROLLUP_SUMS} from hour_rows where bus = ${bus} and ${within('hour::date', last)} group by 1`,
    },
    {
      id: 'Q2',
      what: `${some.length} buses a quarter by day`,
      target: '≤ 0.1',
      address: `/api/stat/passenger-traffic?${span(quarter)}&tick=day&groupby=bus${keys(some)}`,
      raw: `select bus, ${rawDay}, ${SUMS} from events where bus in (${some}) and ${within(rawDay, quarter)} group by 1, 2`,
      rollup: `select bus, day, ${ROLLUP_SUMS} from day_rows where bus in (${some}) and ${within('day', quarter)} group by 1, 2`,
    },
    {
      id: 'Q3',
      what: `all buses ${days} days by month and route`,
      target: '≤ 0.02',
      address: `/api/stat/passenger-traffic?${span(FIRST_DAY)}&tick=month&groupby=route`,
      raw: `select route, date_trunc('month', ${LOCAL}), ${SUMS} from events where ${within(rawDay, FIRST_DAY)} group by 1, 2`,
      rollup: `select route, date_trunc('month', day), ${ROLLUP_SUMS} from day_rows group by 1, 2`,
    },
    {
      id: 'Q4',
      what: `${few.length} buses by weekday and hour, a year`,
      target: '≤ 0.1',
      address: `/api/stat/day-traffic?${span(year)}&by=weekday_hour${keys(few)}`,
      raw: `select isodow(${LOCAL}), hour(${LOCAL}), ${SUMS} from events where bus in (${few}) and ${within(rawDay, year)} group by 1, 2`,
      rollup: `select isodow(hour), hour(hour), ${ROLLUP_SUMS} from hour_rows where bus in (${few}) and ${within('hour::date', year)} group by 1, 2`,
    },
    {
      id: 'Q5',
      what: 'all buses a year by day and route, Monday to Friday',
      target: '≤ 0.02',
      address: `/api/stat/passenger-traffic?${span(year)}&tick=day&groupby=route${weekdays}`,
      raw: `select route, ${rawDay}, ${SUMS} from events where ${within(rawDay, year)} and isodow(${LOCAL}) < 6 group by 1, 2`,
      rollup: `select route, day, ${ROLLUP_SUMS} from day_rows where ${within('day', year)} and isodow(day) < 6 group by 1, 2`,
    },
  ];
}

async function measure(
  url: string,
  headers: Readonly<Record<string, string>>,
  duck: DuckDBConnection,
  { id, what, target, address, raw, rollup }: Question,
  { buses, days, events }: Size,
): Promise<Result> {
  const ask = async (): Promise<number> => {
    const beganMs = performance.now();
    await fetchAnswer(url + address, headers);
    return performance.now() - beganMs;
  };
  const scan = async (query: string): Promise<number> => {
    const beganMs = performance.now();
    await duck.runAndReadAll(query);
    return performance.now() - beganMs;
  };
  const told = await sumsOfProduct(url + address, headers);
  const known = await sumsOfDuck(duck, raw);
  if (told.entered !== known.entered || told.exited !== known.exited) {
    throw new Error(
      `${id}: ${JSON.stringify(told)} is not ${JSON.stringify(known)} of the raw events.`,
    );
  }
  const onRollups: number[] = [];
  for (let round = 0; round < ROUNDS_ON_ROLLUPS; round += 1) onRollups.push(await scan(rollup));
  return interleave(
    {
      id,
      what: `${what}, ÷ DuckDB on raw events`,
      unit: 'ms',
      target,
      counters: {
        'DuckDB on rollup rows, ms': median(onRollups),
        events: buses * days * events,
        rows: told.rows,
      },
    },
    ask,
    () => scan(raw),
  );
}

async function sumsOfProduct(url: string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  const { items } = (await answer.json()) as { items: { entered: number; exited: number }[] };
  const sum = (pick: 'entered' | 'exited'): number =>
    items.reduce((all, item) => all + item[pick], 0);
  return { entered: sum('entered'), exited: sum('exited'), rows: items.length };
}

async function sumsOfDuck(duck: DuckDBConnection, query: string) {
  const reader = await duck.runAndReadAll(
    `select sum(entered)::double as entered, sum(exited)::double as exited from (${query})`,
  );
  const [row] = reader.getRowObjectsJson();
  return { entered: Number(row?.entered), exited: Number(row?.exited) };
}

async function listIds(duck: DuckDBConnection): Promise<number[]> {
  const reader = await duck.runAndReadAll('select id from buses order by bus');
  return reader.getRowObjectsJson().map(({ id }) => Number(id));
}
