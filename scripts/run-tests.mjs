// Runs and counts tests, with the machine's clock or another one (scripts/test-clock.ts).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, say } from './setup.mjs';

/** Projects that run together; e2e runs after the others, one file at a time. */
export const ROUNDS = [['unit', 'web', 'screens'], ['e2e']];

/** Clocks of the whole test run: at night, before midnight, and over both clock changes. */
export const CLOCKS = ['04:00', '23:50', 'spring', 'autumn'];

/** Each hour of the day, for starts of the demo. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

/**
 * Runs the tests of some projects and adds their results to `counts`.
 * @param {{ node: string, env: Record<string, string> }} found result of set-up
 * @param {{ passed: number, failed: number, skipped: number }} counts
 * @param {{ projects: string[], files?: string[], clock?: string }} what `files` are parts of paths; all by default
 */
export function runTests({ node, env }, counts, { projects, files = [], clock }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-results-'));
  const file = path.join(folder, 'results.json');
  const beganMs = performance.now();
  const done = spawnSync(
    node,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...files,
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env, ...(clock === undefined ? {} : { TEST_CLOCK: clock }) },
    },
  );
  const before = counts.passed + counts.failed;
  add(counts, file, done.status, clock);
  const minutes = (performance.now() - beganMs) / 60_000;
  const at = clock === undefined ? '' : ` at ${clock}`;
  say(
    `${projects.join(', ')}${at}: ${counts.passed + counts.failed - before} tests, ${minutes.toFixed(1)} minutes`,
  );
  rmSync(folder, { recursive: true, force: true });
}

/** Prints the counts as the last line. @returns the exit code */
export function sayCounts({ passed, failed, skipped }) {
  say(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  return failed === 0 ? 0 : 1;
}

function add(counts, file, status, clock) {
  let failed = 0;
  try {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    counts.passed += results.numPassedTests;
    failed = results.numFailedTests;
    for (const suite of results.testResults) {
      // A file that does not load has no tests, so the file counts as a failure.
      if (suite.status === 'failed' && suite.assertionResults.length === 0) failed += 1;
      for (const test of suite.assertionResults) {
        if (test.status === 'failed' && clock !== undefined) {
          say(`failed at ${clock}: ${test.fullName}`);
        }
        if (!['skipped', 'pending', 'todo'].includes(test.status)) continue;
        counts.skipped += 1;
        say(`skipped: ${test.fullName}`);
      }
    }
  } catch (error) {
    say(`No results: ${error.message}`);
  }
  counts.failed += Math.max(failed, status === 0 ? 0 : 1);
}
