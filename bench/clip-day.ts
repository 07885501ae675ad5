import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import { type Product, sendRecords, setUpFleet } from '../harness/product.ts';
import { waitForDay } from '../harness/recorded-fragments.ts';
import { uploadVideo } from '../harness/upload-video.ts';
import { planOf } from './sample-data.ts';

const ZONE = 'Europe/Moscow';

export interface ClipDay {
  readonly busId: number;
  readonly date: string;
  /** In order of time. */
  readonly segments: readonly Fragment[];
}

/** Creates a bus with playable fragments of one door yesterday. */
export async function makeClipDay(
  product: Product,
  folder: string,
  fragments: number,
  seconds: number,
): Promise<ClipDay> {
  const [unit] = await setUpFleet(product.url, planOf(1));
  if (unit === undefined) throw new Error('The fleet has no unit.');
  const date = addDays(dayOf(Date.now(), ZONE), -1);
  const morningMs = dayRange(date, ZONE).startMs + 8 * 3_600_000;
  const iso = (ms: number): string => new Date(ms).toISOString();
  const records = Array.from({ length: fragments }, (_, index) => {
    const startMs = morningMs + index * 60_000;
    const endMs = startMs + seconds * 1000;
    return {
      type: 'segment',
      time: iso(endMs),
      camera: 'door1',
      start_time: iso(startMs),
      end_time: iso(endMs),
      video: 'queued',
    };
  });
  const { stream } = await sendRecords(product.url, unit.credential, records);
  const file = path.join(folder, 'door.mp4');
  makeClip(file, seconds);
  const bytes = await readFile(file);
  for (const seq of records.keys()) {
    await uploadVideo(product.url, unit.credential, { stream, seq }, bytes);
  }
  const bus = { id: unit.bus_id, date };
  const segments = await waitForDay(product, bus, fragments);
  return { busId: unit.bus_id, date, segments };
}

function makeClip(file: string, seconds: number): void {
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=640x480:rate=25:duration=${seconds}`];
  const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '50', '-pix_fmt', 'yuv420p'];
  const ffmpeg = process.env.FFMPEG_PATH ?? 'ffmpeg';
  execFileSync(ffmpeg, ['-v', 'error', ...source, ...coding, '-movflags', '+faststart', file]);
}
