// A run of faults: phases of rounds, each round with a comparison of the ledgers, kept in a file so that a run that was
// broken off goes on with the rounds that are missing.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasErrorCode, StartError } from '@ridewatch/server/src/core/errors.ts';
import { type Chance, chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import { type Product, startProduct } from '../../harness/product.ts';
import { createLoads, findPorts, type Ledgers } from './all-loads.ts';
import {
  fillDisk,
  killDatabase,
  killServer,
  mountDisk,
  stopDatabase,
  takeConnections,
} from './faults.ts';
import { type Health, lookAt } from './health.ts';
import { startProbe } from './probe.ts';

export const phases = ['database', 'server', 'stops', 'connections', 'disk'] as const;
export type Phase = (typeof phases)[number];

export interface FaultSizes {
  readonly seed: number;
  /** Faults of each phase. */
  readonly counts: Readonly<Record<Phase, number>>;
  /** How long the database is stopped, its connections are taken, its disk is full, s. */
  readonly stopS: number;
  readonly takenS: number;
  readonly fullS: number;
  /** Faults between two comparisons. */
  readonly roundOf: number;
  /** Rest before connections and memory are read, ms. */
  readonly restMs?: number;
}

export interface Round extends Ledgers {
  readonly phase: Phase;
  readonly faults: number;
  readonly answered: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly tooLong: number;
  readonly longestMs: number;
  readonly recoveryS: readonly number[];
  readonly before: Health;
  readonly after: Health;
  /** How often the server ended by itself. */
  readonly ends: number;
}

interface State {
  readonly sizes: FaultSizes;
  readonly rounds: Round[];
}

type Say = (line: string) => void;

/**
 * Runs what is missing of a run.
 * @param file keeps the rounds that are done; one of other sizes is refused
 * @param say told of every round
 * @returns all rounds, those of earlier starts too
 * @throws Error when the product does not recover; StartError when the file is of another run
 */
export async function runFaults(sizes: FaultSizes, file: string, say: Say): Promise<Round[]> {
  const state = await readState(file, sizes);
  for (const phase of phases) {
    const isDone = ({ rounds }: State): number =>
      rounds.filter((one) => one.phase === phase).reduce((sum, { faults }) => sum + faults, 0);
    if (isDone(state) >= sizes.counts[phase]) continue;
    await withProduct(phase, say, async (product, ports) => {
      const begun = { doneBefore: isDone(state), ports };
      await runPhase(product, phase, sizes, begun, async (round) => {
        state.rounds.push(round);
        await writeFile(file, JSON.stringify(state));
        say(describe(round, isDone(state), sizes));
      });
    });
  }
  return state.rounds;
}

/** The rounds that a run has come to so far. @throws StartError when there is no such file */
export async function readRounds(file: string): Promise<readonly Round[]> {
  const text = await readIfThere(file);
  if (text === undefined) throw new StartError(`${file} is not there: no run has kept anything.`);
  return (JSON.parse(text) as State).rounds;
}

// A file that is there and cannot be read is a fault: a run would overwrite it.
async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function readState(file: string, sizes: FaultSizes): Promise<State> {
  const text = await readIfThere(file);
  if (text === undefined) return { sizes, rounds: [] };
  const state = JSON.parse(text) as State;
  if (JSON.stringify(state.sizes) !== JSON.stringify(sizes)) {
    throw new StartError(`${file} is of another run; take it away, or ask for what it began.`);
  }
  return state;
}

function describe(round: Round, done: number, { counts }: FaultSizes): string {
  const { phase, records, videos, lost, doubled, byId, recoveryS, before, after } = round;
  return [
    `${phase} ${done}/${counts[phase]}: ${records} records, ${videos} videos, ${lost} lost, ${doubled} doubled`,
    ...Object.entries(byId).map(
      ([protocol, own]) => `${protocol} ${own.records}, ${own.lost} lost, ${own.doubled} doubled`,
    ),
    `slowest recovery ${Math.max(...recoveryS).toFixed(1)} s`,
    `connections ${before.connections} → ${after.connections}`,
    `memory ${before.memoryMb} → ${after.memoryMb} MB`,
  ].join('; ');
}

async function withProduct(
  phase: Phase,
  say: Say,
  work: (product: Product, ports: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const ports = await findPorts();
  const env = { LOG_LEVEL: 'fatal', ...ports };
  if (phase !== 'disk') {
    const product = await startProduct({ env });
    try {
      await work(product, ports);
    } finally {
      await product.signalDatabase('SIGCONT').catch(() => undefined);
      await product.remove();
    }
    return;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-disk-'));
  const unmount = await mountDisk(folder);
  if (unmount === undefined) {
    say('SKIPPED: a full disk takes root and the right to mount a tmpfs.');
  } else {
    const product = await startProduct({
      env: { ...env, DISK_CROWDED: '85', DISK_FULL: '98' },
      dataDir: folder,
    });
    try {
      await work(product, ports);
    } finally {
      await product.stop();
      await unmount();
    }
  }
  await rm(folder, { recursive: true, force: true });
}

async function runPhase(
  product: Product,
  phase: Phase,
  sizes: FaultSizes,
  { doneBefore, ports }: { doneBefore: number; ports: Readonly<Record<string, string>> },
  onRound: (round: Round) => Promise<void>,
): Promise<void> {
  const probe = startProbe(product.url);
  // A disk that fills up loses its oldest videos: that is what it should do, and no ledger of them can be kept.
  const withVideos = phase !== 'disk';
  const load = await createLoads(product, probe, { seed: sizes.seed, withVideos, ports });
  // The first batches fill caches and make partitions: memory is compared with what it is after them.
  await load.during(async () => {
    await load.untilBusy(chanceOf(sizes.seed, phase, 'first'));
    load.restartFaulty();
  });
  let before = await lookAt(product, sizes.restMs);
  let done = doneBefore;
  try {
    while (done < sizes.counts[phase]) {
      const faults = Math.min(sizes.roundOf, sizes.counts[phase] - done);
      const recoveryS: number[] = [];
      let ends = 0;
      probe.reset();
      await load.during(async () => {
        for (let fault = 0; fault < faults; fault += 1) {
          const chance = chanceOf(sizes.seed, phase, done + fault);
          await load.untilBusy(chance);
          load.killFaulty();
          probe.mark();
          const faultMs = performance.now();
          await inflict(product, phase, sizes, chance);
          // A killed process recovers from then on, a held-up one once it is let go.
          const overMs = phase === 'database' || phase === 'server' ? faultMs : performance.now();
          if (product.hasEnded()) {
            ends += 1;
            await product.restart();
          }
          load.restartFaulty();
          recoveryS.push(await probe.untilWell(overMs));
        }
      });
      const { answered, failures, tooLong, longestMs } = probe;
      const calls = { answered, failures, tooLong, longestMs };
      const after = await lookAt(product, sizes.restMs);
      const ledger = await load.compare();
      await onRound({ phase, faults, ...ledger, ...calls, recoveryS, before, after, ends });
      before = after;
      done += faults;
    }
  } finally {
    await load.close();
    await probe.stop();
  }
}

async function inflict(
  product: Product,
  phase: Phase,
  { stopS, takenS, fullS }: FaultSizes,
  chance: Chance,
): Promise<void> {
  if (phase === 'database') await killDatabase(product, chance);
  else if (phase === 'server') await killServer(product);
  else if (phase === 'stops') await stopDatabase(product, stopS);
  else if (phase === 'connections') await takeConnections(product, takenS);
  else await fillDisk(product, fullS);
}
