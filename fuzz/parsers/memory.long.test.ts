// The run of the parsers finds what keeps memory.
import { expect, it } from 'vitest';
import { egtsParser } from './egts.ts';
import type { StreamParser } from './parser.ts';
import { runParser } from './run.ts';

const run = { seed: 2026, frames: 11_000, measuresMemory: true };
const kept: Buffer[] = [];

it('a parser that keeps nothing is clean', () => {
  expect(runParser(egtsParser, run).faults).toEqual([]);
});

it('a parser that keeps what it got is found', () => {
  const parser: StreamParser = {
    ...egtsParser,
    open: (chance) => {
      const link = egtsParser.open(chance);
      return {
        ...link,
        close: () => {
          kept.push(Buffer.alloc(1_000_000, 1));
        },
      };
    },
  };
  const { faults } = runParser(parser, run);
  kept.length = 0;
  expect(faults).toEqual([expect.stringMatching(/^the memory grew by \d+\.\d MiB$/)]);
});

it('a connection that keeps endless bytes is found', () => {
  const parser: StreamParser = {
    ...egtsParser,
    open: (chance) => {
      const own: Buffer[] = [];
      return {
        ...egtsParser.open(chance),
        push: (bytes) => {
          own.push(bytes);
          return [];
        },
      };
    },
  };
  const { faults } = runParser(parser, run);
  expect(faults).toContainEqual(expect.stringMatching(/^egts, endless 01: keeps \d+\.\d MiB$/));
  expect(faults).toContainEqual(
    expect.stringMatching(/endless 01: is not given up after \d+ bytes$/),
  );
});
