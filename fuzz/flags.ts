// The command line of `npm run fuzz`.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { parsersOf } from './parsers/parsers.ts';
import { UsageError } from './usage-error.ts';

const DEFAULT_MINUTES = 2;
/** Frames for parsers, and those of them that go over sockets, too. */
const DEFAULT_FRAMES = 100_000;
const DEFAULT_SOCKETS = 20_000;

interface FuzzFlags {
  readonly seed: number;
  /** Number of the only turn or connection to run. */
  readonly only: number | undefined;
  /** A run of requests ends with the limit that is reached first. */
  readonly requests: number;
  readonly ms: number;
  readonly lines: number | undefined;
  /** A protocol, or `all`; undefined: requests to a product are run. */
  readonly parsers: string | undefined;
  readonly frames: number;
  readonly sockets: number;
}

/** Reads the command line. @throws UsageError that names the flag */
export function readFuzzFlags(args: readonly string[]): FuzzFlags {
  const values = parsed(args);
  const read = (name: keyof typeof values): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^\d{1,12}(\.\d+)?$/.test(text)) {
      throw new UsageError(`--${name} must be a number, not '${text}'`);
    }
    return Number(text);
  };
  const { parsers } = values;
  if (parsers !== undefined) parsersOf(parsers);
  const endless = Number.POSITIVE_INFINITY;
  const requests = read('requests') ?? endless;
  const minutes = read('minutes') ?? (requests === endless ? DEFAULT_MINUTES : endless);
  const frames = read('frames') ?? DEFAULT_FRAMES;
  return {
    ...{ parsers, requests, ms: minutes * 60_000, frames },
    ...{ seed: read('seed') ?? randomInt(2 ** 31), only: read('only'), lines: read('lines') },
    sockets: read('sockets') ?? Math.min(frames, DEFAULT_SOCKETS),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string' },
        requests: { type: 'string' },
        seed: { type: 'string' },
        lines: { type: 'string' },
        only: { type: 'string' },
        parsers: { type: 'string' },
        frames: { type: 'string' },
        sockets: { type: 'string' },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
