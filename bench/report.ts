import { cpus, totalmem } from 'node:os';
import type { Result } from './measure.ts';

/** Describes the machine. */
export function machineName(): string {
  const gib = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${cpus()[0]?.model}), ${gib} GiB, Node ${process.versions.node}`;
}

/** Whether a ratio meets its target. */
export function meets({ ratio, target }: Pick<Result, 'ratio' | 'target'>): boolean {
  const bound = Number(target.slice(2));
  return target.startsWith('≤') ? ratio <= bound : ratio >= bound;
}

/** A row with the machine's load average before its measurement. */
export type Measured = Result & { readonly load: number };

/** Formats the results as a page of docs. */
export function pageOf(results: readonly Measured[], machine: string): string {
  return [
    '# Benchmarks',
    '',
    `Made by \`npm run bench\` on ${machine}. Product and limit run interleaved; medians of the rounds.`,
    'The load runs on the same machine, so the ratios count and not the times. What else the machine did is the column',
    '`load`: its load average before the rows; above the number of cores it disturbs long rounds more than short ones.',
    '',
    '| id | what | product | limit | ratio | worst round | target | met | load | counters |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...results.map((row) => `| ${cellsOf(row).join(' | ')} |`),
    '',
  ].join('\n');
}

function cellsOf(row: Measured): string[] {
  return [
    row.id,
    row.what,
    `${shown(row.product)} ${row.unit}`,
    `${shown(row.limit)} ${row.unit}`,
    shown(row.ratio),
    shown(row.worstRatio),
    row.target,
    meets(row) ? 'yes' : 'no',
    String(row.load),
    Object.entries(row.counters ?? {})
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  ];
}

function shown(value: number): string {
  return value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(value < 0.1 ? 1 : 3)));
}
