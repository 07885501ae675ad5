// The refusals of the FTP port, and how much of the server a connection can use.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rename, symlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../core/config.ts';
import { endFtpLogin, type IssuedFtpLogin } from '../fetching/ftp-logins.ts';
import { dropUploads } from '../fetching/tries.ts';
import { mediaFolder } from '../storage/open.ts';
import { createFtpWorld } from '../test/ftp.ts';
import { useWorld } from '../test/use-world.ts';
import { type Announced, stateOf } from '../test/video.ts';
import { makeFtpListener } from './listener.ts';

const FILE = Buffer.alloc(200_000, 'video');
const roomy = { totalBytes: 2e12, freeBytes: 1e12 };

const world = useWorld(createFtpWorld);
afterEach(async () => {
  world.server.disk.set(roomy);
  await world.endTest();
});

const issue = (announced: Announced, sizeBytes = FILE.length) => world.issue(announced, sizeBytes);
const signedIn = async (port: number, login?: IssuedFtpLogin) =>
  world.signedIn(port, login ?? (await issue(await world.announceNext())));

describe('a login by FTP', () => {
  it('is refused in the same words whether its name or its password is wrong', async () => {
    const port = await world.open();
    const { login, password } = await issue(await world.announceNext());
    const said = [];
    for (const wrong of [
      { login, password: 'wrong' },
      { login: 'a'.repeat(16), password },
      { login: `${login}\0`, password },
    ]) {
      said.push(await (await world.client(port)).signIn(wrong));
    }
    expect(new Set(said)).toEqual(new Set(['530 Wrong login or password.']));
  });

  it('closes the connection after three wrong passwords', async () => {
    const one = await world.client(await world.open());
    const wrong = { login: 'a'.repeat(16), password: 'b' };
    await one.signIn(wrong);
    await one.signIn(wrong);
    expect(await one.signIn(wrong)).toMatch(/^421/);
    expect(await one.closed()).toBe(true);
  });

  it('is asked for before anything but talk', async () => {
    const one = await world.client(await world.open());
    for (const said of ['PASV', 'EPSV', 'STOR a', 'APPE a', 'SIZE a', 'LIST', 'REST 1', 'CWD /']) {
      expect(await one.ask(said)).toBe('530 Sign in first.');
    }
    expect(await one.ask('FEAT')).toMatch(/^211-/);
  });

  it('ends when its file is whole, and gives no second file meanwhile', async () => {
    const port = await world.open();
    const announced = await world.announceNext();
    const login = await issue(announced);
    const one = await signedIn(port, login);
    expect(await one.send(FILE)).toMatch(/^226/);
    expect(await one.send(FILE, 'STOR other.mp4')).toBe('550 The file has come.');
    expect(await (await world.client(port)).signIn(login)).toMatch(/^530/);
    expect(await world.uploadsOf(announced)).toHaveLength(1);
  });

  it('ends when its fragment gets another one, also for who has signed in', async () => {
    const port = await world.open();
    const announced = await world.announceNext();
    const first = await issue(announced);
    const one = await signedIn(port, first);
    const second = await issue(announced);
    expect(await one.send(FILE)).toBe('530 The login has ended.');
    expect(await (await world.client(port)).signIn(first)).toMatch(/^530/);
    expect(await (await signedIn(port, second)).send(FILE)).toMatch(/^226/);
    await endFtpLogin(world.server.deps.database.db, announced.fragmentId);
    expect(await (await world.client(port)).signIn(second)).toMatch(/^530/);
  });

  it('brings its own fragment alone, whatever the file is called', async () => {
    const [own, other] = [await world.announceNext(), await world.announceNext()];
    await issue(other);
    const one = await signedIn(await world.open(), await issue(own));
    expect(await one.send(FILE, `STOR /../${other.fragmentId}.mp4`)).toMatch(/^226/);
    expect([await world.uploadsOf(own), await world.uploadsOf(other)]).toMatchObject([[{}], []]);
  });

  it('of a video that nobody wants any more brings nothing', async () => {
    const announced = await world.announceNext('kept');
    const one = await signedIn(await world.open(), await issue(announced));
    expect(await one.send(FILE)).toBe('550 The video is not wanted.');
    expect(await world.uploadsOf(announced)).toEqual([]);
  });
});

