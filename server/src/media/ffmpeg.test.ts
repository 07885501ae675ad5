import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { whyNoVideo } from './ffmpeg.ts';

/** A machine on which nobody installed ffmpeg. */
const NOWHERE: readonly string[] = [];
const usual = {
  ...{ ffmpegPath: undefined, ffprobePath: undefined, demo: false, allowOldFfmpeg: false },
};

const findPacked = (): string =>
  createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg').path as string;

it('the packaged ffmpeg reads no video of units, unless that was allowed', () => {
  expect(whyNoVideo(usual, NOWHERE)).toMatchObject({ reason: 'old_ffmpeg' });
  expect(whyNoVideo(usual, NOWHERE)?.todo).toContain('set FFMPEG_PATH');
  expect(whyNoVideo({ ...usual, demo: true }, NOWHERE)).toBeUndefined();
  expect(whyNoVideo({ ...usual, allowOldFfmpeg: true }, NOWHERE)).toBeUndefined();
  expect(whyNoVideo({ ...usual, ffmpegPath: '/opt/ffmpeg' }, NOWHERE)).toBeUndefined();
  // As set-up names it.
  const packed = { ...usual, ffmpegPath: findPacked() };
  expect(whyNoVideo(packed, ['/usr/bin'])).toMatchObject({ reason: 'old_ffmpeg' });
});
