import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode, StartError } from '../errors.ts';

/**
 * Locks a data folder for this process, so that two servers never write to one. The lock of a dead process is taken
 * over.
 * @returns releases the lock
 * @throws StartError that names the process that holds it
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true });
  const file = path.join(dataDir, 'server.pid');
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' });
      return () => rm(file, { force: true });
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) throw error;
    }
    const owner = Number(await readFile(file, 'utf8'));
    if (owner > 0 && owner !== process.pid && isAlive(owner)) {
      throw new StartError(
        `The data folder ${dataDir} is in use by process ${owner}; set DATA_DIR to another one or stop that server.`,
      );
    }
    await rm(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return hasErrorCode(error, 'EPERM');
  }
}
