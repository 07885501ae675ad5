// npm run bench [-- ID …]: measures product and limit side by side. The results go to standard output as JSON. A run of
// all rows also writes docs/benchmarks.json and docs/benchmarks.md; with --keep a run of some rows replaces these rows.
// --minutes N: duration of each row of a live fleet; --units N: only the row with N units, the buses of statistics, or the
// connections of I1 to I8, not to be kept;
// --days N: the days of statistics. --folder PATH: keeps their records there for the next run of the same size.
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { budgets } from './budgets.ts';
import { demoStart } from './demo-start.ts';
import { egtsDelays } from './egts-delays.ts';
import { egtsIdle } from './egts-idle.ts';
import { egtsOutage } from './egts-outage.ts';
import { egtsRates } from './egts-rates.ts';
import { idle } from './idle.ts';
import { imports } from './imports.ts';
import { ingest } from './ingest.ts';
import { laps } from './laps.ts';
import { lists } from './lists.ts';
import { liveFleet } from './live-fleet.ts';
import { type Bench, type Extent, type Result, Unmeasured } from './measure.ts';
import { memory } from './memory.ts';
import { merges } from './merges.ts';
import { polling } from './polling.ts';
import { positions } from './positions.ts';
import { priceTable } from './price-table.ts';
import { type Measured, machineName, pageOf } from './report.ts';
import { reports } from './reports.ts';
import { screens } from './screens.ts';
import { statistics } from './statistics.ts';
import { takings } from './takings.ts';
import { timeline } from './timeline.ts';
import { track } from './track.ts';
import { video } from './video.ts';
import { watching } from './watching.ts';

const benches: readonly Bench[] = [
  ingest,
  egtsRates,
  egtsDelays,
  egtsOutage,
  egtsIdle,
  liveFleet,
  idle,
  memory,
  laps,
  lists,
  positions,
  video,
  merges,
  reports,
  watching,
  budgets,
  screens,
  polling,
  priceTable,
  timeline,
  track,
  statistics,
  takings,
  imports,
  demoStart,
];
const docs = path.resolve(import.meta.dirname, '../docs');
const jsonFile = path.join(docs, 'benchmarks.json');

interface Report {
  readonly machine: string;
  readonly results: readonly Measured[];
  /** Rows that were not measured, with the reason. */
  readonly failed?: readonly { readonly ids: readonly string[]; readonly reason: string }[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    units: { type: 'string' },
    days: { type: 'string' },
    folder: { type: 'string' },
  },
});
const extent: Extent = {
  minutes: readNumber('minutes', values.minutes),
  units: readNumber('units', values.units),
  days: readNumber('days', values.days),
  folder: values.folder,
};
const ids = [...new Set(benches.flatMap((bench) => bench.ids))];
const wanted = positionals.map((id) => id.toUpperCase());
const unknown = wanted.filter((id) => !ids.includes(id));
if (unknown.length > 0) {
  process.stderr.write(`There is no row ${unknown.join(', ')}. Rows are ${ids.join(', ')}.\n`);
  process.exit(1);
}
const isWanted = (id: string): boolean => wanted.length === 0 || wanted.includes(id);

const results: Measured[] = [];
const failed: NonNullable<Report['failed']>[number][] = [];
for (const bench of benches.filter((one) => one.ids.some(isWanted))) {
  process.stderr.write(`${bench.ids.filter(isWanted).join(', ')} …\n`);
  // Other load disturbs both sides equally, except in the worst round.
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  const fresh = await run(bench);
  results.push(...fresh.map((result) => ({ ...result, load })));
}
const report: Report = {
  machine: machineName(),
  results,
  ...(failed.length === 0 ? {} : { failed }),
};
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
const isWhole = wanted.length === 0 && failed.length === 0;
if (isWhole) await write(report);
else if (values.keep) await write({ ...report, results: merged(await readReport(), results) });
if (failed.length > 0) process.exitCode = 1;

// A failed bench does not stop the others.
async function run(bench: Bench): Promise<readonly Result[]> {
  try {
    return await bench.run(isWanted, extent);
  } catch (error) {
    const done = error instanceof Unmeasured ? error.results : [];
    const ids = bench.ids.filter(isWanted);
    const reason = error instanceof Error ? error.message : String(error);
    failed.push({ ids, reason });
    process.stderr.write(`${ids.join(', ')} not measured: ${reason}\n`);
    return done;
  }
}

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value > 0) return value;
  process.stderr.write(`--${name} must be a number above 0.\n`);
  process.exit(1);
}

async function readReport(): Promise<Report> {
  return JSON.parse(await readFile(jsonFile, 'utf8')) as Report;
}

function merged(before: Report, fresh: readonly Measured[]): Measured[] {
  // With --units only the rows of one fleet were measured; the other fleets' rows stay.
  const fleet = extent.units === undefined ? '' : `${extent.units} units`;
  const rest = before.results.filter(
    ({ id, what }) => !fresh.some((row) => row.id === id && what.startsWith(fleet)),
  );
  return [...rest, ...fresh].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

async function write(kept: Report): Promise<void> {
  await writeFile(jsonFile, `${JSON.stringify(kept, null, 2)}\n`);
  await writeFile(path.join(docs, 'benchmarks.md'), pageOf(kept.results, kept.machine));
}
