import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { insertTestUser } from './test/fleet.ts';
import { createTestDatabase } from './test/test-database.ts';

const MAIN = path.resolve(import.meta.dirname, 'main.ts');
const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-main-'));
// As root, the embedded database runs as another user, which must be able to enter the folder.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...process.env, LOG_LEVEL: 'silent', ...env },
    encoding: 'utf8',
    // For a start that succeeds.
    timeout: 30_000,
  });
  return { status, stderr };
}

describe('a start that cannot be', () => {
  it.each([
    ['a port that is none', { PORT: 'abc' }, [], /^PORT is invalid: must be a port number\n$/],
    [
      'a public address with a path',
      { PUBLIC_URL: 'https://a.example/b' },
      [],
      /^PUBLIC_URL is .+\n$/,
    ],
    ['a public address without a scheme', { PUBLIC_URL: 'a.example' }, [], /^PUBLIC_URL is .+\n$/],
    ['a pool without a number', { DATABASE_POOL: 'x' }, [], /^DATABASE_POOL is invalid: .+\n$/],
    ['a pool of none', { DATABASE_POOL: '0' }, [], /^DATABASE_POOL is invalid: .+\n$/],
    [
      'a clock that is off by no number',
      { CLOCK_OFFSET_MS: '3 h' },
      [],
      /^CLOCK_OFFSET_MS is .+\n$/,
    ],
    ['a proxy by name', { TRUST_PROXY: 'localhost' }, [], /^TRUST_PROXY is invalid: must be .+\n$/],
    ['a number of proxies', { TRUST_PROXY: '1' }, [], /^TRUST_PROXY is invalid: must be .+\n$/],
    ['a mail server without a host', { SMTP_URL: 'smtp://' }, [], /^SMTP_URL is invalid: .+\n$/],
    ['a file as data folder', { DATA_DIR: MAIN }, [], /^DATA_DIR is invalid: .*main\.ts.*\n$/],
    ['no ffmpeg where it should be', { FFMPEG_PATH: '/no/ffmpeg' }, [], /^FFMPEG_PATH is .+\n$/],
    ['an unknown role', {}, ['--roles', 'driver'], /^--roles: 'driver' is not one of .+\n$/],
    ['an unknown argument', {}, ['--bogus'], /^Unknown option '--bogus'.*\n$/],
  ])('with %s ends with one sentence', (_name, env, args, sentence) => {
    expect(start({ ...env }, args)).toEqual({
      status: 1,
      stderr: expect.stringMatching(sentence),
    });
  });
});

describe('a start with a database that cannot be used', () => {
  const startWith = (url: string) =>
    start({ DATABASE_URL: url, DATA_DIR: path.join(folder, 'other'), PORT: '0' });
  const changed = (change: Partial<URL>): string =>
    Object.assign(new URL(inject('postgresUrl')), change).href;

  it.each([
    ['a wrong password', { password: 'not-this' }, 'password authentication failed'],
    ['no such database', { pathname: '/nowhere' }, 'database "nowhere" does not exist'],
    ['nothing that listens', { port: '1' }, 'ECONNREFUSED'],
    ['nothing that listens by that name', { hostname: 'localhost', port: '1' }, 'ECONNREFUSED'],
  ])('with %s ends with one sentence, which tells no password', (_name, change, reason) => {
    const url = changed(change);
    const { status, stderr } = startWith(url);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The database does not open \(DATABASE_URL\): .+\n$/);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain(new URL(url).password);
  });

  it('of another encoding than UTF8 says how to make one', async () => {
    const admin = new pg.Client(inject('postgresUrl'));
    await admin.connect();
    await admin.query(`create database ascii encoding 'SQL_ASCII' locale 'C' template template0`);
    const { status, stderr } = startWith(changed({ pathname: '/ascii' }));
    await admin.query('drop database ascii');
    await admin.end();
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The database \(DATABASE_URL\) has the encoding SQL_ASCII\..+UTF8.+\n$/,
    );
  });

  it('of a newer version says what to do', async () => {
    const database = await createTestDatabase();
    await database.pool.query("insert into migrations (name) values ('9999-later.sql')");
    const { status, stderr } = startWith(database.url);
    await database.drop();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The database is of a newer version: .+\n$/);
  });
});

describe('a start', () => {
  /** Starts the server, and stops it once it is ready. @returns all that it printed */
  async function printedBy(url: string) {
    const dataDir = path.join(folder, randomUUID());
    const child = spawn(process.execPath, [MAIN], {
      env: {
        ...process.env,
        ...{ LOG_LEVEL: 'info', DATABASE_URL: url, DATA_DIR: dataDir },
        ...{ HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: 'https://buses.example' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const errors = text(child.stderr);
    let stdout = '';
    for await (const line of createInterface(child.stdout)) {
      stdout += `${line}\n`;
      if (line.includes('"msg":"ready"')) child.kill('SIGTERM');
    }
    return { stderr: await errors, stdout };
  }

  it('of an empty installation prints one link to standard error, and no other secret', async () => {
    const database = await createTestDatabase('template1');
    const { stderr, stdout } = await printedBy(database.url);
    expect(stderr).toMatch(
      /^Nobody administers this installation yet\. Open this link once, within 24 hours:\nhttps:\/\/buses\.example\/setup#[\w-]{43}\n$/,
    );
    expect(stdout).toMatch(/"msg":"ready"}\n(.*\n)*.*"msg":"stopping"}\n/);
    const { rows } = await database.pool.query<{ secret: string }>(
      `select encode(secret, kind) as secret from signing_keys, unnest('{hex,base64}'::text[]) as kind`,
    );
    await database.drop();
    const token = stderr.trim().split('#')[1] ?? '';
    const secrets = [token, new URL(database.url).password, ...rows.map(({ secret }) => secret)];
    expect(secrets.length).toBeGreaterThan(2);
    expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
  });

  it('of an installation with an administrator prints nothing but the log', async () => {
    const database = await createTestDatabase();
    await insertTestUser(database.db, 'chief', 'ADMIN', null);
    const { stderr, stdout } = await printedBy(database.url);
    await database.drop();
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^({.+}\n)+$/);
    expect(stdout).not.toContain('/setup');
  });
});

describe('a start that fails after its embedded database runs', () => {
  const dataDir = path.join(folder, 'data');
  it('stops that database', () => {
    const { status, stderr } = start({
      ...{ DATABASE_URL: '', DATA_DIR: dataDir, PORT: '0', HOST: 'nowhere.invalid' },
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^HOST or PORT is invalid: .*nowhere\.invalid.*\n$/),
    });
    expect(existsSync(path.join(dataDir, 'postgres/PG_VERSION'))).toBe(true);
    expect(existsSync(path.join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });

  it('has made folders that other users of the machine may not read', () => {
    const readable = ['', 'postgres', 'media', 'work'].filter(
      (name) => (statSync(path.join(dataDir, name)).mode & 0o066) !== 0,
    );
    expect(readable).toEqual([]);
  });
});
