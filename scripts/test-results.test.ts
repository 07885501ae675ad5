import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Failure, FileResults } from './second-look.ts';

const root = path.resolve(import.meta.dirname, '..');
mkdirSync(path.join(root, 'node_modules/.cache'), { recursive: true });
const folder = mkdtempSync(path.join(root, 'node_modules/.cache/results-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Results {
  files: FileResults[];
  outside: Failure[];
}

/** Runs Vitest on files of test code, and gives what the reporter wrote. */
function resultsOf(files: Record<string, string>): Results {
  for (const [name, code] of Object.entries(files)) writeFileSync(path.join(folder, name), code);
  const file = path.join(folder, 'results.json');
  spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      `--root=${folder}`,
      '--config=none.config.js',
      `--reporter=${path.join(root, 'scripts/test-results.ts')}`,
    ],
    { env: { ...process.env, TEST_RESULTS: file, VITEST: '' } },
  );
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}

test('a test run counts what passed, and names what failed and was skipped, with the reasons', () => {
  const head = "import { beforeAll, describe, expect, test } from 'vitest';\n";
  const results = resultsOf({
    'none.config.js': 'export default {};',
    'some.test.js': `${head}
      test('holds', () => expect(1).toBe(1));
      test.skip('waits', () => {});
      test('asks', ({ skip }) => skip('the sample is absent'));
      describe('a bus', () => test('drives', () => expect(2).toBe(3)));
      describe('a lap', () => {
        beforeAll(() => { throw new Error('no database'); });
        test('ends', () => {});
      });`,
    'broken.test.js': `${head} throw new Error('does not load');`,
    'aside.test.js': `${head}
      test('leaves an error behind', () => { Promise.reject(new Error('late')); });`,
  });
  const { files, outside } = results;
  expect(files.map(({ file, passed }) => [file, passed]).sort()).toEqual([
    ['aside.test.js', 1],
    ['broken.test.js', 0],
    ['some.test.js', 1],
  ]);
  expect(files.flatMap(({ skipped }) => skipped)).toEqual([
    { name: 'some.test.js: waits', reason: 'no reason given' },
    { name: 'some.test.js: asks', reason: 'the sample is absent' },
    // Its `beforeAll` failed.
    { name: 'some.test.js: a lap > ends', reason: 'no reason given' },
  ]);
  const failures = [...files.flatMap((one) => one.failures), ...outside].map(
    ({ name, errors }) => `${name}: ${errors[0]?.split('\n')[0]}`,
  );
  expect(failures.sort()).toEqual([
    'aside.test.js: an error outside of the tests: late',
    'broken.test.js: does not load',
    'some.test.js: a bus > drives: expected 2 to be 3 // Object.is equality',
    'some.test.js: a lap: no database',
  ]);
});
