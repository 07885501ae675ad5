// npm run fuzz -- [--minutes N] [--requests N] [--seed S] [--lines N] [--only TURN]: starts a product and sends it
// random requests from the description of its calls. Every answer must have a described status below 500 and the
// described shape. Delays of /healthz and memory are watched, too. With --parsers it feeds the parsers of other protocols
// instead (parsers/main.ts). Exits with 1 when there is a finding.
import { makeClip } from '@ridewatch/server/src/test/clip.ts';
import { startProduct } from '../harness/product.ts';
import { readFuzzFlags } from './flags.ts';
import { fuzzParsers } from './parsers/main.ts';
import type { FuzzRequest } from './requests.ts';
import { MOST_HEALTH_MS, MOST_MEMORY_MIB, type Outcome, run } from './run.ts';
import { UsageError } from './usage-error.ts';
import { faultsOfRun } from './verdict.ts';
import { type Answer, curlOf } from './wire.ts';
import { ENVIRONMENT, makeWorld } from './world.ts';

/** Most printed characters of a request or an answer. */
const MOST_SHOWN = 3000;

const flags = readFlags();
const { seed, only, lines, requests, ms } = flags;
const say = (text: string): boolean => process.stderr.write(`${text}\n`);
say(`seed ${seed}`);
if (flags.parsers !== undefined) {
  const { parsers: protocol, frames, sockets } = flags;
  const isClean = await fuzzParsers({
    ...{ protocol, seed, frames, sockets, only },
    say: (text) => process.stdout.write(`${text}\n`),
  });
  process.exit(isClean ? 0 : 1);
}
const product = await startProduct({ env: { ...ENVIRONMENT, LOG_LEVEL: 'error' } });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void product.remove().then(() => process.exit(1)));
}
try {
  const world = await makeWorld(product.url, makeClip());
  const outcome = await run(product.url, world, {
    ...{ seed, requests, ms },
    ...(lines === undefined ? {} : { lines }),
    ...(only === undefined ? {} : { only, onAnswer: print }),
    onProgress: (sent, kinds) => say(`${sent} requests, ${kinds} kinds of findings`),
    onFinding: ({ turn, call, fault, curl }) =>
      say(
        `${call}\n  ${fault}\n  again: npm run fuzz -- --seed ${seed} --only ${turn}\n  ${curl.slice(0, MOST_SHOWN)}`,
      ),
  });
  report(outcome);
  process.exitCode = faultsOfRun(outcome).length === 0 ? 0 : 1;
} finally {
  await product.remove();
}

function readFlags(): ReturnType<typeof readFuzzFlags> {
  try {
    return readFuzzFlags(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

// Prints the request and the answer of a single turn.
function print(request: FuzzRequest, answer: Answer | string | undefined): void {
  const text =
    typeof answer === 'object'
      ? `${answer.status} ${answer.body.toString('utf8')}`
      : String(answer);
  say(`${curlOf(product.url, request).slice(0, MOST_SHOWN)}\n${text.slice(0, MOST_SHOWN)}`);
}

function report(outcome: Outcome): void {
  const faults = faultsOfRun(outcome);
  const { byStatus, watched, neverSucceeded, turns, seconds } = outcome;
  const statuses = [...byStatus].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
  const mib = (n: number): string => `${n.toFixed(0)} MiB`;
  const took = (n: number): string => `${n.toFixed(1)} ms`;
  process.stdout.write(
    `${[
      `answers by status: ${statuses.join(', ')}`,
      ...(only === undefined ? [`never answered with success: ${neverSucceeded.join(', ')}`] : []),
      `/healthz over ${watched.asked} questions: p50 ${took(watched.p50Ms)}, p99 ${took(watched.p99Ms)} (at most ${MOST_HEALTH_MS}), worst ${took(watched.worstMs)}`,
      `memory of the server: ${mib(watched.firstMiB)} before, ${mib(watched.mostMiB)} at most (of ${MOST_MEMORY_MIB}), ${mib(watched.lastMiB)} after`,
      ...faults.map((fault) => `FOUND ${fault}`),
      `${outcome.requests} requests in ${turns} turns and ${seconds.toFixed(0)} s (${(outcome.requests / seconds).toFixed(0)} a second), seed ${seed}: ${faults.length === 0 ? 'clean' : 'NOT CLEAN'}`,
    ].join('\n')}\n`,
  );
}
