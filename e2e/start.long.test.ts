import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startFleet } from '../harness/fleet.ts';
import { isRunning } from '../harness/is-running.ts';
import { ask, databaseUrl, signIn, startProduct, waitFor } from '../harness/product.ts';
import { ZONE } from '../harness/zone.ts';

/** Number of demo buses; some of them drive at any hour. */
const BUSES = 4;
/** A bus with a door camera. */
const CAMERA_BUS = 'SIM-000004';
const CLIPS = 3;
const DRAIN_LIMIT_MS = 240_000;

/** The programs that `npm start` runs. */
const START = ['run.mjs', 'start.ts'].map((name) =>
  path.resolve(import.meta.dirname, '../scripts', name),
);

it('the server ends when what started it is killed, or npm is ended, and can be started again', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ridewatch-start-'));
  // As root, the embedded database runs as another user, which must be able to enter the folder.
  await chmod(dataDir, 0o755);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const start = async (program = process.execPath, args = START) => {
    const launcher = spawn(program, [...args, '--no-demo'], {
      cwd: path.resolve(import.meta.dirname, '..'),
      env: {
        ...process.env,
        ...{ EGTS_PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', FTP_PORT: '0' },
        ...{ PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir, PUBLIC_URL: '' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const shown = { out: '', errors: '' };
    launcher.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown.out += text;
    });
    launcher.stderr.setEncoding('utf8').on('data', (text: string) => {
      shown.errors += text;
    });
    // A failure names the output of the start.
    const isReady = async (): Promise<boolean> => {
      if (launcher.exitCode !== null) throw new Error(`it ended with ${launcher.exitCode}`);
      return shown.out.includes(`runs at ${url}\n`);
    };
    await waitFor(isReady, 'the server to be ready').catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(shown)}`);
    });
    return { launcher, shown };
  };
  try {
    const first = await start();
    // The link of the first administrator, which the terminal shows and nothing keeps.
    const said = new RegExp(`Nobody administers .+\n${url}/setup#([\\w-]{43})\n$`);
    await waitFor(async () => said.test(first.shown.errors), 'the link of a new installation');
    expect(first.shown.out).not.toContain('/setup');
    const token = said.exec(first.shown.errors)?.[1];
    const used = await fetch(`${url}/api/auth/setup-link`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, login: 'chief', password: 'the first password' }),
    });
    expect(used.status).toBe(204);
    first.launcher.kill('SIGKILL');
    await waitFor(async () => !(await answers()), 'the server to end');
    // Its lock stays until its database has stopped: a start before that is refused, and ends.
    await waitFor(async () => !existsSync(path.join(dataDir, 'server.pid')), 'its lock to go');
    const again = await start();
    expect(await signIn(url, 'chief', 'the first password')).not.toBe('');
    const ended = new Promise((resolve) => again.launcher.once('close', resolve));
    again.launcher.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(again.shown).toEqual({ out: expect.not.stringContaining('/setup'), errors: '' });
    // As a service manager ends what it runs: npm, whose shell passes no signal on.
    const byNpm = await start('npm', ['start', '--silent', '--']);
    const lines = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8');
    const databasePid = Number(lines.split('\n')[0]);
    expect(isRunning(databasePid)).toBe(true);
    byNpm.launcher.kill('SIGTERM');
    await waitFor(async () => !isRunning(databasePid), 'the database to end');
    expect(await answers()).toBe(false);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

it('an embedded database that is killed comes back, and the server with it', async () => {
  const product = await startProduct({ env: { LOG_LEVEL: 'error' } });
  try {
    const lines = await readFile(path.join(product.dataDir, 'postgres/postmaster.pid'), 'utf8');
    const isReady = async () => (await fetch(`${product.url}/readyz`)).ok;
    process.kill(Number(lines.split('\n')[0]), 'SIGKILL');
    await waitFor(async () => !(await isReady()), 'the server to notice');
    await waitFor(isReady, 'the server to be ready again');
    expect(await signIn(product.url, 'admin')).not.toBe('');
  } finally {
    await product.remove();
  }
});

it('the fleet of the demo starts at this hour: clips become playable, and the queue drains', async () => {
  const product = await startProduct();
  const fleet = await startFleet(product, BUSES);
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    const token = await signIn(product.url, 'admin');
    const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
    const busId = fleet.busIds.get(CAMERA_BUS);
    const address = `/api/segments/day-segments?workplaceId=${busId}&date=${yesterday}`;
    const dayOfBus = () => ask<DayFragments>(product.url, token, 'GET', address);
    const wanted = (await dayOfBus()).segments.slice(0, CLIPS).map(({ id }) => id);
    expect(wanted).toHaveLength(CLIPS);
    for (const id of wanted) {
      await ask(product.url, token, 'PATCH', `/api/segments/set-downloading/${id}`);
    }
    let clips: Fragment[] = [];
    await waitFor(
      async () => {
        clips = (await dayOfBus()).segments.filter(({ id }) => wanted.includes(id));
        return clips.every(({ status }) => status === 'PROCESSED');
      },
      'the clips to be counted',
      DRAIN_LIMIT_MS,
    );
    for (const { playback_uri } of clips) {
      const answer = await fetch(product.url + playback_uri, { headers: { range: 'bytes=0-99' } });
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([206, 100]);
    }
    // The fleet keeps causing jobs, so only those that are due by now count.
    const { rows: moments } = await client.query<{ now: Date }>('select now()');
    const begun = moments[0]?.now;
    await waitFor(
      async () => {
        const { rows } = await client.query<{ left: string }>(
          'select count(*) as left from graphile_worker.jobs where run_at <= $1',
          [begun],
        );
        return Number(rows[0]?.left) === 0;
      },
      'the queue to drain',
      DRAIN_LIMIT_MS,
    );
  } finally {
    await client.end();
    await fleet.stop();
    await product.remove();
  }
}, 600_000);
