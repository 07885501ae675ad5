import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { doorClip } from './door-clip.ts';
import { FRAME_BYTES, HEIGHT, WIDTH } from './frame.ts';
import { makeCabinClip, makeDoorClip, makeDoorClips } from './make-clip.ts';
import { mostPeopleInView } from './people-in-view.ts';
import type { Crossing, DoorScene } from './scene.ts';
import { SILL_Y } from './walks.ts';

const START = Date.parse('2026-06-10T11:20:00Z');
const folder = mkdtempSync(join(tmpdir(), 'clip-'));
const ffmpegs = availableFfmpegs();
const ffmpegPath = ffmpegs[0] as string;

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(ffmpegs)('a clip coded by %s', (path) => {
  it('lasts exactly as long as its fragment and has keyframes to seek to', async () => {
    const outPath = join(folder, 'length.mp4');
    for (const lastsMs of [6000, 7300, 15_000]) {
      await makeDoorClip(scene([], lastsMs), { ffmpegPath: path, outPath });
      expect(decode(path, outPath).length / FRAME_BYTES).toBe(lastsMs / 100);
      expect(durationMs(outPath)).toBe(lastsMs);
      expect(keyframes(path, outPath)).toBe(Math.ceil(lastsMs / 2000));
    }
    const boxes = readFileSync(outPath).toString('latin1');
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
  });

  it('comes out the same alone and among others, at its own place', async () => {
    const scenes = [7, 3, 9, 5, 1].map((seed, index) => ({
      scene: { ...scene(turnByTurn(3), 8000 + index * 700), seed },
      outPath: join(folder, `many-${index}.mp4`),
    }));
    const ready: number[] = [];
    const onClip = (index: number) => {
      ready.push(index);
    };
    await makeDoorClips(scenes, { ffmpegPath: path, concurrency: 2, onClip });
    expect(ready.sort()).toEqual([0, 1, 2, 3, 4]);
    const alone = join(folder, 'alone.mp4');
    for (const one of scenes) {
      await makeDoorClip(one.scene, { ffmpegPath: path, outPath: alone });
      expect(decode(path, one.outPath).equals(decode(path, alone))).toBe(true);
    }
  });

  it('of the cabin shows more when more are on board', async () => {
    const outPath = join(folder, 'cabin.mp4');
    const shown = [];
    for (const onBoard of [0, 12, 30, 500]) {
      const camera = { busName: 'А 472 КМ', camera: 'САЛОН 1', zone: 'Europe/Moscow', onBoard };
      const fragment = { startMs: START, endMs: START + 2000, seed: 4 };
      await makeCabinClip({ ...camera, ...fragment }, { ffmpegPath: path, outPath });
      const frames = decode(path, outPath);
      expect(frames.length).toBe(20 * FRAME_BYTES);
      shown.push(colourful(frames.subarray(0, FRAME_BYTES)));
    }
    expect(shown).toEqual([...shown].sort((one, other) => one - other));
    expect(shown[2]).toBeGreaterThan((shown[1] as number) * 1.2);
  });
});

describe('the clip of a door', () => {
  it('is the same bytes for the same scene', () => {
    const [one, other] = [new Uint8Array(FRAME_BYTES), new Uint8Array(FRAME_BYTES).fill(9)];
    for (const index of [0, 37, 79]) {
      doorClip(scene(turnByTurn(6), 8000)).draw(index, one);
      doorClip(scene(turnByTurn(6), 8000)).draw(index, other);
      expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true);
    }
  });

  it.each([1, 2, 3, 4, 5, 6])('shows a viewer the crossings it was given (%i)', async (seed) => {
    const crossings = turnByTurn(10);
    const scenery = { ...scene(crossings, 30_000), seed };
    const seen = countInFrames(
      await framesOf(scenery),
      await framesOf({ ...scenery, crossings: [] }),
    );
    const directions = seen.crossings.map((one) => one.direction);
    expect(directions).toEqual(crossings.map((one) => one.direction));
    for (const [index, one] of seen.crossings.entries()) {
      const atMs = (crossings[index] as Crossing).atMs - START;
      expect(Math.abs(one.frame * 100 - atMs)).toBeLessThanOrEqual(300);
    }
  });

  it('shows as many people at once as it says', async () => {
    for (const gapMs of [500, 2500, 6000]) {
      const crossings = [0, 1, 2].map((index): Crossing => {
        return { atMs: START + 4000 + index * gapMs, direction: 'exited', passenger: 'adult' };
      });
      const scenery = { ...scene(crossings, 24_000), seed: 5 };
      const seen = countInFrames(
        await framesOf(scenery),
        await framesOf({ ...scenery, crossings: [] }),
      );
      // For a body at the edge the frame does not show exactly whether its head is inside.
      expect(mostPeopleInView(scenery)).toBeGreaterThanOrEqual(seen.surely);
      expect(mostPeopleInView(scenery)).toBeLessThanOrEqual(seen.perhaps);
    }
  });
});