describe('the FTP port', () => {
  it('is not opened where it is switched off', () => {
    const { deps } = world.server;
    expect(makeFtpListener({ ...deps, config: { ...deps.config, ftpPort: 0 } })).toBeNull();
  });

  it.each([
    ['FTP_PASSIVE_PORTS', '20199-20100'],
    ['FTP_PASSIVE_PORTS', '20100'],
    ['FTP_PASSIVE_PORTS', '20100-22000'],
    ['FTP_PASSIVE_PORTS', '65500-65600'],
    ['UNIT_PUBLIC_HOST', 'ftp://a.example'],
  ])('stops the start when %s is %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} is invalid: must be`));
  });

  it('lists nothing, gives nothing out, changes nothing, and never connects by itself', async () => {
    const one = await signedIn(await world.open());
    const said = ['LIST', 'NLST', 'MLSD', 'MLST a', 'RETR a', 'DELE a', 'RMD a', 'MDTM a'];
    for (const line of said) expect(await one.ask(line)).toMatch(/^550/);
    const victim = createServer().listen(0, '127.0.0.1');
    await once(victim, 'listening');
    const came = vi.fn();
    victim.on('connection', came);
    const { port } = victim.address() as { port: number };
    const [high, low] = [Math.floor(port / 256), port % 256];
    expect(await one.ask(`PORT 127,0,0,1,${high},${low}`)).toMatch(/^502/);
    expect(await one.ask(`EPRT |1|127.0.0.1|${port}|`)).toMatch(/^502/);
    expect(await one.ask('STOR a')).toMatch(/^425/);
    expect(await one.ask('AUTH TLS')).toMatch(/^502/);
    expect(await one.ask('NOOP')).toMatch(/^200/);
    expect(came).not.toHaveBeenCalled();
    await new Promise((resolve) => victim.close(resolve));
  });

  it('takes a data connection from the address of the registrar alone', async () => {
    const announced = await world.announceNext();
    const one = await signedIn(await world.open(), await issue(announced));
    const port = Number(/\|(\d+)\|/.exec(await one.ask('EPSV'))?.[1]);
    const stranger = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    stranger.on('error', () => undefined).resume();
    await once(stranger, 'close');
    const own = connect(port, '127.0.0.1');
    expect(await one.ask('STOR a')).toMatch(/^150/);
    own.end(FILE);
    expect(await one.answer()).toMatch(/^226/);
  });

  it('says that no port is free for data, and gives one free again when its time is over', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as { port: number };
    await new Promise((resolve) => free.close(resolve));
    const config = { ...world.server.deps.config, ftpPassivePorts: { first: port, last: port } };
    const at = await world.open({ dataMs: 300 }, { ...world.server.deps, config });
    const [one, other] = [await signedIn(at), await signedIn(at)];
    expect(await one.ask('EPSV')).toMatch(/^229/);
    expect(await other.ask('EPSV')).toMatch(/^425/);
    await vi.waitFor(async () => expect(await other.ask('EPSV')).toMatch(/^229/));
    expect(await one.ask('STOR a')).toMatch(/^150/);
    expect(await one.answer()).toMatch(/^425/);
  });

  it('shows the configured address', async () => {
    const config = { ...world.server.deps.config, unitPublicHost: '192.0.2.7' };
    const one = await signedIn(await world.open({}, { ...world.server.deps, config }));
    expect(await one.ask('PASV')).toMatch(/^227 .*\(192,0,2,7,\d+,\d+\)/);
  });

  it('closes a connection that does not sign in, says nothing, or talks endlessly', async () => {
    const port = await world.open({ loginMs: 50 });
    const idle = await world.client(port);
    expect([await idle.answer(), await idle.closed()]).toEqual([
      expect.stringMatching(/^421/),
      true,
    ]);
    const quiet = await signedIn(await world.open({ idleMs: 1000 }));
    expect(await quiet.answer()).toMatch(/^421/);
    const long = await world.client(await world.open());
    expect(await long.ask(`NOOP ${'a'.repeat(600)}`)).toMatch(/^500/);
    expect(await long.closed()).toBe(true);
    const fast = await world.client(await world.open());
    fast.socket.write('NOOP\r\n'.repeat(5000));
    expect(await fast.closed()).toBe(true);
  });
});

