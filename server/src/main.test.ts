import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from './core/config.ts';
import { migrate } from './core/db/db.ts';
import { StartError } from './core/errors.ts';
import { MAIN, printedBy } from './test/printed-start.ts';
import { createTestDatabase } from './test/test-database.ts';

const folder = mkdtempSync(path.join(inject('data'), 'ridewatch-main-'));
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
    ['a public address with a path', { PUBLIC_URL: 'https://a.example/b' }, /^PUBLIC_URL is .+$/],
    ['a public address without a scheme', { PUBLIC_URL: 'a.example' }, /^PUBLIC_URL is .+$/],
    ['a pool without a number', { DATABASE_POOL: 'x' }, /^DATABASE_POOL is invalid: .+$/],
    ['a pool of none', { DATABASE_POOL: '0' }, /^DATABASE_POOL is invalid: .+$/],
    ['a clock that is off by no number', { CLOCK_OFFSET_MS: '3 h' }, /^CLOCK_OFFSET_MS is .+$/],
    ['a proxy by name', { TRUST_PROXY: 'localhost' }, /^TRUST_PROXY is invalid: must be .+$/],
    ['a number of proxies', { TRUST_PROXY: '1' }, /^TRUST_PROXY is invalid: must be .+$/],
    ['a mail server without a host', { SMTP_URL: 'smtp://' }, /^SMTP_URL is invalid: .+$/],
  ])('with %s has a sentence for it', (_name, env, sentence) => {
    expect(() => readConfig(env)).toThrow(StartError);
    expect(() => readConfig(env)).toThrow(sentence);
  });

  it.each([
    ['a port that is none', { PORT: 'abc' }, [], /^PORT is invalid: must be a port number\n$/],
    [
      'a port of two settings',
      { EGTS_PORT: '20400', JT808_PORT: '20400', PORT: '0', DATA_DIR: path.join(folder, 'ports') },
      [],
      /^JT808_PORT is invalid: EGTS_PORT has the port 20400 already\n$/,
    ],
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
    ['nothing that listens', { port: '1' }, 'ECONNREFUSED'],
  ])('with %s ends with one sentence, which tells no password', (_name, change, reason) => {
    const url = changed(change);
    const { status, stderr } = startWith(url);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The database does not open \(DATABASE_URL\): .+\n$/);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain(new URL(url).password);
  });

  // The first step of the start.
  const expectSentence = async (url: string, sentence: RegExp) => {
    await expect(migrate(url)).rejects.toThrow(StartError);
    await expect(migrate(url)).rejects.toThrow(sentence);
  };

  it.each([
    ['no such database', { pathname: '/nowhere' }, /^The database does not open .+"nowhere" does/],
    [
      'nothing that listens by that name',
      { hostname: 'localhost', port: '1' },
      /^The database does not open .+ECONNREFUSED/,
    ],
  ])('with %s has a sentence for it', (_name, change, sentence) =>
    expectSentence(changed(change), sentence),
  );

  it('of another encoding than UTF8 says how to make one', async () => {
    const admin = new pg.Client(inject('postgresUrl'));
    await admin.connect();
    await admin.query(`create database ascii encoding 'SQL_ASCII' locale 'C' template template0`);
    const sentence = /^The database \(DATABASE_URL\) has the encoding SQL_ASCII\..+UTF8.+$/;
    await expectSentence(changed({ pathname: '/ascii' }), sentence);
    await admin.query('drop database ascii');
    await admin.end();
  });

  it('of a newer version says what to do', async () => {
    const database = await createTestDatabase();
    await database.pool.query("insert into migrations (name) values ('9999-later.sql')");
    await expectSentence(database.url, /^The database is of a newer version: .+$/);
    await database.drop();
  });
});

describe('a start', () => {
  it('of an empty installation prints one link to standard error, and no other secret', async () => {
    const database = await createTestDatabase('template1');
    const { stderr, stdout } = await printedBy({
      ...process.env,
      ...{ DATABASE_URL: database.url, DATA_DIR: path.join(folder, 'empty') },
    });
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
