// A registrar lists, uploads and shows what it records, to a server over real sockets.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bcdTime } from '../jt808/bodies.ts';
import { u16 } from '../jt808/message.ts';
import { type Jt808Terminal, openJt808Terminal } from '../jt808/terminal.ts';
import { createTimers } from '../uplink/timers.ts';
import { type FakeFtp, type FakeJt808, openFakeFtp, openFakeJt808 } from './fake-server.ts';
import { JT1078, type RecordedFile, UPLOAD_CONTROL } from './messages.ts';
import { createRegistrar, type Registrar, type RegistrarOptions } from './registrar.ts';

const PHONE = '13900000001';
const HOURS = 8;
const DAY_MS = Date.UTC(2026, 10, 20);
const video = randomBytes(300_000);
/** A file a minute, of ten seconds each. */
const fileAt = (minute: number): RecordedFile => {
  const startMs = DAY_MS + minute * 60_000;
  return { channel: 2, startMs, endMs: startMs + 10_000, sizeBytes: video.length };
};

const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-registrar-'));
const file = path.join(folder, 'video.mp4');
let server: FakeJt808;
let ftp: FakeFtp;
let registrar: Registrar;
let terminal: Jt808Terminal;
let failures: string[];
let links: number;
let files: readonly RecordedFile[];

const options = (more: Partial<RegistrarOptions> = {}): RegistrarOptions => ({
  camera: { phone: PHONE, codec: 'h264' },
  ...{ clockHours: HOURS, timers: createTimers(0), signal: new AbortController().signal },
  list: ({ channel, startMs = 0, endMs = Number.POSITIVE_INFINITY }) =>
    files.filter((one) => one.channel === channel && one.startMs < endMs && one.endMs > startMs),
  open: (_file, deliver) => deliver(file),
  links: () => links,
  canShow: (channel) => channel === 2,
  live: async (_request, onFrame) =>
    onFrame({ kind: 'key', timeMs: 0, bytes: Buffer.from('picture') }),
  onFailure: ({ message }) => failures.push(message),
  retryMs: 1,
  ...more,
});
const begin = async (more?: Partial<RegistrarOptions>): Promise<void> => {
  registrar = createRegistrar(options(more));
  await signIn();
};
const signIn = async (): Promise<void> => {
  const identity = { phone: PHONE, form: '2013' } as const;
  terminal = await openJt808Terminal(server.port, '127.0.0.1', identity, registrar.take);
  await terminal.signIn();
  registrar.attach(terminal);
};

beforeEach(async () => {
  writeFileSync(file, video);
  [failures, links, files] = [[], 4, [fileAt(1), fileAt(2)]];
  [server, ftp] = [await openFakeJt808(), await openFakeFtp()];
});
afterEach(async () => {
  terminal.link.close();
  await registrar.close();
  await Promise.all([server.close(), ftp.close()]);
  rmSync(file, { force: true });
});

const queryOf = (startMs: number, endMs: number, channel = 2): Buffer =>
  Buffer.concat([
    Buffer.from([channel]),
    ...[bcdTime(startMs, HOURS), bcdTime(endMs, HOURS), Buffer.alloc(8), Buffer.from([0, 0, 0])],
  ]);
const textOf = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
const uploadOf = (one: RecordedFile, { conditions = 0, password = 'secret' } = {}): Buffer =>
  Buffer.concat([
    ...[textOf('127.0.0.1'), u16(ftp.port), textOf('bus'), textOf(password), textOf('/')],
    ...[queryOf(one.startMs, one.endMs, one.channel), Buffer.from([conditions])],
  ]);
const controlOf = (serial: number, word: number): Buffer =>
  Buffer.concat([u16(serial), Buffer.from([word])]);

/** The bodies of the terminal's messages of a kind, once there are so many. */
const heard = (id: number, count = 1): Promise<Buffer[]> =>
  vi.waitFor(() => {
    const bodies = server.messages.filter((one) => one.id === id).map(({ body }) => body);
    expect(bodies.length).toBeGreaterThanOrEqual(count);
    return bodies;
  });
