// npm run bench [id …]: product and limit side by side; the results as JSON on standard output and in
// docs/benchmarks.json, the table in docs/benchmarks.md.

import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { measureBudgets } from '../scripts/budgets.mjs';
import { benchIngest } from './ingest.ts';
import { benchLists } from './lists.ts';
import type { Result } from './measure.ts';
import { benchVideo } from './video.ts';

const root = path.resolve(import.meta.dirname, '..');
const benches: Readonly<Record<string, () => Promise<Result[]>>> = {
  I: benchIngest,
  A: benchLists,
  V: benchVideo,
  W: benchBudgets,
};

/** W1: JavaScript before the first screens, against its budget. */
async function benchBudgets(): Promise<Result[]> {
  return measureBudgets().map(({ name, kind, bytes, most }) => ({
    id: 'W1',
    what: `${kind} to ${name}, gz`,
    unit: 'bytes',
    product: bytes,
    limit: most,
    ratio: bytes / most,
    worstRatio: bytes / most,
    target: '≤ 1',
    rounds: 1,
  }));
}

function tableOf(results: readonly Result[], machine: string): string {
  const number = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
  const rows = results.map((row) =>
    [
      row.id,
      row.what,
      `${number(row.product)} ${row.unit}`,
      `${number(row.limit)} ${row.unit}`,
      number(row.ratio),
      number(row.worstRatio),
      row.target,
      Object.entries(row.counters ?? {})
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    ].join(' | '),
  );
  return [
    '# Benchmarks',
    '',
    `Made by \`npm run bench\` on ${machine}. Product and limit run interleaved; medians of the rounds.`,
    'The load runs on the same machine, so the ratios count and not the times.',
    '',
    '| id | what | product | limit | ratio | worst round | target | counters |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}

const wanted = process.argv.slice(2);
const results: Result[] = [];
for (const [id, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.some((one) => one.toUpperCase().startsWith(id))) continue;
  results.push(...(await bench()));
}
const machine = `${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
process.stdout.write(`${JSON.stringify({ machine, results }, null, 2)}\n`);
if (wanted.length === 0) {
  await writeFile(path.join(root, 'docs/benchmarks.md'), tableOf(results, machine));
}