describe('an upload by FTP', () => {
  it('that has more bytes than were announced is refused, and its attempt has failed', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced, FILE.length - 1);
    const port = await world.open();
    const one = await signedIn(port, login);
    expect(await one.send(FILE)).toMatch(/^552/);
    expect(await stateOf(world.server, announced)).toEqual({
      status: 'LOADING',
      fail_reason: 'upload_too_long',
    });
    expect(await world.uploadsOf(announced)).toMatchObject([{ finished_at: null }]);
    expect(await (await world.client(port)).signIn(login)).toMatch(/^530/);
  });

  it('waits while the disk is full, and while the server takes no video', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    const one = await signedIn(await world.open(), login);
    world.server.disk.set({ totalBytes: 100, freeBytes: 1 });
    expect(await one.send(FILE)).toMatch(/^452/);
    world.server.disk.set(roomy);
    const videoOff = { reason: 'old_ffmpeg', todo: 'Install ffmpeg.' } as const;
    const off = await signedIn(await world.open({}, { ...world.server.deps, videoOff }), login);
    expect(await off.send(FILE)).toMatch(/^450/);
    expect(await one.send(FILE)).toMatch(/^226/);
  });

  it('keeps what has come when the disk becomes full in the middle', async () => {
    const announced = await world.announceNext();
    const one = await signedIn(await world.open(), await issue(announced));
    expect(await one.send(FILE.subarray(0, 1000))).toMatch(/^451/);
    const [{ id } = { id: randomUUID() }] = await world.uploadsOf(announced);
    const file = path.join(mediaFolder(world.server.deps.config), id);
    await rename(file, `${file}-aside`);
    // Every write to this device fails with ENOSPC; it reads as an empty file.
    await symlink('/dev/full', file);
    expect(await one.send(FILE, 'APPE a')).toMatch(/^452/);
    await rename(`${file}-aside`, file);
    await one.ask('REST 1000');
    expect(await one.send(FILE.subarray(1000))).toMatch(/^226/);
  });

  it('whose link stands still is ended, and goes on later', async () => {
    const announced = await world.announceNext();
    const one = await signedIn(await world.open({ stallMs: 200 }), await issue(announced));
    const data = await one.openData();
    await one.ask('STOR a');
    data.write(FILE.subarray(0, 100_000));
    expect(await one.answer()).toMatch(/^426/);
    const stored = Number((await one.ask('SIZE a')).slice(4));
    expect(stored).toBe(100_000);
    await one.openData();
    await one.ask('APPE a');
    expect(await one.answer()).toMatch(/^426/);
    expect(await world.uploadsOf(announced)).toMatchObject([{ finished_at: null }]);
    await one.ask(`REST ${stored}`);
    expect(await one.send(FILE.subarray(stored))).toMatch(/^226/);
  });

  it('that is given up meanwhile is not told that it has come, and ends no other login', async () => {
    const announced = await world.announceNext();
    const port = await world.open();
    const one = await signedIn(port, await issue(announced));
    const data = await one.openData();
    await one.ask('STOR a');
    data.write(FILE.subarray(0, 1000));
    await vi.waitFor(async () => expect(await world.uploadsOf(announced)).toHaveLength(1));
    const { db } = world.server.deps.database;
    await db.transaction().execute((tx) => dropUploads(tx, announced.fragmentId));
    const next = await issue(announced);
    data.end(FILE.subarray(1000));
    expect(await one.answer()).toMatch(/^550|^426/);
    expect(await (await signedIn(port, next)).send(FILE)).toMatch(/^226/);
  });

  it('of more than 4 GiB is not asked for', async () => {
    const announced = await world.announceNext();
    await expect(issue(announced, 4 * 1024 ** 3 + 1)).rejects.toMatchObject({ code: 'too_large' });
    expect(await issue(announced, 4 * 1024 ** 3)).toMatchObject({ path: '/' });
  });

  it('gives way to the same registrar that is back after a lost link', async () => {
    const announced = await world.announceNext();
    const login = await issue(announced);
    const port = await world.open();
    const lost = await signedIn(port, login);
    const data = await lost.openData();
    await lost.ask('STOR a');
    data.write(FILE.subarray(0, 1000));
    await vi.waitFor(async () => expect(await world.uploadsOf(announced)).toHaveLength(1));
    const back = await signedIn(port, login);
    expect(await back.send(FILE)).toMatch(/^226/);
    expect(await lost.answer()).toMatch(/^426|^451/);
    expect(await world.uploadsOf(announced)).toMatchObject([{ received_bytes: FILE.length }]);
  });
});
