// npm run faults: kills, stops and starves the product under load and compares ledgers; see docs/operations.md.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { summarise } from './report.ts';
import { phases, type Round, readRounds, runFaults } from './run.ts';

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

/** Of the faults that are not counted by the command line. */
const TAKEN = 3;
const FULL = 3;

const numberOf = (name: string, text: string): number => {
  if (!/^\d+$/.test(text)) throw new Error(`--${name}: '${text}' is no number.`);
  return Number(text);
};
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const chosen = new Set(values.only.split(','));
for (const name of chosen) {
  if (!phases.some((phase) => phase === name)) throw new Error(`--only: '${name}' is no phase.`);
}
const count = (phase: (typeof phases)[number], wanted: number): number =>
  chosen.has(phase) ? wanted : 0;

const kills = numberOf('kills', values.kills);
const file = path.resolve(values.state);
await mkdir(path.dirname(file), { recursive: true });
if (values.fresh) await rm(file, { force: true });
const rounds = values.report ? await readRounds(file) : await run();
const { lines, isWell } = summarise(rounds);
for (const line of lines) say(line);
process.exit(isWell ? 0 : 1);

async function run(): Promise<readonly Round[]> {
  return runFaults(
    {
      seed: numberOf('seed', values.seed),
      counts: {
        database: count('database', kills),
        server: count('server', kills),
        stops: count('stops', numberOf('stops', values.stops)),
        connections: count('connections', TAKEN),
        disk: count('disk', FULL),
      },
      stopS: 60,
      takenS: 20,
      fullS: 20,
      roundOf: 10,
    },
    file,
    say,
  );
}
