import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode, reasonOf, StartError } from '../errors.ts';

/** The folder of the embedded database in a data folder. */
export function embeddedFolder(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}

/**
 * Creates a data folder unless it is there: it holds video, so other users of the machine may not enter it. An
 * existing one keeps its rights.
 * @throws StartError when it cannot be
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  // Under root the embedded database runs as another user, who must pass through.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    // In a call of its own: `mode` would apply to the folders above, too.
    await mkdir(path.dirname(dataDir), { recursive: true });
    await mkdir(dataDir, { recursive: true, mode });
  } catch (cause) {
    throw new StartError(`DATA_DIR is invalid: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * Locks a data folder for this process, so that two servers never write to one. The lock of a dead process is taken
 * over.
 * @returns releases the lock
 * @throws StartError that names the process that holds it, or says why the folder cannot be written
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  await makeDataDir(dataDir);
  const file = path.join(dataDir, 'server.pid');
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' });
      return () => rm(file, { force: true });
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) {
        throw new StartError(`DATA_DIR is invalid: ${reasonOf(error)}`, { cause: error });
      }
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
