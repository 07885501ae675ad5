import { describe, expect, it } from 'vitest';
import { type FileResults, isOnlyAWait, lookAgain } from './second-look.ts';

const WAIT = 'locator.waitFor: Timeout 20000ms exceeded.\nCall log:\n  - waiting for a button';

const fileOf = (file: string, ...errors: string[]): FileResults => ({
  file,
  passed: 3,
  skipped: [],
  failures: errors.map((error) => ({ name: `${file}: a story`, errors: [error] })),
});
const silent = (): void => {};
const passes = async (file: string): Promise<FileResults> => ({ ...fileOf(file), passed: 4 });

describe('a failure', () => {
  it.each([
    WAIT,
    'Test timed out in 120000ms.\nIf this is a long-running test, pass a timeout value',
    'Hook timed out in 300000ms.',
    'waited 60000 ms in vain for the fragments to be counted',
    'page.goto: Timeout 50000ms exceeded.',
  ])('says only that a wait ended: %s', (error) => {
    expect(isOnlyAWait({ errors: [error] })).toBe(true);
  });

  it.each([
    'expected 3 to be 4 // Object.is equality',
    'expected [] to deeply equal [ 1 ]',
    'waited 60000 ms in vain for an answer: 503',
    'http://127.0.0.1:8080/api/bus_list: 500 {"error":"internal"}',
    "Cannot read properties of undefined (reading 'id')",
    'the server ended with 1',
    // The page may have crashed.
    'locator.click: Target page, context or browser has been closed',
  ])('may be a fault of the product: %s', (error) => {
    expect(isOnlyAWait({ errors: [error] })).toBe(false);
  });

  it('of several errors says only that waits ended if each of them does', () => {
    expect(isOnlyAWait({ errors: [WAIT, WAIT] })).toBe(true);
    expect(isOnlyAWait({ errors: [WAIT, 'expected 3 to be 4'] })).toBe(false);
    expect(isOnlyAWait({ errors: [] })).toBe(false);
  });
});

describe('the second look', () => {
  it('counts a file that passes alone as passed, and names what had failed', async () => {
    const files = [fileOf('e2e/a.test.ts', WAIT), fileOf('e2e/b.test.ts')];
    const unsteady = await lookAgain(files, [], passes, silent);
    expect(unsteady).toEqual([{ name: 'e2e/a.test.ts: a story', errors: [WAIT] }]);
    expect(files.flatMap(({ failures }) => failures)).toEqual([]);
    expect(files.map(({ passed }) => passed).sort()).toEqual([3, 4]);
  });

  it('leaves a file failed that fails again, or was not run again', async () => {
    for (const again of [fileOf('e2e/a.test.ts', WAIT), undefined]) {
      const files = [fileOf('e2e/a.test.ts', WAIT)];
      expect(await lookAgain(files, [], async () => again, silent)).toEqual([]);
      expect(files.flatMap(({ failures }) => failures)).toHaveLength(1);
    }
  });

  it.each([
    ['with a wrong value', [fileOf('e2e/a.test.ts', WAIT, 'expected 3 to be 4')], []],
    [
      'while its server answered 5xx or its page threw',
      [fileOf('e2e/a.test.ts', WAIT)],
      [{ file: 'e2e/a.test.ts', text: 'the page threw Error: no bus' }],
    ],
    [
      'among more than three files',
      ['a', 'b', 'c', 'd'].map((name) => fileOf(`e2e/${name}.test.ts`, WAIT)),
      [],
    ],
  ])('is not given to a file %s', async (_, files, faults) => {
    const looked: string[] = [];
    const runFile = (file: string) => {
      looked.push(file);
      return passes(file);
    };
    expect(await lookAgain(files, faults, runFile, silent)).toEqual([]);
    expect(looked).toEqual([]);
  });
});