/** The result of the answer to a message. */
const answerTo = async (serial: number): Promise<number | undefined> =>
  vi.waitFor(() => {
    const found = server.messages.find(
      ({ id, body }) => id === 0x0001 && body.readUInt16BE(0) === serial,
    );
    expect(found).toBeDefined();
    return found?.body[4];
  });
const uploaded = (serial: number, result: number): string =>
  controlOf(serial, result).toString('hex');
const ends = async (count = 1) =>
  (await heard(JT1078.uploaded, count)).map((body) => body.toString('hex'));

describe('the list of a registrar', () => {
  it('has the files of the asked time, in the clock of the terminal', async () => {
    await begin();
    const serial = server.send(JT1078.queryFiles, queryOf(DAY_MS, DAY_MS + 100_000));
    const [body] = await heard(JT1078.files);
    const item = `02${'261120080100'}${'261120080110'}${'00'.repeat(8)}020101${(300_000).toString(16).padStart(8, '0')}`;
    expect(body?.toString('hex')).toBe(
      `${serial.toString(16).padStart(4, '0')}${'00000001'}${item}`,
    );
  });

  it('is empty where nothing was recorded', async () => {
    await begin();
    server.send(JT1078.queryFiles, queryOf(DAY_MS, DAY_MS + 100_000, 7));
    expect((await heard(JT1078.files))[0]?.readUInt32BE(2)).toBe(0);
  });

  it('that is long is split into messages of at most 1,023 bytes', async () => {
    files = [...Array(100).keys()].map(fileAt);
    await begin();
    server.send(JT1078.queryFiles, queryOf(DAY_MS, DAY_MS + 86_400_000));
    const parts = await vi.waitFor(() => {
      const found = server.messages.filter(({ id }) => id === JT1078.files);
      expect(found).toHaveLength(3);
      return found;
    });
    expect(parts.map(({ part }) => part)).toEqual([
      [3, 1],
      [3, 2],
      [3, 3],
    ]);
    expect(parts.map(({ body }) => body.length)).toEqual([1023, 1023, 6 + 28 * 100 - 2046]);
    expect(Buffer.concat(parts.map(({ body }) => body)).readUInt32BE(2)).toBe(100);
  });
});

