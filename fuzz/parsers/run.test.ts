// The run of the parsers in small; and that it finds what it is for.
import { describe, expect, it } from 'vitest';
import { egtsParser } from './egts.ts';
import { osmandParser } from './osmand.ts';
import type { ParserLink, StreamParser } from './parser.ts';
import { parsers } from './parsers.ts';
import { runParser } from './run.ts';

const SEED = 2026;
const FRAMES = 2_000;
const run = { seed: SEED, frames: FRAMES, measuresMemory: false };

it.each(parsers)('damaged frames of $protocol cost nothing but themselves', (parser) => {
  const { faults, frames, clean, others } = runParser(parser, run);
  expect(faults).toEqual([]);
  expect(frames).toBe(FRAMES);
  // It reads both: what is untouched, and what is damaged and has right checksums.
  expect(clean).toBeGreaterThan(FRAMES / 5);
  expect(others).toBeGreaterThan(FRAMES / 100);
});

/** EGTS with a fault in its links. */
const withFault = (change: (link: ParserLink) => Partial<ParserLink>): StreamParser => ({
  ...egtsParser,
  open: (chance) => {
    const link = egtsParser.open(chance);
    return { ...link, ...change(link) };
  },
});

describe('the run finds a parser that', () => {
  it.each([
    [
      'reads a frame that nobody sent',
      withFault((link) => ({ push: (bytes) => [...link.push(bytes), 'a'] })),
      /^connection 0: reads a frame that nobody sent: 61$/,
    ],
    [
      'reads a frame twice',
      withFault((link) => ({ push: (bytes) => link.push(bytes).flatMap((key) => [key, key]) })),
      /^connection 0: reads a frame that nobody sent/,
    ],
    [
      'misses a sound frame after damage',
      withFault((link) => ({ giveUp: () => void link.giveUp() })),
      /^connection \d+: misses the sound frame at \d+/,
    ],
    [
      'fails',
      withFault(() => ({
        push: () => {
          throw new RangeError('beyond the bytes');
        },
      })),
      /^connection 0: fails: RangeError: beyond the bytes/,
    ],
    [
      'waits for ever',
      withFault(() => ({ giveUp: () => [] })),
      /^connection 0: fails: Error: waits for ever/,
    ],
    [
      'gives up a sound connection',
      withFault(() => ({ isLost: () => true })),
      /^connection 0: gives up a connection whose damage is within the limits/,
    ],
  ])('%s', (_, parser, fault) => {
    const { faults } = runParser(parser, run);
    expect(faults.some((text) => fault.test(text))).toBe(true);
  });

  it('tells something else than was sent', () => {
    const read: typeof osmandParser.read = (...args) =>
      osmandParser.read(...args)?.replace('1', '2');
    const { faults } = runParser({ ...osmandParser, read }, run);
    expect(faults[0]).toMatch(/^connection 0: reads .* where .* was sent$/);
  });

  it('a connection is the same again by its seed and number', () => {
    const parser = withFault((link) => ({ push: (bytes) => [...link.push(bytes), 'a'] }));
    const { faults } = runParser(parser, { ...run, only: 3 });
    expect(faults.every((text) => text.startsWith('connection 3: '))).toBe(true);
    expect(runParser(parser, { ...run, only: 3 }).faults).toEqual(faults);
  });
});
