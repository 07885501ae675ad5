// npm run fuzz -- [--minutes N] [--requests N] [--seed S] [--only TURN]: a product of its own, asked whatever the
// description of its calls can generate, and more. Every answer has a described status below 500 and the described shape;
// /healthz and memory are watched alongside. Ends with 1 when there is a finding.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { makeClip } from '@ridewatch/server/src/test/clip.ts';
import { startProduct } from '../e2e/product.ts';
import { MOST_HEALTH_MS, MOST_MEMORY_MIB, type Outcome, run } from './run.ts';
import { ENVIRONMENT, makeWorld } from './world.ts';

const DEFAULT_MINUTES = 2;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    requests: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
});
const read = (name: keyof typeof values): number | undefined => {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,12}(\.\d+)?$/.test(text)) throw new Error(`--${name} is a number, not '${text}'`);
  return Number(text);
};
const seed = read('seed') ?? randomInt(2 ** 31);
const only = read('only');
const requests = read('requests') ?? Number.POSITIVE_INFINITY;
const untold = requests === Number.POSITIVE_INFINITY ? DEFAULT_MINUTES : Number.POSITIVE_INFINITY;
const ms = (read('minutes') ?? untold) * 60_000;

const say = (text: string): boolean => process.stderr.write(`${text}\n`);
say(`seed ${seed}`);
const product = await startProduct({ env: { ...ENVIRONMENT, LOG_LEVEL: 'error' } });
try {
  const world = await makeWorld(product.url, makeClip());
  const limits = { seed, requests, ms, ...(only === undefined ? {} : { only }) };
  const outcome = await run(product.url, world, {
    ...limits,
    onProgress: (sent, found) => sent % 5000 === 0 && say(`${sent} requests, ${found} findings`),
  });
  report(outcome);
  process.exitCode = isClean(outcome) || only !== undefined ? 0 : 1;
} finally {
  await product.remove();
}

function isClean({ kinds, watched }: Outcome): boolean {
  return kinds.size === 0 && watched.p99Ms <= MOST_HEALTH_MS && watched.mostMiB <= MOST_MEMORY_MIB;
}

function report(outcome: Outcome): void {
  const { findings, kinds, byStatus, watched, neverWell, turns, seconds } = outcome;
  const lines = [...findings].map(
    ({ turn, call, fault, curl }) =>
      `${call}\n  ${fault}\n  again: npm run fuzz -- --seed ${seed} --only ${turn}\n  ${curl.slice(0, 3000)}`,
  );
  const statuses = [...byStatus].sort(([a], [b]) => a - b).map(([status, n]) => `${status}: ${n}`);
  const mib = (n: number): string => `${n.toFixed(0)} MiB`;
  const took = (n: number): string => `${n.toFixed(1)} ms`;
  process.stdout.write(
    `${[
      ...lines,
      `answers by status: ${statuses.join(', ')}`,
      `never answered with success: ${neverWell.join(', ') || 'none'}`,
      `/healthz over ${watched.asked} questions: p50 ${took(watched.p50Ms)}, p99 ${took(watched.p99Ms)} (at most ${MOST_HEALTH_MS}), worst ${took(watched.worstMs)}`,
      `memory of the server: ${mib(watched.firstMiB)} before, ${mib(watched.mostMiB)} at most (of ${MOST_MEMORY_MIB}), ${mib(watched.lastMiB)} after`,
      ...[...kinds].map(([kind, count]) => `FOUND ${count} × ${kind}`),
      `${outcome.requests} requests in ${turns} turns and ${seconds.toFixed(0)} s (${(outcome.requests / seconds).toFixed(0)} a second), seed ${seed}: ${isClean(outcome) ? 'clean' : 'NOT CLEAN'}`,
    ].join('\n')}\n`,
  );
}
