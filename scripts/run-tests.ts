// Runs and counts tests, with the machine's clock or another one (scripts/test-file.ts).
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Failure, type FileResults, lookAgain, type StoryFault } from './second-look.ts';
import { root, say } from './setup.mjs';

/** Projects that run together; e2e runs after the others, because its browsers would take their time. */
export const ROUNDS = [['unit', 'web', 'screens'], ['e2e']];

/** Clocks of the whole test run: at night, before midnight, and over both clock changes. */
export const CLOCKS = ['04:00', '23:50', 'spring', 'autumn'];

/** Each hour of the day, for starts of the demo. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

/** Longest time from Vitest's results to its end, ms. */
const LONGEST_END_MS = 120_000;
const LOOK_MS = 5_000;
/** Failures that are printed at the end: more have one cause. */
const MOST_FAILURES = 20;

/** The result of set-up. */
export interface Found {
  /** Path of the Node to run with. */
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Counts {
  passed: number;
  skipped: number;
  readonly failures: Failure[];
  readonly unsteady: Failure[];
}

/** The tests to run. */
interface Wanted {
  readonly projects: readonly string[];
  /** Parts of paths; all by default. */
  readonly files?: readonly string[];
  readonly clock?: string;
  /** `quick` by default, or `long`. */
  readonly tier?: string;
  /** Slow properties are tried as often as they can be. */
  readonly tries?: 'all';
  /** Only those tests run that are or import these files. */
  readonly related?: readonly string[];
}

interface Results {
  readonly files: FileResults[];
  /** Failures outside of tests. */
  readonly outside: Failure[];
}

/** The counts of a run that begins. */
export const noCounts = (): Counts => ({ passed: 0, failures: [], skipped: 0, unsteady: [] });

/**
 * Runs the tests of some projects and adds their results to `counts`. Stories that only waited in vain get a second look
 * (second-look.ts).
 * @returns how many tests passed or failed
 */
export async function runTests(found: Found, counts: Counts, what: Wanted): Promise<number> {
  const { projects, clock } = what;
  const beganMs = performance.now();
  const { files, faults, outside } = await resultsOf(found, what);
  if (projects.includes('e2e')) {
    const { related: _, ...rest } = what;
    const runFile = async (file: string) => {
      const again = await resultsOf(found, { ...rest, files: [file] });
      const hasFault = again.faults.length + again.outside.length > 0;
      return hasFault ? undefined : again.files.find((one) => one.file === file);
    };
    counts.unsteady.push(...(await lookAgain(files, faults, runFile, say)));
  }
  const at = clock === undefined ? '' : ` at ${clock}`;
  const sum = (numberOf: (one: FileResults) => number) =>
    files.reduce((total, one) => total + numberOf(one), 0);
  const passed = sum((one) => one.passed);
  const failures = [...files.flatMap((one) => one.failures), ...outside];
  counts.passed += passed;
  counts.failures.push(...failures.map((failure) => ({ ...failure, name: failure.name + at })));
  for (const { name, reason } of files.flatMap((one) => one.skipped)) {
    say(`skipped: ${name}: ${reason}`);
    counts.skipped += 1;
  }
  const minutes = (performance.now() - beganMs) / 60_000;
  const tests = passed + failures.length;
  say(`${projects.join(', ')}${at}: ${tests} tests, ${minutes.toFixed(1)} minutes`);
  return tests;
}

/**
 * Prints what failed, so that it is found at the end of a long log, and the counts as the last line.
 * @param mayBeEmpty whether a run without tests is right
 * @returns the exit code
 */
export function sayCounts(counts: Counts, { mayBeEmpty = false } = {}): number {
  const { passed, failures, skipped, unsteady } = counts;
  if (!mayBeEmpty && passed + failures.length === 0) {
    failures.push({ name: 'the test run', errors: ['found no tests'] });
  }
  for (const { name, errors } of failures.slice(0, MOST_FAILURES)) {
    say(`failed: ${name}\n${errors.join('\n').replace(/^/gm, '  ')}`);
  }
  if (failures.length > MOST_FAILURES) say(`and ${failures.length - MOST_FAILURES} more failed`);
  for (const { name, errors } of unsteady) say(`unsteady: ${name}: ${errors[0]?.split('\n')[0]}`);
  if (unsteady.length > 0) say(`${unsteady.length} unsteady`);
  say(`${passed} passed, ${failures.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  return failures.length === 0 ? 0 : 1;
}

// Runs Vitest once, and reads what test-results.ts and the stories wrote.
async function resultsOf(
  { node, env }: Found,
  what: Wanted,
): Promise<Results & { faults: StoryFault[] }> {
  const { projects, files = [], related, clock, tier = 'quick', tries } = what;
  const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-results-'));
  const file = path.join(folder, 'results.json');
  const faultsFile = path.join(folder, 'faults.jsonl');
  const child = spawn(
    node,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      ...(related === undefined ? ['run', ...files] : ['related', '--run', ...related]),
      ...projects.flatMap((project) => ['--project', project]),
      '--passWithNoTests',
      '--reporter=default',
      `--reporter=${path.join(root, 'scripts/test-results.ts')}`,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...env,
        TEST_TIER: tier,
        TEST_RESULTS: file,
        STORY_FAULTS: faultsFile,
        ...(clock === undefined ? {} : { TEST_CLOCK: clock }),
        ...(tries === undefined ? {} : { TEST_TRIES: tries }),
      },
    },
  );
  const status = await endOf(child, file);
  const results = readResults(file, status);
  const faults = existsSync(faultsFile) ? readFileSync(faultsFile, 'utf8').split('\n') : [];
  rmSync(folder, { recursive: true, force: true });
  return { ...results, faults: faults.filter(Boolean).map((line) => JSON.parse(line)) };
}

// Vitest writes its results last. What a test left open may keep it from ending.
async function endOf(
  child: ChildProcess,
  resultsFile: string,
): Promise<number | NodeJS.Signals | null> {
  const look = setInterval(() => {
    const age = existsSync(resultsFile) ? Date.now() - statSync(resultsFile).mtimeMs : 0;
    if (age > LONGEST_END_MS) child.kill('SIGKILL');
  }, LOOK_MS);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve(code ?? signal));
    });
  } finally {
    clearInterval(look);
  }
}

function readResults(file: string, status: number | NodeJS.Signals | null): Results {
  try {
    const { files, outside }: Results = JSON.parse(readFileSync(file, 'utf8'));
    const failures = [...files.flatMap((one) => one.failures), ...outside];
    if (failures.length === 0 && status !== 0) {
      outside.push({ name: 'the test run', errors: [`ended with ${status} after its tests`] });
    }
    return { files, outside };
  } catch (error) {
    const errors = [`left no results: ${error}`];
    return { files: [], outside: [{ name: 'the test run', errors }] };
  }
}
