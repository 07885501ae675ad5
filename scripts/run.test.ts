import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isRunning } from '../harness/is-running.ts';

const root = path.resolve(import.meta.dirname, '..');
/** Says its number, and ends only by a signal. */
const PROGRAM = "console.log('runs as', process.pid); setInterval(() => {}, 1000);";

let folder: string;
let npm: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-run-'));
  const inFolder = (name: string): string => path.join(folder, name);
  for (const name of ['setup.mjs', 'alone.mjs', 'run.mjs'].map((one) => `scripts/${one}`)) {
    cpSync(path.join(root, name), inFolder(name));
  }
  const scripts = { start: 'node scripts/run.mjs program.mjs' };
  writeFileSync(inFolder('package.json'), JSON.stringify({ scripts }));
  writeFileSync(inFolder('program.mjs'), PROGRAM);
  // As set-up leaves them.
  mkdirSync(inFolder('node_modules'));
  for (const name of ['package-lock.json', 'node_modules/.ridewatch-installed']) {
    writeFileSync(inFolder(name), '{}');
  }
});
// A group of its own: what the signal did not reach ends here.
afterEach(() => {
  try {
    if (npm?.pid) process.kill(-npm.pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
  rmSync(folder, { recursive: true, force: true });
});

it('a program ends when the npm that started it is ended', async () => {
  npm = spawn('npm', ['start', '--silent'], {
    cwd: folder,
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: folder,
      FFMPEG_PATH: process.execPath,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let said = '';
  npm.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 20_000 }).toMatch(/^runs as \d+\n$/);
  const pid = Number(said.split(' ').at(-1));
  expect(isRunning(pid)).toBe(true);
  npm.kill('SIGTERM');
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});
