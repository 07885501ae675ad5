// Starts a whole product for one test or measurement: its own process, data folder and port, used over HTTP only.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Tokens } from '@ridewatch/contract/auth';
import type { FleetCredentials, FleetPlan } from '@ridewatch/contract/fleet';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import pg from 'pg';
import { SERVER_FLAGS } from '../scripts/server-flags.ts';
import { listDatabaseProcesses, readPostmaster, signal } from './postmaster.ts';
import { noteLogLine, watchEnd } from './story-faults.ts';

const root = path.resolve(import.meta.dirname, '..');
const START_LIMIT_MS = 60_000;
const POLL_MS = 50;

type Environment = Readonly<Record<string, string>>;

export interface Product {
  readonly url: string;
  readonly dataDir: string;
  /** Process id of the server; changes with a restart. */
  pid(): number;
  /** Stops the process gracefully. */
  stop(): Promise<void>;
  /** Kills the process; its embedded database continues. */
  kill(): Promise<void>;
  /** Kills the process and its embedded database, like a power cut. */
  cutPower(): Promise<void>;
  /** Sends a signal to all processes of the embedded database, or to one that serves a connection. */
  signalDatabase(signal: NodeJS.Signals, whom?: 'all' | 'one'): Promise<void>;
  /** Path of the link by which its first administrator is made, which the server prints at its start. */
  setupPath(): Promise<string>;
  /** Whether the server has ended. */
  hasEnded(): boolean;
  /** Starts it again with the same data and port. */
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/**
 * Starts a demo server without the simulated fleet. `dataDir` is an empty folder, by default a new one. `begun` is a
 * folder whose data are copied into it, by default those of a first start (prepared-data.ts) for a demo with a new folder.
 * `code` is the folder with the code, by default this one.
 */
export async function startProduct(
  options: {
    args?: readonly string[];
    env?: Environment | ((url: string) => Environment);
    dataDir?: string;
    begun?: string;
    code?: string;
  } = {},
): Promise<Product> {
  const code = options.code ?? root;
  const place = process.env.TEST_DATA ?? tmpdir();
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(place, 'ridewatch-product-')));
  const isNewDemo = options.args === undefined && options.dataDir === undefined;
  const begun = options.begun ?? (isNewDemo ? process.env.FIRST_START : undefined);
  if (begun) await copyData(begun, dataDir);
  // As root, the embedded database runs as another user, which must be able to enter the folder.
  await chmod(dataDir, 0o755);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let wantEnd = (): void => undefined;
  let setupPath = '';
  let child = await start();

  async function start(): Promise<ChildProcess> {
    const started = spawn(
      process.execPath,
      [...SERVER_FLAGS, path.join(code, 'server/src/main.ts'), ...(options.args ?? ['--demo'])],
      {
        cwd: code,
        env: {
          ...process.env,
          LOG_LEVEL: 'warn',
          // Nothing is loaded from the internet.
          TILE_URL: 'none',
          // Other programs may fill the rest of the machine's disk.
          DISK_CROWDED: '100',
          DISK_FULL: '100',
          // Products run beside each other; who needs such a port takes a free one.
          EGTS_PORT: '0',
          JT808_PORT: '0',
          JT1078_PORT: '0',
          FTP_PORT: '0',
          ...(typeof options.env === 'function' ? options.env(url) : options.env),
          PORT: String(port),
          HOST: '127.0.0.1',
          DATA_DIR: dataDir,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    wantEnd = watchEnd(started);
    createInterface(started.stdout).on('line', (line) => {
      process.stdout.write(`${line}\n`);
      noteLogLine(line);
    });
    createInterface(started.stderr).on('line', (line) => {
      process.stderr.write(`${line}\n`);
      setupPath = /\/setup#[\w-]+$/.exec(line)?.[0] ?? setupPath;
    });
    await waitFor(async () => {
      if (started.exitCode !== null) throw new Error(`the server ended with ${started.exitCode}`);
      return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true;
    }, 'the server to be ready');
    return started;
  }
  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    wantEnd();
    child.kill(signal);
    await ended;
  }
  return {
    url,
    dataDir,
    pid: () => child.pid ?? 0,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    cutPower: async () => {
      const processes = await listDatabaseProcesses({ dataDir });
      const ended = end('SIGKILL');
      for (const pid of processes) signal(pid, 'SIGKILL');
      await ended;
    },
    signalDatabase: async (name, whom = 'all') => {
      const [postmaster, ...children] = await listDatabaseProcesses({ dataDir });
      const whole = postmaster === undefined ? [] : [postmaster, ...children];
      // The newest child serves a connection; the oldest ones are background processes.
      for (const pid of whom === 'all' ? whole : children.slice(-1)) signal(pid, name);
    },
    setupPath: async () => {
      await waitFor(async () => setupPath !== '', 'the link of a new installation');
      return setupPath;
    },
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    restart: async () => {
      child = await start();
    },
    remove: async () => {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

// Files of the database belong to another user when this process is root's; only `cp` keeps that.
async function copyData(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') await cp(from, to, { recursive: true });
  else await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

/** Address of a product's embedded database, for direct queries. */
export async function databaseUrl({ dataDir }: Product): Promise<string> {
  const password = (await readFile(path.join(dataDir, 'postgres.password'), 'utf8')).trim();
  const port = (await readPostmaster({ dataDir }))[3];
  return `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/** The present of the stories and their products, as SQL; the database has the machine's clock. */
export const nowSql = (): string => `timestamptz '${new Date().toISOString()}'`;

/** Runs a statement on a product's embedded database, for rows that time alone would make. */
export async function queryOf<Row extends pg.QueryResultRow>(
  product: Product,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    return await client.query<Row>(text, [...values]);
  } finally {
    await client.end();
  }
}

/** Polls until the answer is true, because no event crosses processes. */
export async function waitFor(
  condition: () => Promise<boolean>,
  what: string,
  limitMs = START_LIMIT_MS,
): Promise<void> {
  const endMs = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > endMs) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Signs in. @returns the access token */
export async function signIn(url: string, login: string, password = 'demo'): Promise<string> {
  return (await tokensOf(url, login, password)).access_token;
}

/** Signs in. @returns both tokens */
export async function tokensOf(url: string, login: string, password = 'demo'): Promise<Tokens> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('ridewatch-web:').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'password', username: login, password }),
  });
  return (await expectOk(answer)) as Tokens;
}

/** Makes a call with a user's token. */
export async function ask<T>(
  url: string,
  token: string,
  method: string,
  address: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(url + address, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await expectOk(answer)) as T;
}

/** Sets up a fleet as the demo's administrator. */
export async function setUpFleet(url: string, plan: FleetPlan): Promise<FleetCredentials['units']> {
  const token = await signIn(url, 'admin');
  const { units } = await ask<FleetCredentials>(url, token, 'POST', '/api/fleet', plan);
  return units;
}

/** Sends one batch of a unit and expects every record to be acknowledged. */
export async function sendRecords(
  url: string,
  credential: string,
  records: readonly Readonly<Record<string, unknown>>[],
  stream = randomUUID(),
): Promise<{ stream: string; answer: BatchAnswer }> {
  const numbered = records.map((record, seq) => ({ seq, ...record }));
  const body = { stream, sent_at: new Date().toISOString(), records: numbered };
  const response = await fetch(`${url}/unit/v1/batches`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: gzipSync(JSON.stringify(body)),
  });
  const answer = (await expectOk(response)) as BatchAnswer;
  if (answer.refused.length > 0) throw new Error(`refused: ${JSON.stringify(answer.refused[0])}`);
  return { stream, answer };
}

async function expectOk(answer: Response): Promise<unknown> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
