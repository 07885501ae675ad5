import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ffmpeg, isPackaged } from '../test/clip.ts';
import { makeTurned, quartersOf, turns } from '../test/shaped-video.ts';
import { makePlayable } from './make-playable.ts';
import { readVideo } from './read-video.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-turns-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a picture that its file', () => {
  it.for([
    ['half a turn', 'dark dark grey white', [320, 240]],
    ['a quarter to the right', 'dark white dark grey', [240, 320]],
    ['a quarter to the left', 'grey dark white dark', [240, 320]],
    ['left and right', 'grey white dark dark', [320, 240]],
    ['top and bottom', 'dark dark white grey', [320, 240]],
    ['along one diagonal', 'white dark grey dark', [240, 320]],
    ['along the other diagonal', 'dark grey dark white', [240, 320]],
  ] as const)('turns %s is stored as it is shown', async ([turn, shown, size], { skip }) => {
    skip(isPackaged && !/quarter|half/.test(turn), 'the packaged ffmpeg mirrors no pictures');
    const file = makeTurned(folder, `${turn}.mp4`, turns[turn]);
    const source = await readVideo(ffmpeg, file);
    if (source === undefined) throw new Error('The file was not read.');
    expect([source.isUpright, source.width, source.height]).toEqual([false, ...size]);
    const target = `${file}.playable.mp4`;
    expect(await makePlayable(ffmpeg, source, file, target, 1000)).toBe(true);
    const playable = await readVideo(ffmpeg, target);
    expect([playable?.isUpright, playable?.width, playable?.height]).toEqual([true, ...size]);
    expect(quartersOf(target)).toBe(shown);
  });
});
