// What the processes of a product use, read from /proc: Linux alone tells it.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Product } from '../e2e/product.ts';

/** Linux counts in hundredths of a second, whatever its clock does (USER_HZ). */
const TICKS_A_SECOND = 100;

/** CPU-seconds since the start, user and system together. */
export interface CpuSeconds {
  readonly server: number;
  readonly database: number;
}

export interface Processes {
  readonly server: number;
  readonly database: number;
}

/** The numbers of a product's server and of the main process of its database. */
export async function processesOf({ dataDir, pid }: Product): Promise<Processes> {
  const lines = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  return { server: pid(), database: Number(lines.split('\n')[0]) };
}

/** What they have used so far, with the processes that they started, those included that have ended. */
export async function cpuOf({ server, database }: Processes): Promise<CpuSeconds> {
  const backends = await childrenOf(database);
  const own = await Promise.all(backends.map((pid) => ticksOf(pid)));
  return {
    server: (await ticksOf(server)) / TICKS_A_SECOND,
    database: [await ticksOf(database), ...own].reduce((a, b) => a + b) / TICKS_A_SECOND,
  };
}

/** Memory of a process that is in use, bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

// User and system time of the process and of its children that have ended; 0 for one that has just ended, which its
// parent has by then.
async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return 0;
  // The name before the last bracket may hold anything; utime, stime, cutime and cstime are the 14th to 17th value.
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return values.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
}
