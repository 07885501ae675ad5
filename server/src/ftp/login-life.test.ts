// Logins by FTP over hours, beside newer ones, and while the database is away.
import { connect } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { limitsOf } from '../core/db/connections.ts';
import { openDatabase } from '../core/db/db.ts';
import { createLog } from '../core/log.ts';
import { FTP_LOGIN_MS } from '../fetching/ftp-logins.ts';
import { failTry } from '../fetching/tries.ts';
import { openDatabaseLink } from '../test/database-link.ts';
import { createFtpWorld, type FtpClient } from '../test/ftp.ts';
import { useWorld } from '../test/use-world.ts';

const FILE = Buffer.alloc(200_000, 'video');

const world = useWorld(createFtpWorld);
afterEach(() => world.endTest());

/** Opens a port for data. @returns the connection of it, once it is asked for */
const openLater = async (one: FtpClient) => {
  const port = Number(/\|(\d+)\|/.exec(await one.ask('EPSV'))?.[1]);
  return () => connect(port, '127.0.0.1').on('error', () => undefined);
};

describe('a login by FTP', () => {
  it('whose upload is slow lives on when its registrar is asked for other files', async () => {
    const port = await world.open();
    const slow = await world.announceNext();
    const login = await world.issue(slow, FILE.length);
    const one = await world.signedIn(port, login);
    for (const [from, to] of [
      [0, 100],
      [100, 200],
      [200, 300],
    ]) {
      world.server.clock.advance(FTP_LOGIN_MS - 1000);
      expect(await one.send(FILE.subarray(from, to), 'APPE a')).toMatch(/^451/);
    }
    await world.issue(await world.announceNext(), FILE.length);
    const again = await world.signedIn(port, login);
    expect(await again.send(FILE.subarray(300), 'APPE a')).toMatch(/^226/);
  });

  it.each([
    ['begins anew', 'NOOP', FILE],
    ['goes on', 'REST 1000', FILE.subarray(1000)],
  ])(
    'that ends before its data connection comes brings nothing when it %s',
    async (_name, prepare, bytes) => {
      const announced = await world.announceNext();
      const port = await world.open();
      const old = await world.signedIn(port, await world.issue(announced, FILE.length));
      expect(await old.send(FILE.subarray(0, 1000))).toMatch(/^451/);
      await old.ask(prepare);
      const connectOld = await openLater(old);
      expect(await old.ask('STOR a')).toMatch(/^150/);
      const next = await world.signedIn(port, await world.issue(announced, FILE.length));
      expect(await next.send(FILE.subarray(0, 2000))).toMatch(/^451/);
      const before = await world.uploadsOf(announced);
      connectOld().end(bytes);
      expect(await old.answer()).toBe('530 The login has ended.');
      expect(await world.uploadsOf(announced)).toEqual(before);
      expect(await next.send(FILE.subarray(2000), 'APPE a')).toMatch(/^226/);
    },
  );

  it('brings nothing while its unit is switched off', async () => {
    const announced = await world.announceNext();
    const port = await world.open();
    const login = await world.issue(announced, FILE.length);
    const one = await world.signedIn(port, login);
    await world.enable(false);
    const said = await one.send(FILE);
    const late = await (await world.client(port)).signIn(login);
    await world.enable(true);
    expect([said, late]).toEqual(['530 The login has ended.', '530 Wrong login or password.']);
    expect(await world.uploadsOf(announced)).toEqual([]);
    expect(await one.send(FILE)).toMatch(/^226/);
  });

  it('ends with the last attempt, and not with one before it', async () => {
    const announced = await world.announceNext();
    const one = await world.signedIn(await world.open(), await world.issue(announced, FILE.length));
    const fail = (isFinal: boolean) =>
      world.server.deps.database.db.transaction().execute((tx) =>
        failTry(tx, announced.fragmentId, {
          ...{ reason: 'unit_failed', atMs: world.server.clock.nowMs(), isFinal, keepsBytes: true },
        }),
      );
    expect(await one.send(FILE.subarray(0, 100))).toMatch(/^451/);
    await fail(false);
    expect(await one.send(FILE.subarray(100, 200), 'APPE a')).toMatch(/^451/);
    await fail(true);
    expect(await one.send(FILE)).toBe('530 The login has ended.');
  });

  it('may be tried again while the database is away, which is no fault of the server', async () => {
    const announced = await world.announceNext();
    const login = await world.issue(announced, FILE.length);
    const link = await openDatabaseLink(world.server.deps.database.url);
    const database = openDatabase(link.url, 2, limitsOf.ingest, () => undefined);
    onTestFinished(() => database.close());
    const log = createLog('silent');
    const error = vi.spyOn(log, 'error');
    const port = await world.open({}, { ...world.server.deps, database, log });
    const one = await world.signedIn(port, login);
    await link.close();
    expect(await one.ask('SIZE a')).toBe('450 Try again.');
    const late = await world.client(port);
    for (let tried = 0; tried < 4; tried += 1) {
      expect(await late.signIn(login)).toBe('450 Try again.');
    }
    expect(error).not.toHaveBeenCalled();
  });
});

describe('the FTP port', () => {
  it('closes a connection that leaves its login and does not sign in again', async () => {
    const announced = await world.announceNext();
    const login = await world.issue(announced, FILE.length);
    const one = await world.signedIn(await world.open({ loginMs: 1000 }), login);
    expect(await one.ask('USER another')).toMatch(/^331/);
    expect(await one.answer()).toMatch(/^421/);
    expect(await one.closed()).toBe(true);
  });

  it('takes connections from the addresses of JT/T 808 alone', async () => {
    const openFor = (jt808From: readonly string[]) => {
      const config = { ...world.server.deps.config, jt808From };
      return world.open({}, { ...world.server.deps, config });
    };
    await expect(world.client(await openFor(['10.0.0.0/8']))).rejects.toThrow('has ended');
    const one = await world.client(await openFor(['127.0.0.0/8']));
    expect(await one.ask('NOOP')).toMatch(/^200/);
  });
});
