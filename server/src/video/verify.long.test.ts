// Files of every kind of registrar; verify.test.ts has what each file is checked for.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeOddVideo } from '../test/odd-video.ts';
import { openReceiver, type Receiver } from '../test/receiver.ts';
import { expectReturned } from '../test/sent-file.ts';

/** Files of real cameras, not part of the project; without the folder their tests are skipped. */
const SAMPLES = path.resolve(import.meta.dirname, '../../../../shared/data/video');
let receiver: Receiver;

beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

describe('the file that the unit sent', () => {
  it.each([
    ['offset.ts', 'video/mp2t', 'ts'],
    ['quicktime-pcm.mov', 'video/quicktime', 'mov'],
    ['pcm.avi', 'video/x-msvideo', 'avi'],
    ['raw.h264', 'video/h264', 'h264'],
    ['alaw.mkv', 'video/matroska', 'mkv'],
    ['opus.webm', 'video/webm', 'webm'],
  ] as const)('%s is returned as what it is', (name, type, extension) =>
    expectReturned(receiver, name, type, extension),
  );
});

describe('what is read from the file', () => {
  it('begins with the period, not with the first frame that can be shown', async () => {
    const file = makeOddVideo(receiver.folder, 'mid-group-sound.ts');
    const { video, status } = await receiver.receive(file, 18_800);
    expect([status, video?.time_map, video?.preview?.count]).toEqual(['PROCESSED', null, 10]);
    expect(video?.duration_ms).toBeCloseTo(18_800, -2);
  });

  it('leaves a file that breaks off at the pace of the street', async () => {
    const { folder, receive } = receiver;
    const whole = readFileSync(makeOddVideo(folder, 'plain.mp4'));
    const file = path.join(folder, 'broken-off.mp4');
    writeFileSync(file, whole.subarray(0, whole.length * 0.5));
    const { video, status } = await receive(file, 6000);
    expect([status, video?.time_map]).toEqual(['PROCESSED', null]);
    expect(video?.duration_ms).toBeLessThan(4500);
  });
});

describe('a file of a real camera', () => {
  beforeEach(({ skip }) => skip(!existsSync(SAMPLES), `${SAMPLES} is not there`));

  it.each([
    ['overhead_pavement_pairs.mp4', 42_833],
    ['intel_one_by_one.mp4', 139_400],
    ['intel_car_12.5fps_aac.mp4', 30_160],
    ['dashcam_osd_clock_aac.mp4', 17_167],
  ])('%s plays at the pace of the street', async (name, lengthMs) => {
    const segment = await receiver.receive(path.join(SAMPLES, name), lengthMs);
    expect(segment).toMatchObject({ status: 'PROCESSED', fail_reason: null });
    expect(segment.video?.time_map).toBeNull();
    expect(Math.abs((segment.video?.duration_ms ?? 0) - lengthMs)).toBeLessThan(100);
    const part = await receiver.get(segment.playback_uri, { range: 'bytes=0-99' });
    expect(part.statusCode).toBe(206);
  });
});
if (!existsSync(SAMPLES)) {
  process.stderr.write(`Tests on real camera files are left out: no folder ${SAMPLES}\n`);
}
