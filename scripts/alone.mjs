// A lock for work on the project's folder: processes that start together from one folder take turns. It runs before
// anything is installed, so it imports only Node's modules.
//
// The lock is a folder that holds one file, named by the process that has it. The folder is made elsewhere and moved
// into place, so it is never empty. A thread renews the file, because the work keeps the process busy; a file that is no
// longer renewed has lost its process, whatever has that number now.
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

const WAIT_LIMIT_MS = 15 * 60_000;
const POLL_MS = 200;
/** The owner of a file that stays unchanged for this long has died, ms. */
const SILENT_MS = 20_000;
const RENEW_MS = 1000;

/**
 * Does work while no other process does any under the same lock. The lock of a dead process is taken over.
 * @param {string} lock path of the folder
 * @param {(line: string) => void} say tells the operator that it waits
 * @param {() => void} work
 * @param {{ silentMs?: number, renewMs?: number }} times for tests
 * @throws Error when the other process takes longer than 15 minutes
 */
export function alone(lock, say, work, { silentMs = SILENT_MS, renewMs = RENEW_MS } = {}) {
  const name = `${process.pid}-${randomUUID()}`;
  take(lock, { name, say, silentMs });
  const renewing = renew(path.join(lock, name), renewMs);
  try {
    work();
  } finally {
    void renewing.terminate();
    release(lock, name);
  }
}

function take(lock, { name, say, silentMs }) {
  const endMs = performance.now() + WAIT_LIMIT_MS;
  let isTold = false;
  let seen = look(lock);
  while (!(seen === undefined ? isMade(lock, name) : isTakenOver(lock, seen, { name, silentMs }))) {
    const owner = seen?.pid ?? 'unknown';
    if (performance.now() > endMs) {
      throw new Error(
        `Process ${owner} sets up this folder for longer than 15 minutes. End it, or delete ${lock}.`,
      );
    }
    if (!isTold) say(`Waiting for process ${owner}, which sets up the same folder …`);
    isTold = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    seen = look(lock, seen);
  }
}

const asideOf = (lock, name) => `${lock}.${name}`;

function isMade(lock, name) {
  const aside = asideOf(lock, name);
  mkdirSync(aside);
  writeFileSync(path.join(aside, name), '');
  try {
    renameSync(aside, lock);
    return true;
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    // Another process was faster; Windows says EPERM or EACCES then.
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(error.code)) return false;
    throw error;
  }
}

/**
 * Looks at the owner of the lock.
 * @param seen what the last look saw
 * @returns its file, and since when this process has seen it unchanged; undefined when there is none
 */
function look(lock, seen) {
  try {
    const [owner] = readdirSync(lock);
    if (owner === undefined) return undefined;
    const { mtimeMs } = statSync(path.join(lock, owner));
    if (seen?.owner === owner && seen.mtimeMs === mtimeMs) return seen;
    // Not by the clock of the machine: it may be set, and stand still while the machine sleeps.
    return { owner, pid: Number.parseInt(owner, 10), mtimeMs, sinceMs: performance.now() };
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

// Only one of several that find a dead owner can rename its file.
function isTakenOver(lock, { owner, pid, sinceMs }, { name, silentMs }) {
  if (isAlive(pid) && performance.now() - sinceMs <= silentMs) return false;
  try {
    renameSync(path.join(lock, owner), path.join(lock, name));
    return true;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

function renew(file, renewMs) {
  const touch = `
    const { utimesSync } = require('node:fs');
    const { file, renewMs } = require('node:worker_threads').workerData;
    const renewing = setInterval(() => {
      try {
        utimesSync(file, new Date(), new Date());
      } catch {
        // Another process has taken the lock over.
        clearInterval(renewing);
      }
    }, renewMs);`;
  // Without the flags of this process: one may say that the text is a module.
  const options = { eval: true, execArgv: [], workerData: { file, renewMs } };
  const thread = new Worker(touch, options);
  thread.unref();
  return thread;
}

// Moved away first: a process that dies while it removes the folder leaves no empty one. Another process may have taken
// the lock over from one that was stopped for long.
function release(lock, name) {
  if (!existsSync(path.join(lock, name))) return;
  renameSync(lock, asideOf(lock, name));
  rmSync(asideOf(lock, name), { recursive: true, force: true });
}
