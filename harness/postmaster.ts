// The processes of a product's embedded database.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

type Owner = { readonly dataDir: string };

/** The processes of the database, its first one first. */
export async function listDatabaseProcesses({ dataDir }: Owner): Promise<number[]> {
  const pid = Number((await readPostmaster({ dataDir }))[0]);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

/** Sends a signal to a process, if it has not ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process has just ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** The lines of the file by which the database says where it runs. */
export async function readPostmaster({ dataDir }: Owner): Promise<string[]> {
  return (await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
}
