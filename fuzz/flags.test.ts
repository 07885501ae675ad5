import { expect, it } from 'vitest';
import { readFuzzFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

it('reads what is given, and knows the rest', () => {
  expect(readFuzzFlags([])).toMatchObject({ ms: 120_000, parsers: undefined });
  expect(readFuzzFlags(['--requests', '9', '--seed', '7'])).toMatchObject({
    ...{ requests: 9, seed: 7, ms: Number.POSITIVE_INFINITY },
  });
  expect(readFuzzFlags(['--parsers', 'jt1078', '--frames', '30', '--only', '2'])).toMatchObject({
    ...{ parsers: 'jt1078', frames: 30, sockets: 30, only: 2 },
  });
});

it.each([
  [['--parsers', 'wialon'], "--parsers 'wialon' is none of egts, jt808, osmand, jt1078, ftp, all"],
  [['--seed', '-1x'], /--seed/],
  [['--frames', 'many'], "--frames must be a number, not 'many'"],
  [['--turns', '1'], /--turns/],
])('says of %j what is wrong', (args, text) => {
  const read = () => readFuzzFlags(args);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(text);
});
