// The memory of a parser: what stays after many connections, and what one connection keeps of endless bytes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import type { StreamParser } from './parser.ts';

/** Most that may stay after all connections, MiB: what the machine keeps of code, no more with more frames. */
const MOST_GROWN_MIB = 24;
/** Most that one connection may keep beside the bytes that it waits for, MiB. */
const MOST_BESIDE_MIB = 2;
const MIB = 2 ** 20;
/** Bytes that arrive at once, and how many times the limit of damaged bytes is sent. */
const PIECE_BYTES = 64 * 1024;
const TIMES_TOO_MUCH = 4;
/** Pieces between two looks at the memory. */
const LOOK_EVERY = 8;

export interface ParserMemory {
  /** From now on it should not grow. */
  begin(): void;
  grownMiB(): number;
  /** Sends a connection the same bytes again and again until it is given up. */
  keptMiB(parser: StreamParser, bytes: Buffer): { readonly mib: number; readonly faults: string[] };
  faults(): string[];
}

/** Makes it; the run's thread is to itself. */
export function memoryOfParser(): ParserMemory {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedMiB = (): number => {
    collect();
    // The memory of collected buffers is given back beside, and at the beginning of the next collection at the latest.
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / MIB;
  };
  let beganMiB = 0;
  let grown = 0;
  return {
    begin: () => {
      beganMiB = usedMiB();
    },
    grownMiB: () => {
      grown = usedMiB() - beganMiB;
      return grown;
    },
    keptMiB: (parser, bytes) => {
      const link = parser.open(chanceOf(1));
      const most = parser.mostDamagedBytes * TIMES_TOO_MUCH;
      const before = usedMiB();
      let kept = 0;
      let sent = 0;
      for (let pieces = 1; sent < most && !link.isLost(); pieces += 1) {
        link.push(Buffer.alloc(PIECE_BYTES, bytes));
        link.giveUp();
        sent += PIECE_BYTES;
        if (pieces % LOOK_EVERY === 0) kept = Math.max(kept, usedMiB() - before);
      }
      const isLost = link.isLost();
      link.close();
      const limit = parser.mostKeptBytes / MIB + MOST_BESIDE_MIB;
      const of = `${parser.protocol}, endless ${bytes.toString('hex')}`;
      return {
        mib: kept,
        faults: [
          ...(kept > limit ? [`${of}: keeps ${kept.toFixed(1)} MiB`] : []),
          ...(isLost ? [] : [`${of}: is not given up after ${sent} bytes`]),
        ],
      };
    },
    faults: () => (grown > MOST_GROWN_MIB ? [`the memory grew by ${grown.toFixed(1)} MiB`] : []),
  };
}
