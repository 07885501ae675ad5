// node scripts/run.mjs scripts/measure-demo.ts [MINUTES]: starts the demo with an empty data folder of its own, measures the processor
// time of all its processes until it is ready and in each minute after that, and stops it.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ownPorts } from './own-ports.ts';
import { root, say } from './setup.mjs';

const MINUTES = Number(process.argv[2] ?? 21);
const MINUTE_MS = 60_000;
/** Kernel ticks a second (sysconf _SC_CLK_TCK), 100 on every Linux that Node runs on. */
const TICKS = 100;

const dataDir = mkdtempSync(path.join(tmpdir(), 'ridewatch-demo-'));
// As root, the embedded database runs as another user, which must be able to enter the folder.
chmodSync(dataDir, 0o755);
const ports = await ownPorts();
const startMs = performance.now();
const child = spawn(
  process.execPath,
  ['run.mjs', 'start.ts'].map((name) => path.join(root, 'scripts', name)),
  {
    env: { ...process.env, ...ports, DATA_DIR: dataDir, TILE_URL: 'none' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
process.once('SIGINT', () => child.kill('SIGTERM'));
const ended = new Promise((resolve) => child.once('exit', resolve));
await Promise.race([readyLine(child.stdout), ended]);
let lastSeconds = processorSeconds();
say(
  `ready after ${((performance.now() - startMs) / 1000).toFixed(0)} s, with ${lastSeconds.toFixed(0)} s of processor time`,
);
for (let minute = 1; minute <= MINUTES && child.exitCode === null; minute += 1) {
  await Promise.race([new Promise((resolve) => setTimeout(resolve, MINUTE_MS)), ended]);
  const seconds = processorSeconds();
  const cores = ((seconds - lastSeconds) / (MINUTE_MS / 1000)).toFixed(2);
  say(
    `minute ${minute}: ${cores} cores (the machine: load ${loadavg()[0]?.toFixed(1)} on ${cpus().length})`,
  );
  lastSeconds = seconds;
}
child.kill('SIGTERM');
await ended;
rmSync(dataDir, { recursive: true, force: true });

/** Processor time of the demo's processes and of those that they have waited for, s. */
function processorSeconds(): number {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = readStat(name);
    if (fields === undefined) continue;
    parents.set(Number(name), Number(fields[1]));
    // utime, stime, cutime, cstime
    ticks.set(
      Number(name),
      fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    );
  }
  const roots = new Set([child.pid, databasePid()]);
  const isOurs = (pid: number): boolean => {
    for (let at = pid; at > 1; at = parents.get(at) ?? 0) if (roots.has(at)) return true;
    return false;
  };
  const own = [...ticks].filter(([pid]) => isOurs(pid));
  return own.reduce((sum, [, count]) => sum + count, 0) / TICKS;
}

// The fields after the name, which may contain spaces; undefined for a process that has ended.
function readStat(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

// The database is a process of its own, which the server does not wait for.
function databasePid(): number {
  return Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

// Resolves when the demo is ready; prints what its fleet says of the history.
function readyLine(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    createInterface({ input: stream }).on('line', (line) => {
      if (line.includes('Ridewatch is ready')) resolve();
      if (/^(history|takings):/.test(line)) say(line);
    });
  });
}
