import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

const commands = Object.entries(scripts).flatMap(([name, command]) => {
  const entry = /^node (\S+)/.exec(command)?.[1];
  return entry === undefined ? [] : [{ name, entry }];
});

/** Packages that a program loads before its first line runs, by the static imports of its files. */
function loadedPackages(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const specifiers = text.matchAll(/^(?:import|export)(?: [\w\s{},*]+ from)? '([^']+)';/gm);
  return [...specifiers].flatMap(([, specifier = '']) => {
    if (specifier.startsWith('node:')) return [];
    if (!specifier.startsWith('.')) return [`${path.relative(root, file)} imports ${specifier}`];
    const target = path.resolve(path.dirname(file), specifier);
    expect(existsSync(target), `${target} is there`).toBe(true);
    return loadedPackages(target, seen);
  });
}

test.each(commands)('npm run $name starts before anything is installed', ({ entry }) => {
  expect(loadedPackages(path.join(root, entry))).toEqual([]);
});

test('npm start and npm test are among the commands', () => {
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(['start', 'test']));
});

describe('commands in a folder where nothing is installed', () => {
  let folder: string;
  let begun: ChildProcess[];
  const inFolder = (name: string): string => path.join(folder, name);
  /** The commands that npm got, in order. */
  const calls = (): string =>
    existsSync(inFolder('calls')) ? readFileSync(inFolder('calls'), 'utf8') : '';
  const letNpmEnd = (): void => writeFileSync(inFolder('gate'), 'go');

  // An npm that installs nothing, and ends when the test says so.
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-setup-'));
    begun = [];
    const copied = ['setup.mjs', 'alone.mjs', 'run.mjs'].map((name) => `scripts/${name}`);
    for (const name of [...copied, 'package-lock.json', '.ci/run']) {
      cpSync(path.join(root, name), inFolder(name));
    }
    mkdirSync(inFolder('node_modules'));
    mkdirSync(inFolder('bin'));
    const npm = '#!/bin/sh\necho "$1" >> calls\ncat gate > /dev/null\n';
    writeFileSync(inFolder('bin/npm'), npm, { mode: 0o755 });
    execFileSync('mkfifo', [inFolder('gate')]);
  });
  afterEach(() => {
    for (const child of begun) kill(child);
    rmSync(folder, { recursive: true, force: true });
  });

  // With its npm.
  function kill({ pid, exitCode, signalCode }: ChildProcess): void {
    if (pid && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  }

  function begin() {
    const program = `(await import('${inFolder('scripts/setup.mjs')}')).setUp()`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env: { PATH: `${inFolder('bin')}:${process.env.PATH}`, FFMPEG_PATH: process.execPath },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    begun.push(child);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    return {
      said: () => said,
      ended: new Promise<number | null>((resolve) => child.once('exit', resolve)),
      kill: () => kill(child),
    };
  }

  test('install packages once, the others wait and say for whom', async () => {
    const first = begin();
    await expect.poll(calls).toBe('ci\n');
    const others = [begin(), begin()];
    for (const other of others) await expect.poll(other.said).toContain('Waiting for process');
    letNpmEnd();
    expect(await Promise.all([first, ...others].map(({ ended }) => ended))).toEqual([0, 0, 0]);
    expect(calls()).toBe('ci\n');
  });

  test('do not wait for one that was killed', async () => {
    const first = begin();
    await expect.poll(calls).toBe('ci\n');
    first.kill();
    await first.ended;
    const second = begin();
    await expect.poll(calls).toBe('ci\nci\n');
    letNpmEnd();
    expect(await second.ended).toBe(0);
    expect(existsSync(inFolder('.setting-up'))).toBe(false);
  });

  /** Runs a command of the folder, whose npm fails or says something. @returns its exit code and standard output */
  function run(npm: string, command: string, ...args: string[]) {
    writeFileSync(inFolder('bin/npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
    const PATH = `${inFolder('bin')}:${process.env.PATH}`;
    const env = { PATH, FFMPEG_PATH: process.execPath };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env });
    return { status, said: `${stdout}`, told: `${stderr}` };
  }

  test.each(['scripts/test.ts', 'scripts/test-long.ts'])(
    'say why set-up failed, and count one failure for %s',
    (program) => {
      const { status, said, told } = run('exit 1', process.execPath, 'scripts/run.mjs', program);
      expect([status, said]).toEqual([1, '0 passed, 1 failed\n']);
      expect(told).toContain('npm install failed');
    },
  );

  test('count nothing when set-up failed for a program that is no test', () => {
    const { status, said } = run('exit 1', process.execPath, 'scripts/run.mjs', 'scripts/start.ts');
    expect([status, said]).toEqual([1, '']);
  });

  test.each([
    ['counts', 'echo 7 passed, 0 failed', 0, '7 passed, 0 failed'],
    [
      'counts with a failure',
      'echo 6 passed, 1 failed, 2 skipped; exit 1',
      1,
      '6 passed, 1 failed, 2 skipped',
    ],
    ['no counts', 'echo It broke. >&2; exit 3', 3, '0 passed, 1 failed'],
    [
      'counts and then a notice',
      'echo 7 passed, 0 failed; echo npm notice >&2',
      0,
      '7 passed, 0 failed',
    ],
    ['no counts, as if all was well', 'echo Done.', 1, 'Done.\n0 passed, 1 failed'],
  ])('end the run of everything with counts when npm test gives %s', (_, npm, status, said) => {
    expect(run(npm, inFolder('.ci/run'))).toMatchObject({ status, said: `${said}\n` });
  });
});
