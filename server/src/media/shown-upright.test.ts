import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { h264, makeFile, makeTurned, quarters, quartersOf, turns } from '../test/shaped-video.ts';
import { readFacts, streamOf, thumbnailsOf, verifyVideo } from '../test/verified-video.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-upright-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('evidence', () => {
  it('that its file turns upside down stands upright in the player, in HLS and in thumbnails', async () => {
    const file = makeTurned(folder, 'turned.mp4', turns['half a turn']);
    const { target, playable, isAsSent } = await verifyVideo(file, 1000);
    expect(isAsSent).toBe(false);
    const shown = 'dark dark grey white';
    const stream = await streamOf(target);
    expect([quartersOf(target), quartersOf(stream)]).toEqual([shown, shown]);
    expect((await readFacts(stream)).isUpright).toBe(true);
    expect(quartersOf(await thumbnailsOf(target, playable), 0)).toBe(shown);
  });

  it('in an MPEG programme stream plays, whatever its name', async () => {
    const tone = ['-f', 'lavfi', '-i', 'sine=duration=2'];
    const coding = [...h264, '-bf', '0', '-c:a', 'mp2', '-f', 'vob'];
    const [scene, drawn] = [quarters(2).slice(0, 4), quarters(2).slice(4)];
    const file = makeFile(folder, 'programme.mp4', [...scene, ...tone, ...drawn, ...coding]);
    const { source, target, playable } = await verifyVideo(file, 2000);
    expect([source.container, playable.audioCodec]).toEqual(['mpeg', 'aac']);
    expect([playable.packets.count, quartersOf(target)]).toEqual([20, 'white grey dark dark']);
  });
});
