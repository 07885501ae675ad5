// Resource use of a product's processes, from /proc of Linux.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Product } from '../harness/product.ts';

/** Unit of CPU times in /proc: hundredths of a second (USER_HZ). */
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

/** Process ids of a product's server and of its database's main process. */
export async function processesOf({ dataDir, pid }: Product): Promise<Processes> {
  const lines = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  return { server: pid(), database: Number(lines.split('\n')[0]) };
}

/** CPU time of both with all processes that they started, including ended ones. */
export async function cpuOf({ server, database }: Processes): Promise<CpuSeconds> {
  const backends = await childrenOf(database);
  const own = await Promise.all(backends.map((pid) => ticksOf(pid)));
  return {
    server: (await ticksOf(server)) / TICKS_A_SECOND,
    database: [await ticksOf(database), ...own].reduce((a, b) => a + b) / TICKS_A_SECOND,
  };
}

/** Resident memory of a process, bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

// User and system time of a process and of its ended children; 0 for a process that has just ended, whose time its
// parent has by then.
async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return 0;
  // The name before the last bracket may contain anything; utime, stime, cutime and cstime are the 14th to 17th value.
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return values.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
}
