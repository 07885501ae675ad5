// U3: units that drive, alone and beside one that sends a year of backlog, in turn.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setUpFleet, signIn, startProduct } from '../harness/product.ts';
import type { Backlog } from './backlog-load.ts';
import { phaseOf } from './driven-hours.ts';
import type { LiveLoad } from './live-load.ts';
import { percentile, reportOf } from './live-report.ts';
import { interleave, type Result } from './measure.ts';
import { planOfStreet } from './street.ts';

const UNITS = 50;
/** Years that one run may send. */
const YEARS = 20;
const EVERY_MS = 1000;
const ROUND_MS = 12_000;
const ANSWER_LIMIT_MS = 10_000;

// Stops the backlog, and gives the batches since the last time.
async function sentBy(late: ChildProcess): Promise<number> {
  if (late.exitCode !== null) throw new Error(`the backlog ended with ${late.exitCode}`);
  const answer = once(late, 'message', { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  late.send('stay');
  const [batches] = (await answer) as [number];
  return batches;
}

/** The slowest acknowledgement but one in a hundred, of units beside a unit's backlog and without it. */
export async function besideBacklog(): Promise<Result> {
  const product = await startProduct();
  const live = fork(path.join(import.meta.dirname, 'live-load.ts'));
  const late = fork(path.join(import.meta.dirname, 'backlog-load.ts'));
  try {
    const units = await setUpFleet(product.url, planOfStreet(UNITS + YEARS));
    const load: LiveLoad = {
      url: product.url,
      units: units
        .slice(0, UNITS)
        .map(({ credential }, index) => ({ credential, phaseS: phaseOf(index) })),
      everyMs: EVERY_MS,
      watched: [],
      date: new Date().toISOString().slice(0, 10),
      token: await signIn(product.url, 'admin'),
    };
    live.send(load);
    const credentials = units.slice(UNITS).map(({ credential }) => credential);
    const years: Backlog = { url: product.url, credentials };
    late.send(years);
    const counters = { 'backlog batches a second': 0, 'p50 beside it, ms': 0, 'p50 alone, ms': 0 };
    const round = async (): Promise<{ p50: number; p99: number }> => {
      await reportOf(live);
      await pause(ROUND_MS);
      const { acknowledgedMs, failures } = await reportOf(live);
      if (failures.length > 0) throw new Error(`the load met failures:\n${failures.join('\n')}`);
      return { p50: percentile(acknowledgedMs, 0.5), p99: percentile(acknowledgedMs, 0.99) };
    };
    const beside = async (): Promise<number> => {
      late.send('go');
      const { p50, p99 } = await round();
      const batches = await sentBy(late);
      counters['backlog batches a second'] = batches / (ROUND_MS / 1000);
      counters['p50 beside it, ms'] = p50;
      return p99;
    };
    const alone = async (): Promise<number> => {
      const { p50, p99 } = await round();
      counters['p50 alone, ms'] = p50;
      return p99;
    };
    const what = `p99 of acknowledgements of ${UNITS} units beside one that sends a year, ÷ without it`;
    return await interleave(
      { id: 'U3', what, unit: 'ms', target: '≤ 1.5', counters },
      beside,
      alone,
    );
  } finally {
    live.kill();
    late.kill();
    await product.remove();
  }
}
