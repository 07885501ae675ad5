// The registrar of the simulated bus of JT/T 808, before a server over real sockets, with real ffmpeg.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays } from '@ridewatch/contract/day';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bcdTime } from '../jt808/bodies.ts';
import { u16 } from '../jt808/message.ts';
import { type FakeFtp, type FakeJt808, openFakeFtp, openFakeJt808 } from '../jt1078/fake-server.ts';
import { JT1078 } from '../jt1078/messages.ts';
import { createTimers } from '../uplink/timers.ts';
import { openStudio, type Studio } from './clip-studio.ts';
import { busDay, type CameraChange } from './day.ts';
import { createDays } from './days.ts';
import { createJt808Registrar, type Jt808Registrar } from './jt808-registrar.ts';
import { createJt808Teller } from './jt808-teller.ts';
import { planFleet } from './plan.ts';
import type { Teller } from './teller.ts';

const SEED = 1;
const HOURS = 8;
const ffmpegPath = process.env.FFMPEG_PATH ?? 'ffmpeg';
const DAY = '2026-11-20';
const [bus] = planFleet(0, SEED, 'Europe/Moscow', ['jt808']).buses;
if (bus?.protocol === undefined) throw new Error('no bus');
const phone = bus.protocol.id;
const day = busDay(SEED, bus, DAY);
const doors = day.fragments.filter(({ scene }) => scene.kind === 'door');
const noonMs = day.startMs + 12 * 3_600_000;
const now = { ms: day.endMs };
const timers = { ...createTimers(0), nowMs: () => now.ms };
const { signal } = new AbortController();
const failures: string[] = [];

let studio: Studio;
let server: FakeJt808;
let ftp: FakeFtp;
let registrar: Jt808Registrar;
let teller: Teller;
beforeAll(async () => {
  studio = await openStudio(ffmpegPath, 1);
  [server, ftp] = [await openFakeJt808(), await openFakeFtp()];
  const onFailure = ({ message }: Error) => failures.push(message);
  const days = createDays(SEED, 4);
  const world = { bus, days, seed: SEED, studio, ffmpegPath, timers, signal };
  registrar = createJt808Registrar({ ...world, phone, onFailure });
  const address = { host: '127.0.0.1', port: server.port };
  const options = { timers, signal, onRefused: () => undefined, onFailure };
  teller = createJt808Teller(address, phone, options, registrar);
  expect(await teller.link?.connect()).toBe(true);
});
afterAll(async () => {
  await teller.close();
  await Promise.all([server.close(), ftp.close(), studio.close()]);
});

const queryOf = (channel: number, startMs: number, endMs: number, kind = [0, 0, 0]): Buffer =>
  Buffer.concat([
    ...[Buffer.from([channel]), bcdTime(startMs, HOURS), bcdTime(endMs, HOURS)],
    ...[Buffer.alloc(8), Buffer.from(kind)],
  ]);
const textOf = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);

/** The items of the list that answers a query. */
async function listed(query: Buffer): Promise<Buffer[]> {
  const serial = server.send(JT1078.queryFiles, query);
  const body = await vi.waitFor(() => {
    const parts = server.messages.filter(({ id }) => id === JT1078.files);
    const first = parts.findIndex((one) => one.body.readUInt16BE(0) === serial);
    expect(first).toBeGreaterThanOrEqual(0);
    const own = parts.slice(first, first + (parts[first]?.part?.[0] ?? 1));
    const all = Buffer.concat(own.map((one) => one.body));
    expect(all.length).toBe(6 + 28 * all.readUInt32BE(2));
    return all;
  });
  return [...Array(body.readUInt32BE(2)).keys()].map((n) => body.subarray(6 + 28 * n, 34 + 28 * n));
}

it('lists each recording of the door, as its other buses have them', async () => {
  const items = await listed(queryOf(1, day.startMs, day.endMs));
  const times = items.map((item) => item.toString('hex', 1, 13));
  const own = doors.map(({ startMs, endMs }) =>
    Buffer.concat([bcdTime(startMs, HOURS), bcdTime(endMs, HOURS)]).toString('hex'),
  );
  expect(times.length).toBeGreaterThan(50);
  expect(times).toEqual(own);
});

it('lists the cabin without a gap, and nothing that has not ended', async () => {
  const hour = [noonMs, noonMs + 3_600_000] as const;
  const items = await listed(queryOf(2, ...hour));
  const starts = items.map((item) => item.toString('hex', 1, 7));
  const ends = items.map((item) => item.toString('hex', 7, 13));
  expect(items.length).toBeGreaterThan(20);
  expect(starts.slice(1)).toEqual(ends.slice(0, -1));
  now.ms = noonMs + 1_800_000;
  const half = await listed(queryOf(2, ...hour));
  expect(half.at(-1)?.toString('hex', 7, 13)).toBe(bcdTime(now.ms, HOURS).toString('hex'));
  now.ms = day.endMs;
  expect(await listed(queryOf(2, ...hour, [1, 0, 0]))).toEqual([]);
  expect(await listed(queryOf(2, ...hour, [0, 2, 0]))).toEqual([]);
});

it('uploads a recording of the stated size that plays to its end', async () => {
  const [fragment] = doors;
  if (fragment === undefined) throw new Error('no fragment');
  const { startMs, endMs } = fragment;
  const [item] = await listed(queryOf(1, startMs, endMs));
  server.send(
    JT1078.upload,
    Buffer.concat([
      ...[textOf('127.0.0.1'), u16(ftp.port), textOf('bus'), textOf('secret'), textOf('/')],
      ...[queryOf(1, startMs, endMs), Buffer.from([7])],
    ]),
  );
  await vi.waitFor(
    () => {
      const ended = server.messages.find(({ id }) => id === JT1078.uploaded);
      expect(ended?.body[2]).toBe(0);
    },
    { timeout: 20_000 },
  );
  expect(failures).toEqual([]);
  expect(ftp.stored().length).toBe(item?.readUInt32BE(24));
  const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-uploaded-'));
  try {
    const file = path.join(folder, 'video.mp4');
    writeFileSync(file, ftp.stored());
    const entries = 'stream=codec_name,nb_read_frames';
    const args = ['-v', 'error', '-count_frames', '-of', 'csv=p=0', '-show_entries', entries];
    const told = String(
      execFileSync(process.env.FFPROBE_PATH ?? 'ffprobe', [...args, file]),
    ).trim();
    expect(told).toBe(`h264,${(endMs - startMs) / 100}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('tells which channels have no signal', async () => {
  const broken = firstFault();
  const bit = broken.camera.streamId === 'ch1' ? 1 : 2;
  expect(registrar.lostChannels(broken.atMs) & bit).toBe(bit);
  expect(registrar.lostChannels(broken.atMs - 1) & bit).toBe(0);
});

/** The first moment from the day on at which a camera fails. */
function firstFault(): CameraChange {
  for (let n = 0; n < 100; n += 1) {
    const { cameraChanges } = busDay(SEED, bus as NonNullable<typeof bus>, addDays(DAY, n));
    const found = cameraChanges.find(({ status }) => status === 'offline');
    if (found !== undefined) return found;
  }
  throw new Error('no camera fails');
}
