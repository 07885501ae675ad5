// Video as the product verifies and shows it.
import { createReadStream, statSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { isPlayable, makePlayable } from '../media/make-playable.ts';
import { hlsSegmentsOf, initSegmentOf, readHlsSegment } from '../media/mp4/hls-segments.ts';
import { readLayout } from '../media/mp4/mp4-boxes.ts';
import { readIndex } from '../media/mp4/mp4-index.ts';
import { makePreview, spriteOf } from '../media/preview.ts';
import { readVideo } from '../media/read-video.ts';
import { mapTime } from '../media/timeline.ts';
import type { VideoFacts } from '../media/video-facts.ts';
import type { ByteRange } from '../storage/storage.ts';
import { ffmpeg } from './clip.ts';

/** Reads a file. @throws Error when it is no video */
export async function readFacts(file: string): Promise<VideoFacts> {
  const facts = await readVideo(ffmpeg, file);
  if (facts === undefined) throw new Error(`${file} was not read`);
  return facts;
}

/** Verifies a file as the product does. @param wallMs its length in the street */
export async function verifyVideo(file: string, wallMs: number) {
  const source = await readFacts(file);
  const isAsSent = isPlayable(source, await readLayout(file));
  const target = isAsSent ? file : `${file}.playable.mp4`;
  if (!isAsSent) expect(await makePlayable(ffmpeg, source, file, target, wallMs)).toBe(true);
  const playable = await readFacts(target);
  expect(isPlayable(playable, await readLayout(target))).toBe(true);
  return { source, target, playable, isAsSent, map: mapTime(source, playable, wallMs) };
}

/** The HLS stream of a playable file, as one file. */
export async function streamOf(file: string): Promise<string> {
  const storage = {
    get: async (_key: string, range?: ByteRange) =>
      createReadStream(file, { start: range?.from, end: range?.to }),
  };
  const index = await readIndex(storage, 'video', statSync(file).size);
  const parts: Buffer[] = [initSegmentOf(index)];
  for (const number of hlsSegmentsOf(index).keys()) {
    parts.push((await readHlsSegment(storage, 'video', index, number)) ?? Buffer.alloc(0));
  }
  const joined = `${file}.hls.mp4`;
  writeFileSync(joined, Buffer.concat(parts));
  return joined;
}

/** Makes the sheet of thumbnails of a file. @returns its path */
export async function thumbnailsOf(file: string, facts: VideoFacts): Promise<string> {
  const sheet = `${file}.jpg`;
  expect(await makePreview(ffmpeg, facts, spriteOf(facts), file, sheet)).toBe(true);
  return sheet;
}
