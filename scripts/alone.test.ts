// The lock of set-up: processes take turns, and none waits for one that has died.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = path.join(import.meta.dirname, 'alone.mjs');
let folder: string;
let begun: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-alone-'));
  begun = [];
});
afterEach(() => {
  for (const child of begun) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const inFolder = (...names: string[]): string => path.join(folder, ...names);
const lockedBy = (): string | undefined =>
  existsSync(inFolder('lock')) ? readdirSync(inFolder('lock'))[0] : undefined;

/** After this long a test waits for no owner that has died, ms. */
const SOON_MS = 400;
/** Longer than any test: a live owner that a busy machine delays keeps its lock. */
const NEVER_MS = 600_000;

/**
 * Begins a process that works under the lock, without a pause, until the file `gate` is there.
 * @param silentMs it takes the lock from an owner that is silent for this long
 */
function begin(silentMs = NEVER_MS) {
  const code = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { alone } from ${JSON.stringify(program)};
    alone('lock', console.log, () => {
      writeFileSync('working.' + process.pid, '');
      while (!existsSync('gate')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }, { silentMs: ${silentMs}, renewMs: 50 });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  begun.push(child);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    pid: child.pid,
    said: () => said,
    ended,
    isWorking: () => existsSync(inFolder(`working.${child.pid}`)),
  };
}
const letAllEnd = (): void => writeFileSync(inFolder('gate'), '');
const within = { timeout: 60_000 };

describe('the lock of set-up', () => {
  it('is taken from a process that died, though another one has got its number since', async () => {
    mkdirSync(inFolder('lock'));
    writeFileSync(inFolder('lock', `${process.pid}`), '');
    const next = begin(SOON_MS);
    await expect.poll(next.isWorking, within).toBe(true);
    expect(next.said()).toContain(`Waiting for process ${process.pid}`);
  });

  it('is free when the folder is empty', async () => {
    mkdirSync(inFolder('lock'));
    await expect.poll(begin().isWorking, within).toBe(true);
  });

  it('is renewed by a process that is too busy for anything else, and another one waits', async () => {
    const holder = begin();
    await expect.poll(holder.isWorking, within).toBe(true);
    const next = begin();
    await expect.poll(next.said, within).toContain(`Waiting for process ${holder.pid}`);
    const file = inFolder('lock', lockedBy() ?? '');
    for (let renewal = 0; renewal < 20; renewal += 1) {
      const { mtimeMs } = statSync(file);
      await expect.poll(() => statSync(file).mtimeMs, within).not.toBe(mtimeMs);
    }
    expect(next.isWorking()).toBe(false);
    letAllEnd();
    expect(await Promise.all([holder.ended, next.ended])).toEqual([0, 0]);
    expect(next.isWorking()).toBe(true);
  });

  it('leaves nothing behind', async () => {
    const [one, other] = [begin(), begin()];
    letAllEnd();
    expect(await Promise.all([one.ended, other.ended])).toEqual([0, 0]);
    expect(readdirSync(folder).sort()).toEqual(
      ['gate', `working.${one.pid}`, `working.${other.pid}`].sort(),
    );
  });

  it('stays with the process that has taken it, when the one before comes back and ends', async () => {
    const former = begin();
    await expect.poll(former.isWorking, within).toBe(true);
    rmSync(inFolder('lock'), { recursive: true });
    mkdirSync(inFolder('lock'));
    writeFileSync(inFolder('lock', `${process.pid}`), '');
    letAllEnd();
    expect(await former.ended).toBe(0);
    expect(lockedBy()).toBe(`${process.pid}`);
  });
});
