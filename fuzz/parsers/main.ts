// npm run fuzz -- --parsers egts|jt808|osmand|jt1078|ftp|all [--frames N] [--sockets N] [--seed S] [--only CONNECTION]: feeds
// parsers with damaged frames, then a running product over sockets. Ends with 1 when there is a finding.
import { Worker } from 'node:worker_threads';
import type { FuzzedParser } from './parser.ts';
import { parsersOf } from './parsers.ts';
import type { ParserOutcome, ParserRun } from './run.ts';
import { runSockets } from './sockets.ts';

/** Without a word for so long the parser hangs, ms. */
const HANGS_MS = 120_000;

export interface ParserOptions {
  /** One protocol, or `all`. */
  readonly protocol: string;
  readonly seed: number;
  readonly frames: number;
  /** Frames that also go over sockets. */
  readonly sockets: number;
  readonly only: number | undefined;
  readonly say: (text: string) => void;
}

/** Runs the parsers. @returns whether nothing was found; throws UsageError for a protocol that there is not */
export async function fuzzParsers(options: ParserOptions): Promise<boolean> {
  const { protocol, seed, frames, sockets, only, say } = options;
  let isClean = true;
  for (const parser of parsersOf(protocol)) {
    const run = { seed, frames, ...(only !== undefined && { only }) };
    const outcome = await runApart(parser, run, say);
    report(parser, outcome, options);
    isClean &&= outcome.faults.length === 0;
    if (only !== undefined || sockets === 0) continue;
    const { faults, lines } = await runSockets(parser, { seed, frames: sockets });
    for (const line of [...lines, ...faults.map((fault) => `  FOUND ${fault}`)]) say(line);
    isClean &&= faults.length === 0;
  }
  return isClean;
}

// A parser that never returns would also hold up all that wait for it.
function runApart(
  { protocol }: FuzzedParser,
  run: Pick<ParserRun, 'seed' | 'frames' | 'only'>,
  say: ParserOptions['say'],
): Promise<ParserOutcome> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { protocol, ...run },
  });
  return new Promise((resolve, reject) => {
    let reached = 0;
    const hang = (): void => {
      void worker.terminate();
      reject(new Error(`${protocol} hangs after connection ${reached} of seed ${run.seed}`));
    };
    let timer = setTimeout(hang, HANGS_MS);
    worker.on('message', (message: { link?: number; outcome?: ParserOutcome }) => {
      clearTimeout(timer);
      if (message.outcome !== undefined) {
        resolve(message.outcome);
        return;
      }
      timer = setTimeout(hang, HANGS_MS);
      reached = message.link ?? reached;
      if (reached % 5000 === 0) say(`${protocol}: ${reached} connections`);
    });
    worker.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

function report(parser: FuzzedParser, outcome: ParserOutcome, options: ParserOptions): void {
  const { protocol } = parser;
  const { seed, frames, say } = options;
  const n = (value: number): string => value.toLocaleString('en');
  say(
    [
      `${protocol}: ${n(outcome.frames)} frames, ${n(outcome.bytes)} bytes, ${n(outcome.links)} connections, ${outcome.seconds.toFixed(0)} s, seed ${seed}: ${outcome.faults.length === 0 ? 'clean' : 'NOT CLEAN'}`,
      `  read ${n(outcome.read)}: all of ${n(outcome.clean)} untouched ones, ${n(outcome.others)} of damaged ones with right checksums; ${n(outcome.lost)} connections given up`,
      `  worst connection ${outcome.worstCpuMs.toFixed(0)} ms of CPU; memory grew by ${outcome.grownMiB.toFixed(1)} MiB; endless bytes keep ${outcome.keptMiB.toFixed(1)} MiB at most`,
      ...outcome.faults.map((fault) => `  FOUND ${fault}${againOf(fault)}`),
    ].join('\n'),
  );

  function againOf(fault: string): string {
    const link = /^connection (\d+):/.exec(fault)?.[1];
    if (link === undefined) return '';
    return `\n    again: npm run fuzz -- --parsers ${protocol} --frames ${frames} --seed ${seed} --only ${link}`;
  }
}
