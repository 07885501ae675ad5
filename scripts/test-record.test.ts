import { expect, test } from 'vitest';
import { describeAge } from './test-record.ts';

const HEAD = '| commit | date | tests | failures | minutes |\n| --- | --- | --- | --- | --- |\n';
const RECORD = `${HEAD}| \`0123456789ab\` | 2026-11-25 | 589 | 0 | 7.4 |
| \`ba9876543210\` | 2026-11-20 | 500 | 1 | 9.0 |
`;

test('the age of a record is that of its newest run', () => {
  const asked: string[] = [];
  const age = describeAge(RECORD, (commit) => {
    asked.push(commit);
    return 100;
  });
  expect(age).toBe('The long tests ran 100 commits ago.');
  expect(asked).toEqual(['0123456789ab']);
});

test('a record of over 100 commits, of another history or without a run says so', () => {
  expect(describeAge(RECORD, () => 101)).toMatch(/101 commits ago\. Run them again/);
  expect(describeAge(RECORD, () => undefined)).toMatch(/0123456789ab, which this history lacks/);
  expect(describeAge(HEAD, () => 1)).toMatch(/never run/);
});
