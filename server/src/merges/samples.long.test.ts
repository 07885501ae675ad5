// Merges recordings of real cameras, if present: different sizes, rates, sound and encodings in one video.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPlayable, makePlayable } from '../media/make-playable.ts';
import { readLayout } from '../media/mp4/mp4-boxes.ts';
import { readVideo } from '../media/read-video.ts';
import { openFolderStorage } from '../storage/folder.ts';
import { ffmpeg } from '../test/clip.ts';
import { sample, samples } from '../test/samples.ts';
import { makeMergedVideo } from './making/make-merged-video.ts';
import { localFile } from './making/merge-part.ts';

describe('a merged video of real recordings', () => {
  it('is as long as all of them, in video and in audio', async ({ skip }) => {
    if (!samples.areThere) skip(`there are no recordings in ${samples.folder}`);
    const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-samples-'));
    try {
      const { files, lengthMs } = await playableSamples(folder);
      const storage = await openFolderStorage(path.join(folder, 'media'));
      const work = path.join(folder, 'work');
      mkdirSync(work);
      const { signal } = new AbortController();
      const merged = await makeMergedVideo(
        { storage, ffmpeg, key: 'merged', folder: work, signal, onProgress: () => undefined },
        await Promise.all(files.map(localFile)),
      );
      expect(Math.abs(merged.durationMs - lengthMs)).toBeLessThan(500);
      const entries = ['-show_entries', 'stream=codec_type,duration', '-of', 'csv=p=0'];
      const file = path.join(folder, 'media/merged');
      const output = execFileSync(ffmpeg.ffprobePath, ['-v', 'error', ...entries, file]).toString();
      const lengths = output
        .trim()
        .split('\n')
        .map((line) => Number(line.split(',')[1]));
      expect(lengths).toHaveLength(2);
      for (const seconds of lengths) expect(Math.abs(seconds - lengthMs / 1000)).toBeLessThan(0.5);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});

async function playableSamples(folder: string): Promise<{ files: string[]; lengthMs: number }> {
  const files: string[] = [];
  let lengthMs = 0;
  for (const name of readdirSync(sample('video')).filter((one) => one.endsWith('.mp4'))) {
    const file = path.join(folder, name);
    copyFileSync(sample(`video/${name}`), file);
    const facts = await readVideo(ffmpeg, file);
    if (facts === undefined) throw new Error(`${name} is no video`);
    const made = `${file}-playable.mp4`;
    const plays = isPlayable(facts, await readLayout(file));
    if (!plays) await makePlayable(ffmpeg, facts, file, made, facts.durationMs);
    files.push(plays ? file : made);
    lengthMs += (await readVideo(ffmpeg, files.at(-1) ?? ''))?.durationMs ?? 0;
  }
  return { files, lengthMs };
}