describe('a clip that cannot be made', () => {
  it('says which ffmpeg could not be run', async () => {
    const options = { ffmpegPath: join(folder, 'no-ffmpeg'), outPath: join(folder, 'no.mp4') };
    await expect(makeDoorClip(scene([], 6000), options)).rejects.toThrow('Cannot run');
    expect(leftovers()).toEqual([]);
  });

  it('ends with the first failure of the part that takes the clips', async () => {
    const scenes = [0, 1, 2].map((index) => {
      return { scene: scene([], 6000), outPath: join(folder, `refused-${index}.mp4`) };
    });
    const onClip = () => Promise.reject(new Error('disk full'));
    const making = makeDoorClips(scenes, { ffmpegPath, concurrency: 1, onClip });
    await expect(making).rejects.toThrow('disk full');
    expect(leftovers()).toEqual([]);
  });
});

function scene(crossings: readonly Crossing[], lastsMs: number): DoorScene {
  const endMs = START + lastsMs;
  const doors = { doorOpenMs: START + 2000, doorCloseMs: endMs - 2000 };
  const place = { busName: 'А 472 КМ', door: 1, zone: 'Europe/Moscow' };
  return { ...place, ...doors, startMs: START, endMs, crossings, seed: 1 };
}

/** Some people alight, then some board, one after another. */
function turnByTurn(count: number): Crossing[] {
  return Array.from({ length: count }, (_, index): Crossing => {
    const direction = index < count / 2 ? 'exited' : 'entered';
    const atMs = START + 2500 + index * 1100 + (index < count / 2 ? 0 : 2500);
    return { atMs, direction, passenger: index % 4 === 1 ? 'child' : 'adult' };
  });
}

async function framesOf(scenery: DoorScene): Promise<Buffer> {
  const outPath = join(folder, 'counted.mp4');
  await makeDoorClip(scenery, { ffmpegPath, outPath });
  return decode(ffmpegPath, outPath);
}

/** Rows of two pixels from the middle of a head to the front of the shoulders. */
const HALF_BODY = 7;
const WHOLE_BODY = 2 * HALF_BODY;

interface Blob {
  x: number;
  y: number;
  /** Visible rows of a blob at an edge of the frame; blobs inside are whole. */
  rowsInView: number;
}

/** Counts people by blobs that differ from the empty scene, tracked over the sill. */
function countInFrames(frames: Buffer, empty: Buffer) {
  const crossings: { frame: number; direction: Crossing['direction'] }[] = [];
  let [surely, perhaps] = [0, 0];
  let before: Blob[] = [];
  for (let frame = 0; frame < frames.length / FRAME_BYTES; frame++) {
    const start = frame * FRAME_BYTES;
    const blobs = blobsIn(frames.subarray(start), empty.subarray(start));
    for (const blob of blobs) {
      const near = before.filter((one) => away(one, blob) < 24);
      const same = near.sort((one, other) => away(one, blob) - away(other, blob))[0];
      before = before.filter((one) => one !== same);
      if (same && same.y < SILL_Y && blob.y >= SILL_Y)
        crossings.push({ frame, direction: 'entered' });
      if (same && same.y >= SILL_Y && blob.y < SILL_Y)
        crossings.push({ frame, direction: 'exited' });
    }
    before = blobs;
    const heads = (rowsAtLeast: number) =>
      blobs.filter((blob) => blob.rowsInView >= rowsAtLeast).length;
    surely = Math.max(surely, heads(HALF_BODY + 4));
    perhaps = Math.max(perhaps, heads(HALF_BODY - 2));
  }
  return { crossings, surely, perhaps };
}

