// shown-upright.test.ts has the kinds of evidence that a change breaks first.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPackaged } from '../test/clip.ts';
import { h264, makeFile, quarters, quartersOf } from '../test/shaped-video.ts';
import { readFacts, streamOf, verifyVideo } from '../test/verified-video.ts';
import { spriteOf } from './preview.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-whole-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('evidence', () => {
  it('whose edit list begins between keyframes hides the same everywhere, and times map to themselves', async () => {
    const whole = makeFile(folder, 'whole.mp4', [...quarters(3), ...h264]);
    const cut = ['-ss', '1.3', '-i', whole, '-c', 'copy', '-movflags', '+faststart'];
    const file = makeFile(folder, 'hidden-head.mp4', cut);
    const { source, target, playable, map } = await verifyVideo(file, 1700);
    expect([source.durationMs, playable.durationMs, map]).toEqual([1700, 1700, null]);
    expect([source.packets.count, playable.packets.count]).toEqual([17, 17]);
    expect((await readFacts(await streamOf(target))).packets.count).toBe(17);
  });

  it('of oblong pixels is copied and keeps its shape, in thumbnails too', async () => {
    const more = ['-vf', 'setsar=16/11', '-movflags', '+faststart'];
    const args = [...quarters(1, '352x288').slice(0, 4), ...more, ...h264];
    const { playable, isAsSent } = await verifyVideo(makeFile(folder, 'wide.mp4', args), 1000);
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
    const { source, target, playable, map } = await verifyVideo(file, 2000);
    expect([source.packets.count, playable.packets.count, map]).toEqual([20, 20, null]);
    expect([playable.width, playable.height, playable.stored]).toEqual([
      320,
      240,
      { width: 320, height: 240 },
    ]);
    const shown = 'white grey dark dark';
    expect([0.5, 1.5].map((atS) => quartersOf(target, atS))).toEqual([shown, shown]);
  });
});
