// S1: how soon `npm start` answers and is ready with its simulated fleet. Packages are installed, the data folder is new.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ownPorts } from '../scripts/own-ports.ts';
import { type Bench, ofBudget } from './measure.ts';

const root = path.resolve(import.meta.dirname, '..');
/** Lines of the product, and within how many seconds it should print them. */
const GOALS = [
  { what: 'answers', says: 'Ridewatch answers at', most: 10 },
  { what: 'is ready with its fleet', says: 'Ridewatch is ready', most: 50 },
];

/** The programs that `npm start` runs. */
const START = ['run.mjs', 'start.ts'].map((name) => path.join(root, 'scripts', name));

/** Measures the start of the demo. */
export const demoStart: Bench = {
  ids: ['S1'],
  run: async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'ridewatch-start-'));
    // As root, the embedded database runs as another user, which must be able to enter the folder.
    await chmod(dataDir, 0o755);
    const beganMs = performance.now();
    const child = spawn(process.execPath, START, {
      env: {
        ...process.env,
        ...{ ...(await ownPorts()), DATA_DIR: dataDir, TILE_URL: 'none' },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      const saidMs = await readUntilReady(child);
      return GOALS.map(({ what, most }, at) => {
        const seconds = Math.round(((saidMs[at] ?? Number.NaN) - beganMs) / 100) / 10;
        return ofBudget({ id: 'S1', what: `npm start ${what}`, unit: 's' }, seconds, most);
      });
    } finally {
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

// When the product said each line of the goals. @throws Error if it ends before
async function readUntilReady(child: ChildProcess): Promise<number[]> {
  const saidMs: number[] = [];
  if (child.stdout === null) throw new Error('npm start has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const at = GOALS.findIndex(({ says }) => line.includes(says));
    if (at >= 0) saidMs[at] = performance.now();
    if (at === GOALS.length - 1) return saidMs;
  }
  throw new Error('npm start ended before it was ready');
}
