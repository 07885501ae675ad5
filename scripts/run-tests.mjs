// Runs and counts tests, with the machine's clock or another one (scripts/test-clock.ts).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, say } from './setup.mjs';

/** Projects that run together; e2e runs after the others, because its browsers would take their time. */
export const ROUNDS = [['unit', 'web', 'screens'], ['e2e']];

/** Clocks of the whole test run: at night, before midnight, and over both clock changes. */
export const CLOCKS = ['04:00', '23:50', 'spring', 'autumn'];

/** Each hour of the day, for starts of the demo. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

/** Failures that are printed at the end: more have one cause. */
const MOST_FAILURES = 20;

/**
 * Runs the tests of some projects and adds their results to `counts`.
 * @param {{ node: string, env: Record<string, string> }} found result of set-up
 * @param {{ passed: number, failures: { name: string, message: string }[], skipped: number }} counts
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
      `--reporter=${path.join(root, 'scripts/test-results.mjs')}`,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...env,
        TEST_RESULTS: file,
        ...(clock === undefined ? {} : { TEST_CLOCK: clock }),
      },
    },
  );
  const before = counts.passed + counts.failures.length;
  const at = clock === undefined ? '' : ` at ${clock}`;
  add(counts, file, done.status, at);
  const minutes = (performance.now() - beganMs) / 60_000;
  const tests = counts.passed + counts.failures.length - before;
  say(`${projects.join(', ')}${at}: ${tests} tests, ${minutes.toFixed(1)} minutes`);
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Prints what failed, so that it is found at the end of a long log, and the counts as the last line.
 * @returns the exit code
 */
export function sayCounts({ passed, failures, skipped }) {
  for (const { name, message } of failures.slice(0, MOST_FAILURES)) {
    say(`failed: ${name}\n${message.replace(/^/gm, '  ')}`);
  }
  if (failures.length > MOST_FAILURES) say(`and ${failures.length - MOST_FAILURES} more failed`);
  say(`${passed} passed, ${failures.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  return failures.length === 0 ? 0 : 1;
}

function add(counts, file, status, at) {
  const failures = [];
  try {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    counts.passed += results.passed;
    counts.skipped += results.skipped.length;
    for (const name of results.skipped) say(`skipped: ${name}`);
    failures.push(...results.failures);
  } catch (error) {
    failures.push({ name: 'the test run', message: `left no results: ${error.message}` });
  }
  if (failures.length === 0 && status !== 0) {
    failures.push({ name: 'the test run', message: `ended with ${status} after its tests` });
  }
  counts.failures.push(...failures.map(({ name, message }) => ({ name: name + at, message })));
}
