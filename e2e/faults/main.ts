// npm run faults: kills, stops and starves the product under load and compares ledgers; see docs/operations.md.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { StartError } from '@ridewatch/server/src/core/errors.ts';
import { summarise } from './report.ts';
import { type Phase, phases, readRounds, runFaults } from './run.ts';

/** Rounds of the faults that the command line does not count. */
const TAKEN = 3;
const FULL = 3;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

await main().then(
  (isWell) => process.exit(isWell ? 0 : 1),
  (error: unknown) => {
    // A fault that the person at the keyboard can mend takes one sentence.
    const isMendable = error instanceof StartError || hasArgumentFault(error);
    process.stderr.write(`${isMendable ? error.message : inspect(error)}\n`);
    process.exit(1);
  },
);

async function main(): Promise<boolean> {
  const values = readOptions();
  const { seed, kills, stops, chosen } = values;
  const file = path.resolve(values.state);
  await mkdir(path.dirname(file), { recursive: true });
  if (values.fresh) await rm(file, { force: true });
  const count = (phase: Phase, wanted: number): number => (chosen.has(phase) ? wanted : 0);
  const sizes = {
    seed,
    counts: {
      database: count('database', kills),
      server: count('server', kills),
      stops: count('stops', stops),
      connections: count('connections', TAKEN),
      disk: count('disk', FULL),
    },
    stopS: 60,
    takenS: 20,
    fullS: 20,
    roundOf: 10,
  };
  const { lines, isWell } = summarise(
    values.report ? await readRounds(file) : await runFaults(sizes, file, say),
  );
  for (const line of lines) say(line);
  return isWell;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '200' },
      stops: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: phases.join(',') },
      state: { type: 'string', default: '.faults/state.json' },
      fresh: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
    },
  });
  const chosen = new Set(values.only.split(','));
  for (const name of chosen) {
    if (!phases.some((phase) => phase === name)) {
      throw new StartError(`--only: '${name}' is no phase.`);
    }
  }
  return {
    ...values,
    chosen,
    seed: numberOf('seed', values.seed),
    kills: numberOf('kills', values.kills),
    stops: numberOf('stops', values.stops),
  };
}

function numberOf(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new StartError(`--${name}: '${text}' is no number.`);
  return Number(text);
}

function hasArgumentFault(error: unknown): error is TypeError {
  return (
    error instanceof TypeError && 'code' in error && /^ERR_PARSE_ARGS/.test(String(error.code))
  );
}
