// Runs the processes of a product: starts them in order, stops them in reverse order, and stops all when one of them
// ends.
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { root, say } from './setup.mjs';

const READY_LIMIT_MS = 120_000;
const POLL_MS = 100;

/** Port and data folder of the product, from the environment. */
export const port = process.env.PORT || '8080';
export const dataDir = path.resolve(process.env.DATA_DIR || './data');
const host = process.env.HOST || '127.0.0.1';
export const url = `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}`;

const children = new Map();
let stopping = false;

/**
 * Starts one process of the product.
 * @param {string} name its name in messages
 * @param {string} program
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, cwd?: string, onLine?: (line: string) => void }} options `onLine` gets each line of
 *   its standard output, which otherwise goes to ours
 */
export function run(name, program, args, { env, cwd = root, onLine }) {
  const child = spawn(program, args, {
    cwd,
    env,
    // A process group of its own: Ctrl-C reaches only this process, which stops all in order.
    detached: true,
    // By the channel the product notices when this process has died without stopping it.
    stdio: ['ignore', onLine === undefined ? 'inherit' : 'pipe', 'inherit', 'ipc'],
  });
  children.set(name, child);
  if (onLine !== undefined) forwardLines(child.stdout, onLine);
  child.once('exit', (code, signal) => {
    children.delete(name);
    if (stopping) return;
    say(`The ${name} ended (${signal ?? code}).`);
    void stop(1);
  });
}

/**
 * Makes the map of the demo.
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} the variables that show it; none if the environment names another ground
 */
export function makeDemoMap(node, env) {
  if (env.MAP_FILE || env.TILE_URL) return {};
  const MAP_FILE = path.join(dataDir, 'demo-map.pmtiles');
  execFileSync(node, ['unit/src/simulated/map/main.ts', MAP_FILE], { cwd: root, stdio: 'inherit' });
  // Its streets are made up, so no other source is named.
  return { MAP_FILE, TILE_ATTRIBUTION: '© Ridewatch' };
}

/**
 * Starts the fleet of the demo; prints its progress, then address and logins.
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 * @param {string} address of the screens
 */
export function runFleet(node, env, address) {
  say(`Ridewatch answers at ${address}; its fleet is being prepared.`);
  const file = 'unit/src/simulated/main.ts';
  run('fleet', node, [file, '--demo', '--url', url, '--data', dataDir], {
    env: { ...env, RIDEWATCH_PASSWORD: 'demo' },
    onLine: (line) => {
      if (line === 'ready') announce(address);
      else showProgress(line);
    },
  });
}

let shownPercent = '';

// The fleet reports every clip and every day of a bus; only changed percentages are printed.
function showProgress(line) {
  const percent = /^prepare (\d+ %)/.exec(line)?.[1];
  if (percent === undefined) say(line);
  else if (percent !== shownPercent) say(`  ${line.slice('prepare '.length)}`);
  shownPercent = percent ?? shownPercent;
}

function announce(address) {
  say('');
  say(`  Ridewatch is ready: ${address}`);
  say('  Sign in as admin, integrator, operator, owner1, owner2 or owner3; the password is demo.');
  say('  Ctrl-C stops it; the data stays in the data folder.');
  say('');
}

/** Checks PORT. @throws Error if it is not a port, or another program uses it, which would be taken for the server */
export async function expectFreePort() {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`PORT is invalid: '${port}' is not a port number.`);
  }
  await new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      const taken = error.code === 'EADDRINUSE';
      const sentence = `Port ${port} is in use by another program; set PORT to another one.`;
      reject(taken ? new Error(sentence) : error);
    });
    probe.listen(Number(port), host, () => probe.close(resolve));
  });
}

/** Waits until the server answers. */
export async function untilReady() {
  const endMs = Date.now() + READY_LIMIT_MS;
  while (!stopping) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    if (Date.now() > endMs) throw new Error('The server does not answer.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Runs the start of a product; stops everything at a signal or an error. */
export function supervise(main) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));
  main().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    void stop(1);
  });
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  for (const child of [...children.values()].reverse()) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  process.exit(code);
}

function forwardLines(stream, onLine) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) onLine(line);
  });
}
