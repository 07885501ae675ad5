// A lock for work on the project's folder: processes that start together from one folder take turns. It runs before
// anything is installed, so it imports only Node's modules.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const WAIT_LIMIT_MS = 15 * 60_000;
const POLL_MS = 200;

/**
 * Does work while no other process does any under the same lock. The lock is a folder that holds one file, named by the
 * process that has it; that of a dead process is taken over.
 * @param {string} lock path of the folder
 * @param {(line: string) => void} say tells the operator that it waits
 * @param {() => void} work
 * @throws Error when the other process takes longer than 15 minutes
 */
export function alone(lock, say, work) {
  take(lock, say);
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function take(lock, say) {
  const endMs = performance.now() + WAIT_LIMIT_MS;
  let isTold = false;
  while (!isFree(lock) && !isTakenOver(lock)) {
    const owner = ownerOf(lock) ?? 'unknown';
    if (performance.now() > endMs) {
      throw new Error(
        `Process ${owner} sets up this folder for longer than 15 minutes. End it, or delete ${lock}.`,
      );
    }
    if (!isTold) say(`Waiting for process ${owner}, which sets up the same folder …`);
    isTold = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

const fileOf = (lock, pid) => path.join(lock, String(pid));

function isFree(lock) {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(fileOf(lock, process.pid), '');
  return true;
}

// Of several that find a dead owner only one can rename its file.
function isTakenOver(lock) {
  const owner = ownerOf(lock);
  if (owner === undefined || (owner !== process.pid && isAlive(owner))) return false;
  try {
    renameSync(fileOf(lock, owner), fileOf(lock, process.pid));
    return true;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Undefined: another process has just made or removed it. */
function ownerOf(lock) {
  try {
    const [name] = readdirSync(lock);
    return name === undefined ? undefined : Number(name);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return error.code === 'EPERM';
  }
}
