// Runs the processes of a product: starts them in order, stops them in reverse order, and stops all when one of them
// ends.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { root, say } from './setup.mjs';

const READY_LIMIT_MS = 120_000;
const POLL_MS = 100;

/** Port and data folder of the product, from the environment. */
export const port = process.env.PORT || '8080';
export const dataDir = path.resolve(process.env.DATA_DIR || './data');
const host = process.env.HOST || '127.0.0.1';
export const url = `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}`;

const children = new Map<string, ChildProcess>();
let stopping = false;

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Gets each line of its standard output, which otherwise goes to ours. */
  readonly onLine?: (line: string) => void;
}

/**
 * Starts one process of the product.
 * @param name its name in messages
 * @param args of Node
 */
export function run(
  name: string,
  args: readonly string[],
  { env, cwd = root, onLine }: RunOptions,
): void {
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    // A process group of its own: Ctrl-C reaches only this process, which stops all in order.
    detached: true,
    // By the channel the product notices when this process has died without stopping it.
    stdio: ['ignore', onLine === undefined ? 'inherit' : 'pipe', 'inherit', 'ipc'],
  });
  children.set(name, child);
  if (onLine !== undefined && child.stdout) forwardLines(child.stdout, onLine);
  child.once('exit', (code, signal) => {
    children.delete(name);
    if (stopping) return;
    say(`The ${name} ended (${signal ?? code}).`);
    void stop(1);
  });
}

/**
 * Makes the map of the demo.
 * @returns the variables that show it; none if the environment names another ground
 */
export function makeDemoMap(env: NodeJS.ProcessEnv): Record<string, string> {
  if (env.MAP_FILE || env.TILE_URL) return {};
  const MAP_FILE = path.join(dataDir, 'demo-map.pmtiles');
  const program = 'unit/src/simulated/map/main.ts';
  execFileSync(process.execPath, [program, MAP_FILE], { cwd: root, stdio: 'inherit' });
  // Its streets are made up, so no other source is named.
  return { MAP_FILE, TILE_ATTRIBUTION: '© Ridewatch' };
}

/**
 * Starts the fleet of the demo; prints its progress, then address and logins.
 * @param address of the screens
 */
export function runFleet(env: NodeJS.ProcessEnv, address: string): void {
  say(`Ridewatch answers at ${address}; its fleet is being prepared.`);
  const file = 'unit/src/simulated/main.ts';
  run('fleet', [file, '--demo', '--protocols', '--url', url, '--data', dataDir], {
    env: { ...env, RIDEWATCH_PASSWORD: 'demo' },
    onLine: (line) => {
      if (line === 'ready') announce(address);
      else showProgress(line);
    },
  });
}

let shownPercent = '';

// The fleet reports every clip and every day of a bus; only changed percentages are printed.
function showProgress(line: string): void {
  const percent = /^prepare (\d+ %)/.exec(line)?.[1];
  if (percent === undefined) say(line);
  else if (percent !== shownPercent) say(`  ${line.slice('prepare '.length)}`);
  shownPercent = percent ?? shownPercent;
}

function announce(address: string): void {
  say('');
  say(`  Ridewatch is ready: ${address}`);
  say('  Sign in as admin, integrator, operator, owner1, owner2 or owner3; the password is demo.');
  say('  Ctrl-C stops it; the data stays in the data folder.');
  say('');
}

/** Checks PORT. @throws Error if it is not a port, or another program uses it, which would be taken for the server */
export async function expectFreePort(): Promise<void> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`PORT is invalid: '${port}' is not a port number.`);
  }
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const sentence = `Port ${port} is in use by another program; set PORT to another one.`;
      reject(new Error(taken ? sentence : `HOST or PORT is invalid: ${error.message}`));
    });
    probe.listen(Number(port), host, () => probe.close(() => resolve()));
  });
}

/** Waits until the server answers. */
export async function untilReady(): Promise<void> {
  const endMs = Date.now() + READY_LIMIT_MS;
  while (!stopping) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    if (Date.now() > endMs) throw new Error('The server does not answer.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Runs the start of a product; stops everything at a signal, at an error, or when what started it has died. */
export function supervise(main: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));
  process.once('disconnect', () => void stop(0));
  main().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    void stop(1);
  });
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const child of [...children.values()].reverse()) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  process.exit(code);
}

function forwardLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}
