// V1: ranges of a video, with every check, against a bare file server: nginx if present, else one in Node.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fragment } from '@ridewatch/contract/fragments';
import {
  ask,
  type Product,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { uploadVideo } from '../harness/upload-video.ts';
import { compareHttp } from './compare-http.ts';
import { type Limit, startLimit } from './limits.ts';
import type { Bench, Result } from './measure.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { planOf } from './sample-data.ts';

const CLIP = 'clip.mp4';
const CONNECTIONS = 8;
const RANGES = [
  { bytes: 1024 * 1024, requests: 400, target: '≥ 0.7' },
  { bytes: 64 * 1024, requests: 3000, target: '≥ 0.45' },
] as const;

/** Measures the rate of video ranges. */
export const video: Bench = {
  ids: ['V1'],
  run: async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-bench-'));
    const product = await startProduct();
    try {
      const file = path.join(folder, CLIP);
      makeClip(file);
      const address = await storeClip(product.url, await readFile(file));
      const results: Result[] = [];
      for (const [name, start] of limitsOf(file)) {
        results.push(...(await against(product, address, name, start)));
      }
      return results;
    } finally {
      await product.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

type Start = () => Promise<Limit>;

function limitsOf(file: string): [string, Start][] {
  const headers = { 'content-type': 'video/mp4' };
  const bare: [string, Start] = ['bare Node', () => startLimit({ kind: 'file', file, headers })];
  const nginx: [string, Start] = ['nginx', () => startNginx(path.dirname(file))];
  return hasNginx() ? [nginx] : [bare];
}

async function against(
  product: Product,
  address: string,
  name: string,
  start: Start,
): Promise<Result[]> {
  const limit = await start();
  try {
    const results: Result[] = [];
    for (const { bytes, requests, target } of RANGES) {
      const what = `video ranges of ${bytes / 1024} KiB, ÷ ${name}`;
      const headers = { range: `bytes=65536-${65_536 + bytes - 1}` };
      const row = { id: 'V1', what, target };
      const load = { headers, connections: CONNECTIONS, requests };
      results.push(
        await compareHttp({ row, product, address, limit, limitAddress: `/${CLIP}`, ...load }),
      );
    }
    return results;
  } finally {
    await limit.close();
  }
}

function makeClip(file: string): void {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x480:rate=25:duration=20'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '12', '-pix_fmt', 'yuv420p'];
  const ffmpeg = process.env.FFMPEG_PATH ?? 'ffmpeg';
  execFileSync(ffmpeg, ['-v', 'error', ...source, ...coding, '-movflags', '+faststart', file]);
}

async function storeClip(url: string, clip: Buffer): Promise<string> {
  const [unit] = await setUpFleet(url, planOf(1));
  if (unit === undefined) throw new Error('The fleet has no unit.');
  const endMs = Date.now() - 60_000;
  const { stream } = await sendRecords(url, unit.credential, [
    {
      type: 'segment',
      time: new Date(endMs).toISOString(),
      camera: 'door1',
      start_time: new Date(endMs - 20_000).toISOString(),
      end_time: new Date(endMs).toISOString(),
      video: 'queued',
    },
  ]);
  await uploadVideo(url, unit.credential, { stream, seq: 0 }, clip);
  const token = await signIn(url, 'admin');
  const day = new Date(endMs + 3 * 3_600_000).toISOString().slice(0, 10);
  let playback: string | null | undefined;
  await waitFor(async () => {
    const address = `/api/segments/day-segments?workplaceId=${unit.bus_id}&date=${day}`;
    const { segments } = await ask<{ segments: Fragment[] }>(url, token, 'GET', address);
    const [segment] = segments;
    playback = segment?.status === 'PROCESSED' ? segment.playback_uri : undefined;
    return playback !== null && playback !== undefined;
  }, 'the clip to be playable');
  return playback ?? '';
}
