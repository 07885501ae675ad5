// Q8 with odd data: the test that compares random filters with a recount of the raw records, in many random worlds with
// late events, manual counts, shifts, zones, summer time, and buses that change routes and customers.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { type Result, resultOf } from './measure.ts';

/** Of 70 filters each: more than 10,000 together. */
const WORLDS = 143;
const FILTERS_OF_A_WORLD = 70;
const root = path.resolve(import.meta.dirname, '..');

/** Runs the test; it stops at the first filter that differs, and prints its world. */
export async function recountWorlds(): Promise<Result> {
  const child = spawn(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit'],
      'server/src/stats/recount.test.ts',
    ],
    {
      cwd: root,
      // Standard output belongs to the results.
      stdio: ['ignore', process.stderr.fd, process.stderr.fd],
      env: { ...process.env, RECOUNT_WORLDS: String(WORLDS) },
    },
  );
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const filters = WORLDS * FILTERS_OF_A_WORLD;
  const row = {
    id: 'Q8',
    what: `random filters in random worlds that differ from a recount, of ${filters}`,
    unit: 'filters',
    target: '≤ 0',
    counters: { worlds: WORLDS },
  };
  return resultOf(row, [{ product: code === 0 ? 0 : 1, limit: filters }]);
}
