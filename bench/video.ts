// V1: ranges of a video with every check against a bare file server of the same runtime.
import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Segment } from '@ridewatch/contract/segments';
import {
  ask,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
  uploadVideo,
  waitFor,
} from '../e2e/product.ts';
import { requestsPerSecond } from './load.ts';
import { interleave, type Result } from './measure.ts';

const CONNECTIONS = 8;
const RANGES = [
  { bytes: 1024 * 1024, requests: 400, target: '≥ 0.7' },
  { bytes: 64 * 1024, requests: 2000, target: '≥ 0.45' },
] as const;

/** Measures how fast video goes out. */
export async function benchVideo(): Promise<Result[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-bench-'));
  const product = await startProduct();
  try {
    const file = path.join(folder, 'clip.mp4');
    makeClip(file);
    const address = product.url + (await storeClip(product.url, await readFile(file)));
    const bare = await bareFileServer(file);
    try {
      const results: Result[] = [];
      for (const { bytes, requests, target } of RANGES) {
        const headers = { range: `bytes=65536-${65_536 + bytes - 1}` };
        const load = { headers, connections: CONNECTIONS, requests };
        const row = {
          id: 'V1',
          what: `video ranges of ${bytes / 1024} KiB`,
          unit: 'req/s',
          target,
        };
        results.push(
          await interleave(
            row,
            () => requestsPerSecond({ url: address, ...load }),
            () => requestsPerSecond({ url: bare.url, ...load }),
          ),
        );
      }
      return results;
    } finally {
      bare.close();
    }
  } finally {
    await product.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

function makeClip(file: string): void {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x480:rate=25:duration=20'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '12', '-pix_fmt', 'yuv420p'];
  const ffmpeg = process.env.FFMPEG_PATH ?? 'ffmpeg';
  execFileSync(ffmpeg, ['-v', 'error', ...source, ...coding, '-movflags', '+faststart', file]);
}

async function storeClip(url: string, clip: Buffer): Promise<string> {
  const [unit] = await setUpFleet(url, {
    customers: [
      {
        name: 'Иван',
        groups: [],
        buses: [
          {
            name: 'Автобус 1',
            type: 'VMS',
            timezone: 'Europe/Moscow',
            gps_trackable: true,
            group: null,
            device_id: 'bench-video',
            cameras: [{ name: 'Дверь 1', stream_id: 'door1', live: false, door: 1 }],
          },
        ],
      },
    ],
  });
  if (unit === undefined) throw new Error('no unit');
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
    const { segments } = await ask<{ segments: Segment[] }>(url, token, 'GET', address);
    playback = segments[0]?.playback_uri;
    return playback !== null && playback !== undefined;
  }, 'the clip to be playable');
  return playback ?? '';
}

async function bareFileServer(file: string): Promise<{ url: string; close: () => void }> {
  const { size } = await stat(file);
  const server = createServer((request, response) => {
    const [, from = '0', to = String(size - 1)] =
      /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    response.writeHead(206, { 'content-length': Number(to) - Number(from) + 1 });
    createReadStream(file, { start: Number(from), end: Number(to) }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
