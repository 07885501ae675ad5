import {
  createReadStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ByteRange } from '../storage/storage.ts';
import { ffmpeg, isPackaged } from '../test/clip.ts';
import { h264, makeFile, makeTurned, quarters, quartersOf, turns } from '../test/shaped-video.ts';
import { isPlayable, makePlayable } from './make-playable.ts';
import { hlsSegmentsOf, initSegmentOf, readHlsSegment } from './mp4/hls-segments.ts';
import { readLayout } from './mp4/mp4-boxes.ts';
import { readIndex } from './mp4/mp4-index.ts';
import { makePreview, spriteOf } from './preview.ts';
import { readVideo } from './read-video.ts';
import { mapTime } from './timeline.ts';
import type { VideoFacts } from './video-facts.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-upright-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(file: string): Promise<VideoFacts> {
  const facts = await readVideo(ffmpeg, file);
  if (facts === undefined) throw new Error(`${file} was not read`);
  return facts;
}

/** Verifies a file as the product does. */
async function verify(file: string, wallMs: number) {
  const source = await read(file);
  const isAsSent = isPlayable(source, await readLayout(file));
  const target = isAsSent ? file : `${file}.playable.mp4`;
  if (!isAsSent) expect(await makePlayable(ffmpeg, source, file, target, wallMs)).toBe(true);
  const playable = await read(target);
  expect(isPlayable(playable, await readLayout(target))).toBe(true);
  return { source, target, playable, isAsSent, map: mapTime(source, playable, wallMs) };
}

/** The HLS stream of a playable file, as one file. */
async function streamOf(file: string): Promise<string> {
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

async function thumbnailsOf(file: string, facts: VideoFacts): Promise<string> {
  const sheet = `${file}.jpg`;
  expect(await makePreview(ffmpeg, facts, spriteOf(facts), file, sheet)).toBe(true);
  return sheet;
}

describe('evidence', () => {
  it('that its file turns upside down stands upright in the player, in HLS and in thumbnails', async () => {
    const file = makeTurned(folder, 'turned.mp4', turns['half a turn']);
    const { target, playable, isAsSent } = await verify(file, 1000);
    expect(isAsSent).toBe(false);
    const shown = 'dark dark grey white';
    const stream = await streamOf(target);
    expect([quartersOf(target), quartersOf(stream)]).toEqual([shown, shown]);
    expect((await read(stream)).isUpright).toBe(true);
    expect(quartersOf(await thumbnailsOf(target, playable), 0)).toBe(shown);
  });

  it('whose edit list begins between keyframes hides the same everywhere, and times map to themselves', async () => {
    const whole = makeFile(folder, 'whole.mp4', [...quarters(3), ...h264]);
    const cut = ['-ss', '1.3', '-i', whole, '-c', 'copy', '-movflags', '+faststart'];
    const file = makeFile(folder, 'hidden-head.mp4', cut);
    const { source, target, playable, map } = await verify(file, 1700);
    expect([source.durationMs, playable.durationMs, map]).toEqual([1700, 1700, null]);
    expect([source.packets.count, playable.packets.count]).toEqual([17, 17]);
    expect((await read(await streamOf(target))).packets.count).toBe(17);
  });

  it('of oblong pixels is copied and keeps its shape, in thumbnails too', async () => {
    const more = ['-vf', 'setsar=16/11', '-movflags', '+faststart'];
    const args = [...quarters(1, '352x288').slice(0, 4), ...more, ...h264];
    const { playable, isAsSent } = await verify(makeFile(folder, 'wide.mp4', args), 1000);
    expect(isAsSent).toBe(true);
    expect([playable.width, playable.height]).toEqual([512, 288]);
    expect(spriteOf(playable)).toMatchObject({ tile_width: 160, tile_height: 90 });
  });

  it('that changes its size while the clock steps back keeps each frame, in one size', async ({
    skip,
  }) => {
    skip(isPackaged, 'the packaged ffprobe reads no transport streams');
    const partOf = (name: string, size: string, atS: number): Buffer => {
      const clock = ['-bf', '0', '-output_ts_offset', String(atS), '-f', 'mpegts'];
      return readFileSync(makeFile(folder, name, [...quarters(1, size), ...h264, ...clock]));
    };
    const file = path.join(folder, 'two-sizes.ts');
    const parts = [partOf('small.ts', '176x144', 60), partOf('large.ts', '320x240', 30)];
    writeFileSync(file, Buffer.concat(parts));
    const { source, target, playable, map } = await verify(file, 2000);
    expect([source.packets.count, playable.packets.count, map]).toEqual([20, 20, null]);
    expect([playable.width, playable.height, playable.stored]).toEqual([
      320,
      240,
      { width: 320, height: 240 },
    ]);
    const shown = 'white grey dark dark';
    expect([0.5, 1.5].map((atS) => quartersOf(target, atS))).toEqual([shown, shown]);
  });

  it('in an MPEG programme stream plays, whatever its name', async () => {
    const tone = ['-f', 'lavfi', '-i', 'sine=duration=2'];
    const coding = [...h264, '-bf', '0', '-c:a', 'mp2', '-f', 'vob'];
    const [scene, drawn] = [quarters(2).slice(0, 4), quarters(2).slice(4)];
    const file = makeFile(folder, 'programme.mp4', [...scene, ...tone, ...drawn, ...coding]);
    const { source, target, playable } = await verify(file, 2000);
    expect([source.container, playable.audioCodec]).toEqual(['mpeg', 'aac']);
    expect([playable.packets.count, quartersOf(target)]).toEqual([20, 'white grey dark dark']);
  });
});
