// The record of the long tier's runs, docs/test-long.md.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const recordFile = path.join(root, 'docs/test-long.md');
/** A row of the table: commit, date, tests, failures, minutes. */
const ROW = /^\| `([0-9a-f]{7,40})` \| .+ \|$/;
const MOST_ROWS = 20;
/** After this many commits the long tier has to run again. */
const MOST_COMMITS = 100;

/**
 * Writes a run to the top of the record.
 * @param minutes it took
 */
export function noteRun(
  { passed, failures }: { readonly passed: number; readonly failures: readonly unknown[] },
  minutes: number,
): void {
  const lines = readFileSync(recordFile, 'utf8').trimEnd().split('\n');
  const head = lines.filter((line) => !ROW.test(line));
  const rows = lines.filter((line) => ROW.test(line)).slice(0, MOST_ROWS - 1);
  const commit = git('rev-parse', '--short=12', 'HEAD');
  const date = new Date().toISOString().slice(0, 10);
  const tests = passed + failures.length;
  const row = `| \`${commit}\` | ${date} | ${tests} | ${failures.length} | ${minutes.toFixed(1)} |`;
  writeFileSync(recordFile, `${[...head, row, ...rows].join('\n')}\n`);
}

/** Says how old the record is, for the operator. */
export function describeRecord(): string {
  return describeAge(readFileSync(recordFile, 'utf8'), (commit) => {
    const count = git('rev-list', '--count', `${commit}..HEAD`);
    return count === '' ? undefined : Number(count);
  });
}

/**
 * Says how old a record is.
 * @param record text of the file
 * @param countSince commits since that one; undefined if it is unknown
 */
export function describeAge(
  record: string,
  countSince: (commit: string) => number | undefined,
): string {
  const commit = record
    .split('\n')
    .map((line) => ROW.exec(line)?.[1])
    .find((found) => found !== undefined);
  if (commit === undefined) return 'The long tests were never run: npm run test:long';
  const commits = countSince(commit);
  if (commits === undefined) return `The long tests ran at ${commit}, which this history lacks.`;
  const age = `The long tests ran ${commits} commits ago.`;
  return commits > MOST_COMMITS ? `${age} Run them again: npm run test:long` : age;
}

function git(...args: readonly string[]): string {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
}
