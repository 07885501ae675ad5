import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../../core/config.ts';
import { openStorage } from '../../storage/open.ts';
import { ffmpeg, makeClip } from '../../test/clip.ts';
import type { MergedVideo } from './make-merged-video.ts';
import { type MergeOrder, mergeInThread } from './merge-thread.ts';

let root: string;
let config: Config;
let media: string;
let folder: string;

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'ridewatch-thread-'));
  config = readConfig({ DATA_DIR: root });
  media = path.join(root, 'media');
  folder = path.join(root, 'work');
  mkdirSync(folder);
  await openStorage(config);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

type Part = MergeOrder['parts'][number];

function store(key: string, video: Buffer): Part {
  writeFileSync(path.join(media, key), video);
  return { key, sizeBytes: video.length };
}

const make = (
  parts: readonly Part[],
  onProgress: (share: number) => void = () => undefined,
  signal = new AbortController().signal,
): Promise<MergedVideo> =>
  mergeInThread({ config, ffmpeg, key: 'merged', folder, parts }, { signal, onProgress });

describe('a merged video made in a thread', () => {
  it('is stored and described, and what is being stored meanwhile stays', async () => {
    writeFileSync(path.join(media, '.incoming/upload'), 'half');
    const shares: number[] = [];
    const clip = makeClip(2);
    const parts = ['a', 'b', 'c'].map((key) => store(key, clip));
    const merged = await make(parts, (share) => shares.push(share));
    const bytes = readFileSync(path.join(media, 'merged'));
    expect(merged.sizeBytes).toBe(bytes.length);
    expect(merged.durationMs).toBe(6000);
    expect(merged.sha256).toEqual(createHash('sha256').update(bytes).digest());
    expect(shares.at(-1)).toBeGreaterThan(0.9);
    expect(readdirSync(path.join(media, '.incoming'))).toEqual(['upload']);
  });

  it('fails with the code of what went wrong', async () => {
    const gone = { key: 'gone', sizeBytes: 1000 };
    await expect(make([gone])).rejects.toMatchObject({ code: 'not_found' });
    mkdirSync(path.join(media, 'merged'));
    const taken = make([store('a', makeClip(1))]);
    await expect(taken).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(path.join(media, '.incoming'))).toEqual([]);
  });

  it('is stopped with the coding that it has started, and nothing of it stays', async () => {
    const stop = new AbortController();
    const small = makeClip(4);
    const parts = [...'abcdefghi'].map((key) => store(key, small));
    parts.push(store('large', longClip()));
    const making = make(parts, () => stop.abort(), stop.signal);
    await expect(making).rejects.toThrow('stopped');
    expect(readdirSync(media).sort()).toEqual(['.incoming', ...[...'abcdefghi'], 'large']);
    expect(readdirSync(path.join(media, '.incoming'))).toEqual([]);
  });
});

/** A clip whose frame size makes encoding slow, shorter than the others together. */
function longClip(): Buffer {
  const file = path.join(root, 'long.mp4');
  const scene = ['-f', 'lavfi', '-i', 'testsrc=size=1280x720:rate=25:duration=30'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const args = ['-v', 'error', ...scene, ...coding, '-movflags', '+faststart', file];
  execFileSync(ffmpeg.ffmpegPath, args);
  return readFileSync(file);
}
