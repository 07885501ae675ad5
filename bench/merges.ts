// M1: an hour of one camera, sixty fragments, from the request to COMPLETE, against ffmpeg that concatenates by copying
// and then moves the index to the front. M2: the frames of the merged video are those of its fragments, in order. A5:
// the delay of the server's event loop during a merge, by its own metric.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dayOf, dayRange } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { MergeRequest } from '@ridewatch/contract/merges';
import {
  ask,
  type Product,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { ffmpeg, sendRecording } from '../harness/recordings.ts';
import { type Delay, readDelay } from './event-loop.ts';
import { type Bench, interleave, median, type Result, resultOf } from './measure.ts';
import { planOf } from './sample-data.ts';

const FRAGMENTS = 60;
const MINUTE_MS = 60_000;
/** Fragments that are compared frame by frame. */
const COMPARED = 4;
const READY_LIMIT_MS = 280_000;
const WATCHED_MERGES = 7;
/** p99 of the delay of the event loop, ms. */
const MOST_DELAY_MS = 20;
const IDLE_MS = 5000;

/** Measures merges, and checks that they change no frame. */
export const merges: Bench = {
  ids: ['M1', 'M2', 'A5'],
  run: async (isWanted) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-bench-'));
    const product = await startProduct();
    try {
      const clip = path.join(folder, 'clip.mp4');
      makeClip(clip);
      const hour = await storeHour(product, await readFile(clip));
      const results: Result[] = [];
      if (isWanted('M1')) results.push(await speed(hour, clip));
      if (isWanted('M2')) results.push(await sameness(hour, clip));
      if (isWanted('A5')) results.push(await delay(hour));
      return results;
    } finally {
      await product.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Hour {
  readonly url: string;
  readonly token: string;
  readonly cameraId: number;
  readonly startMs: number;
}

async function storeHour({ url }: Product, clip: Buffer): Promise<Hour> {
  const [unit] = await setUpFleet(url, planOf(1));
  if (unit === undefined) throw new Error('The fleet has no unit.');
  const token = await signIn(url, 'admin');
  const zone = 'Europe/Moscow';
  const day = dayOf(Date.now() - 24 * 60 * MINUTE_MS, zone);
  const startMs = dayRange(day, zone).startMs + 9 * 60 * MINUTE_MS;
  for (let n = 0; n < FRAGMENTS; n += 1) {
    const fromMs = startMs + n * MINUTE_MS;
    await sendRecording(url, unit.credential, 'door1', fromMs, fromMs + MINUTE_MS, clip);
  }
  const info = await ask<{ cameras: { id: number; stream_id: string }[] }>(
    url,
    token,
    'GET',
    `/api/bus/info/${unit.bus_id}`,
  );
  const cameraId = info.cameras.find(({ stream_id }) => stream_id === 'door1')?.id ?? 0;
  const address = `/api/period_list/${cameraId}?startdate=${day}&enddate=${day}`;
  await waitFor(
    async () => {
      const { items } = await ask<{ items: Fragment[] }>(url, token, 'GET', address);
      return items.every(({ status }) => status === 'PROCESSED');
    },
    'the fragments to be counted',
    READY_LIMIT_MS,
  );
  return { url, token, cameraId, startMs };
}

async function merge({ url, token, cameraId, startMs }: Hour, fragments: number) {
  const asked = await ask<MergeRequest>(url, token, 'POST', '/api/concatenated-medias/merge', {
    from: new Date(startMs).toISOString(),
    to: new Date(startMs + fragments * MINUTE_MS).toISOString(),
    processed: true,
    deviceId: cameraId,
  });
  let found: MergeRequest | undefined;
  await waitFor(async () => {
    const list = await ask<{ items: MergeRequest[] }>(
      url,
      token,
      'GET',
      '/api/concatenated-medias',
    );
    found = list.items.find(({ id }) => id === asked.id);
    return found?.status !== 'PROCESS';
  }, 'the merge');
  if (found?.status !== 'COMPLETE') throw new Error(`The merge is ${found?.status}.`);
  return found;
}

async function speed(hour: Hour, clip: string): Promise<Result> {
  const folder = path.dirname(clip);
  const list = path.join(folder, 'list.txt');
  await writeFile(list, `file '${clip}'\n`.repeat(FRAGMENTS));
  let bytes = 0;
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const beganMs = performance.now();
    await work();
    return (performance.now() - beganMs) / 1000;
  };
  const result = await interleave(
    { id: 'M1', what: 'an hour of 60 fragments, ÷ ffmpeg by copy', unit: 's', target: '≤ 1.3' },
    () =>
      timed(async () => {
        bytes = (await merge(hour, FRAGMENTS)).size_bytes ?? 0;
      }),
    () =>
      timed(async () => {
        const from = ['-v', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', list];
        const to = ['-c', 'copy', '-movflags', '+faststart', path.join(folder, 'limit.mp4')];
        execFileSync(ffmpeg.ffmpegPath, [...from, ...to]);
      }),
  );
  return { ...result, counters: { bytes } };
}

async function sameness(hour: Hour, clip: string): Promise<Result> {
  const file = path.join(path.dirname(clip), 'product.mp4');
  const { download } = await merge(hour, COMPARED);
  const answer = await fetch(hour.url + download);
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  const ofClip = framesOf(clip);
  const wanted = Array.from({ length: COMPARED }, () => ofClip).flat();
  const found = framesOf(file);
  const equal = wanted.filter((frame, n) => frame === found[n]).length;
  const all = Math.max(wanted.length, found.length);
  const row = { id: 'M2', what: 'frames that equal those of the fragments', unit: 'frames' };
  return resultOf({ ...row, target: '≥ 1' }, [{ product: equal, limit: all }]);
}

async function delay(hour: Hour): Promise<Result> {
  await readDelay(hour.url);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const idle = await readDelay(hour.url);
  const merging: Delay[] = [];
  for (let n = 0; n < WATCHED_MERGES; n += 1) {
    await merge(hour, FRAGMENTS);
    merging.push(await readDelay(hour.url));
  }
  const row = { id: 'A5', what: 'delay of the event loop during a merge, p99', unit: 'ms' };
  const rounds = merging.map(({ p99Ms }) => ({ product: p99Ms, limit: MOST_DELAY_MS }));
  const counters = {
    'p99 without a merge, ms': rounded(idle.p99Ms),
    'longest, median, ms': rounded(median(merging.map(({ maxMs }) => maxMs))),
  };
  return { ...resultOf({ ...row, target: '≤ 1' }, rounds), counters };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

function framesOf(file: string): string[] {
  const args = ['-v', 'error', '-i', file, '-map', '0:v', '-vsync', 'passthrough'];
  const output = execFileSync(ffmpeg.ffmpegPath, [...args, '-f', 'framemd5', '-'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const lines = output.toString().split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(',').at(-1) ?? '');
}

// A clip with as many bytes as a minute of a real camera: moving noise does not compress.
function makeClip(file: string): void {
  const scene = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=60'];
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100:duration=60'];
  const coding = [
    ...['-vf', 'noise=alls=12:allf=t', '-c:v', 'libx264', '-preset', 'ultrafast'],
    ...['-b:v', '1950k', '-maxrate', '2000k', '-bufsize', '2000k', '-g', '50'],
    ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', '+faststart'],
  ];
  execFileSync(ffmpeg.ffmpegPath, ['-v', 'error', ...scene, ...sound, ...coding, file]);
}
