import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, PROJECTS, TIERS } from './tiers.ts';

const root = path.resolve(import.meta.dirname, '..');

const lists = PROJECTS.flatMap((project) =>
  TIERS.map((tier) => ({ name: `${project}, ${tier}`, ...filesOf(project, tier) })),
);
const listsWith = (file: string): string[] =>
  lists
    .filter(
      ({ include, exclude }) =>
        include.some((pattern) => path.matchesGlob(file, pattern)) &&
        !exclude.some((pattern) => path.matchesGlob(file, pattern)),
    )
    .map(({ name }) => name);

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && existsSync(path.join(root, file)));
const isNamedTest = (file: string): boolean => /\.(test|spec)\.\w+$/.test(file);

/** Whether code asks Vitest for `test` or `it`, so that it would be lost in a file that no list has. */
const hasTests = (code: string): boolean =>
  /^import \{[^}]*\b(it|test)\b[^}]*\} from 'vitest';/m.test(code);

test('each test file is in one tier of one project', () => {
  const tests = files.filter(isNamedTest);
  expect(tests.length).toBeGreaterThan(300);
  expect(tests.filter((file) => listsWith(file).length !== 1)).toEqual([]);
});

test('no test is in a file that is not named as one', () => {
  const others = files.filter((file) => !isNamedTest(file) && listsWith(file).length === 0);
  const lost = others.filter((file) => hasTests(readFileSync(path.join(root, file), 'utf8')));
  expect(lost).toEqual([]);
});

test.each([
  ['server/src/money/fare.test.ts', ['unit, quick']],
  ['server/src/money/fare.long.test.ts', ['unit, long']],
  ['web/src/ui/menu.test.tsx', ['screens, quick']],
  ['web/src/ui/menu.long.test.tsx', ['screens, long']],
  ['e2e/kill.long.test.ts', ['e2e, long']],
  // A folder, an ending and a language that no project has.
  ['bench/speed.test.ts', []],
  ['server/src/money/fare.spec.ts', []],
  ['server/src/money/fare.test.tsx', []],
])('%s is in: %j', (file, expected) => {
  expect(listsWith(file)).toEqual(expected);
});
