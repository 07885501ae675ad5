import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
mkdirSync(path.join(root, 'node_modules/.cache'), { recursive: true });
const folder = mkdtempSync(path.join(root, 'node_modules/.cache/results-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Results {
  passed: number;
  skipped: string[];
  failures: { name: string; message: string }[];
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
      `--reporter=${path.join(root, 'scripts/test-results.mjs')}`,
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
      describe('a bus', () => test('drives', () => expect(2).toBe(3)));
      describe('a lap', () => {
        beforeAll(() => { throw new Error('no database'); });
        test('ends', () => {});
      });`,
    'broken.test.js': `${head} throw new Error('does not load');`,
    'aside.test.js': `${head}
      test('leaves an error behind', () => { Promise.reject(new Error('late')); });`,
  });
  expect(results.passed).toBe(2);
  expect(results.skipped).toContain('waits');
  const failures = results.failures.map(
    ({ name, message }) => `${name}: ${message.split('\n')[0]}`,
  );
  expect(failures.sort()).toEqual([
    'an error outside of the tests: late',
    'broken.test.js: does not load',
    'some.test.js: a bus > drives: expected 2 to be 3 // Object.is equality',
    'some.test.js: a lap: no database',
  ]);
});