function away(one: Blob, other: Blob): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function blobsIn(frame: Uint8Array, empty: Uint8Array): Blob[] {
  const [columns, rows] = [WIDTH / 2, HEIGHT / 2];
  const differs = new Uint8Array(columns * rows);
  for (let cell = columns; cell < differs.length - columns; cell++) {
    const at = Math.floor(cell / columns) * 2 * WIDTH + (cell % columns) * 2;
    const [u, v] = [WIDTH * HEIGHT + cell, WIDTH * HEIGHT * 1.25 + cell];
    const apart = (index: number) => Math.abs((frame[index] as number) - (empty[index] as number));
    if (apart(at) <= 34 && apart(u) + apart(v) <= 22) continue;
    // Dilate by one cell, so that letters of the caption do not split a blob.
    for (const row of [cell - columns, cell, cell + columns]) differs.fill(1, row - 1, row + 2);
  }
  const blobs: Blob[] = [];
  for (let first = 0; first < differs.length; first++) {
    if (differs[first] === 0) continue;
    const open = [first];
    let [cells, x, y, top, bottom] = [0, 0, 0, rows, 0];
    differs[first] = 0;
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      cells += 1;
      x += cell % columns;
      const row = Math.floor(cell / columns);
      y += row;
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
      for (const next of [cell - 1, cell + 1, cell - columns, cell + columns]) {
        if (differs[next] !== 1) continue;
        differs[next] = 0;
        open.push(next);
      }
    }
    const cut = top <= 1 || bottom >= rows - 2;
    const rowsInView = cut ? bottom - top + 1 : WHOLE_BODY;
    if (cells > 70) blobs.push({ x: (2 * x) / cells, y: (2 * y) / cells, rowsInView });
  }
  return blobs;
}

function colourful(frame: Uint8Array): number {
  const chroma = frame.subarray(WIDTH * HEIGHT, FRAME_BYTES);
  return chroma.reduce((sum, value) => sum + (Math.abs(value - 128) > 24 ? 1 : 0), 0);
}

function decode(path: string, clip: string): Buffer {
  const run = spawnSync(
    path,
    ['-v', 'error', '-i', clip, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', 'pipe:1'],
    { maxBuffer: 1e9 },
  );
  expect(run.stderr.toString()).toBe('');
  return run.stdout;
}

function keyframes(path: string, clip: string): number {
  const skip = ['-v', 'error', '-skip_frame', 'nokey', '-i', clip, '-vsync', '0'];
  const run = spawnSync(path, [...skip, '-f', 'rawvideo', 'pipe:1'], { maxBuffer: 1e9 });
  return run.stdout.length / FRAME_BYTES;
}

/** The duration in the movie header of an MP4, ms. */
function durationMs(clip: string): number {
  const bytes = readFileSync(clip);
  const header = bytes.indexOf('mvhd') + 4;
  return (1000 * bytes.readUInt32BE(header + 16)) / bytes.readUInt32BE(header + 12);
}

function leftovers(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('.clip-'));
}

/** The system's ffmpeg and that of a package, as far as they exist. */
function availableFfmpegs(): string[] {
  const paths = [process.env.FFMPEG_PATH ?? 'ffmpeg'];
  try {
    const installed = createRequire(import.meta.url).resolve(
      '@ffmpeg-installer/linux-x64/package.json',
    );
    paths.push(join(dirname(installed), 'ffmpeg'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
  }
  const found = paths.filter((path) => spawnSync(path, ['-version']).status === 0);
  if (found.length === 0) throw new Error('No ffmpeg on this machine');
  return found;
}
