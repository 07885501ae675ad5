// npm start: all set-up, then the product with its simulated fleet (--no-demo without). Further arguments go to the
// server. Ctrl-C stops both; when one dies the other is stopped too.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildWeb } from './build-web.mjs';
import { root, say, setUp } from './setup.mjs';

const arguments_ = process.argv.slice(2);
const demo = !arguments_.includes('--no-demo');
const serverArguments = arguments_.filter((argument) => argument !== '--no-demo');
const port = process.env.PORT || '8080';
const dataDir = path.resolve(process.env.DATA_DIR || './data');
const url = `http://${process.env.HOST && process.env.HOST !== '0.0.0.0' ? process.env.HOST : '127.0.0.1'}:${port}`;
const READY_LIMIT_MS = 120_000;

let stopping = false;
const children = new Map();

async function main() {
  const { node, env } = setUp();
  buildWeb(node);
  const environment = {
    ...process.env,
    ...env,
    // What a person wants to see here is the product's progress, not every request.
    LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
  };
  process.on('SIGINT', () => void stop(0));
  process.on('SIGTERM', () => void stop(0));
  run(
    'server',
    node,
    ['server/src/main.ts', ...(demo ? ['--demo'] : []), ...serverArguments],
    environment,
  );
  await untilReady();
  if (!demo) {
    say(`Ridewatch runs at ${url}`);
    return;
  }
  say(`Ridewatch answers at ${url}; its fleet is being prepared.`);
  run(
    'fleet',
    node,
    ['unit/src/simulated/main.ts', '--demo', '--url', url, '--data', dataDir],
    { ...environment, RIDEWATCH_PASSWORD: 'demo' },
    (line) => {
      if (line === 'ready') announce();
      else say(line);
    },
  );
}

function announce() {
  say('');
  say(`  Ridewatch is ready: ${url}`);
  say('  Sign in as admin, integrator, operator, owner1, owner2 or owner3; the password is demo.');
  say('  Ctrl-C stops it; the data stays in the data folder.');
  say('');
}

function run(name, node, args, env, onLine) {
  // Its own group: Ctrl-C reaches us alone, and we stop both in order.
  const child = spawn(node, args, {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', onLine === undefined ? 'inherit' : 'pipe', 'inherit'],
  });
  children.set(name, child);
  if (onLine !== undefined) {
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) onLine(line);
    });
  }
  child.once('exit', (code, signal) => {
    children.delete(name);
    if (stopping) return;
    say(`The ${name} ended (${signal ?? code}).`);
    void stop(1);
  });
}

async function untilReady() {
  const endMs = Date.now() + READY_LIMIT_MS;
  while (!stopping) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    if (Date.now() > endMs) throw new Error('The server does not answer.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  for (const name of ['fleet', 'server']) {
    const child = children.get(name);
    if (child === undefined) continue;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  process.exit(code);
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  void stop(1);
});