describe('an upload of a registrar', () => {
  it('is answered, brings the file, and is told when it has ended', async () => {
    await begin();
    const serial = server.send(JT1078.upload, uploadOf(fileAt(1)));
    expect(await answerTo(serial)).toBe(0);
    expect(await ends()).toEqual([uploaded(serial, 0)]);
    expect(ftp.stored().equals(video)).toBe(true);
    expect(ftp.commands).toContain('STOR /2-1795132860000.mp4');
  });

  it('whose link breaks goes on where it stopped', async () => {
    await begin();
    ftp.cutAt(100_000);
    const serial = server.send(JT1078.upload, uploadOf(fileAt(1)));
    expect(await ends()).toEqual([uploaded(serial, 0)]);
    expect(ftp.stored().equals(video)).toBe(true);
    expect(ftp.commands.filter((one) => /^(STOR|APPE|SIZE)/.test(one))).toEqual([
      ...['SIZE', 'STOR', 'SIZE', 'APPE'].map((verb) => `${verb} /2-1795132860000.mp4`),
    ]);
  });

  it('goes on without a connection of JT/T 808, and is told after the next sign-in', async () => {
    await begin();
    ftp.hold();
    const serial = server.send(JT1078.upload, uploadOf(fileAt(1)));
    await vi.waitFor(() => expect(ftp.commands.at(-1)).toMatch(/^STOR/));
    server.cut();
    await terminal.link.closed;
    ftp.release();
    await vi.waitFor(() => expect(ftp.stored().length).toBe(video.length));
    await signIn();
    expect(await ends()).toEqual([uploaded(serial, 0)]);
  });

  it('that the server refuses has failed', async () => {
    await begin();
    const serial = server.send(JT1078.upload, uploadOf(fileAt(1), { password: 'wrong' }));
    expect(await answerTo(serial)).toBe(0);
    expect(await ends()).toEqual([uploaded(serial, 1)]);
    expect(failures).toEqual([expect.stringContaining('530')]);
  });

  it('of a file that is not there is refused', async () => {
    await begin();
    expect(await answerTo(server.send(JT1078.upload, uploadOf(fileAt(9))))).toBe(1);
  });

  it('that is cancelled ends, says no more, and lets the next one begin', async () => {
    await begin();
    ftp.hold();
    const first = server.send(JT1078.upload, uploadOf(fileAt(1)));
    await vi.waitFor(() => expect(ftp.commands.at(-1)).toMatch(/^STOR/));
    ftp.release();
    const word = server.send(JT1078.controlUpload, controlOf(first, UPLOAD_CONTROL.cancel));
    expect(await answerTo(word)).toBe(0);
    const second = server.send(JT1078.upload, uploadOf(fileAt(2)));
    expect(await ends()).toEqual([uploaded(second, 0)]);
    const again = server.send(JT1078.controlUpload, controlOf(first, UPLOAD_CONTROL.cancel));
    expect(await answerTo(again)).toBe(1);
  });

  it('that is paused goes on when the server says so', async () => {
    await begin();
    ftp.hold();
    const serial = server.send(JT1078.upload, uploadOf(fileAt(1)));
    await vi.waitFor(() => expect(ftp.commands.at(-1)).toMatch(/^STOR/));
    ftp.release();
    server.send(JT1078.controlUpload, controlOf(serial, UPLOAD_CONTROL.pause));
    const other = server.send(JT1078.upload, uploadOf(fileAt(2)));
    expect(await ends()).toEqual([uploaded(other, 0)]);
    server.send(JT1078.controlUpload, controlOf(serial, UPLOAD_CONTROL.go));
    expect(await ends(2)).toEqual([uploaded(other, 0), uploaded(serial, 0)]);
  });

  it('that is allowed by Wi-Fi only waits for the depot', async () => {
    const timers = createTimers(0);
    const waits: (() => void)[] = [];
    const sleep = () => new Promise<void>((resolve) => waits.push(resolve));
    await begin({ timers: { ...timers, sleep } });
    const serial = server.send(JT1078.upload, uploadOf(fileAt(1), { conditions: 1 }));
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    expect(ftp.commands).toEqual([]);
    links = 5;
    waits[0]?.();
    expect(await ends()).toEqual([uploaded(serial, 0)]);
  });
});

describe('a registrar', () => {
  it('sends a channel live to the address that the server names', async () => {
    await begin();
    const came = Promise.withResolvers<Buffer>();
    const stream = createServer((socket) => socket.once('data', came.resolve));
    await new Promise<void>((resolve) => stream.listen(0, '127.0.0.1', resolve));
    const { port } = stream.address() as { port: number };
    const bodyOf = (channel: number) =>
      Buffer.concat([textOf('127.0.0.1'), u16(port, 0), Buffer.from([channel, 1, 1])]);
    expect(await answerTo(server.send(JT1078.startLive, bodyOf(1)))).toBe(1);
    expect(await answerTo(server.send(JT1078.startLive, bodyOf(2)))).toBe(0);
    expect((await came.promise).subarray(-7).toString()).toBe('picture');
    await new Promise((resolve) => stream.close(resolve));
  });

  it('does not know other messages, and says that a body is cut off', async () => {
    await begin();
    expect(await answerTo(server.send(0x8104, Buffer.alloc(0)))).toBe(3);
    const short = uploadOf(fileAt(1)).subarray(0, 20);
    expect(await answerTo(server.send(JT1078.upload, short))).toBe(2);
  });
});
