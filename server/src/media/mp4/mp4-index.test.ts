import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOddVideo } from '../../test/odd-video.ts';
import { hlsSegmentsOf } from './hls-segments.ts';
import { type Mp4Index, readIndex } from './mp4-index.ts';

let folder: string;
let clip: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-index-'));
  clip = readFileSync(makeOddVideo(folder, 'sound.mp4'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (bytes: Buffer): Promise<Mp4Index> =>
  readIndex(
    {
      get: async (_key, range) =>
        Readable.from([bytes.subarray(range?.from, (range?.to ?? 0) + 1)]),
    },
    'clip',
    bytes.length,
  );

/** The clip with a 32-bit number of its index changed: at `offset` after the name of a box. */
function withNumber(box: string, offset: number, value: number): Buffer {
  const changed = Buffer.from(clip);
  changed.writeUInt32BE(value, changed.indexOf(box, 0, 'latin1') + 4 + offset);
  return changed;
}

describe('the index of an MP4', () => {
  it('names every sample, its time, and which are keyframes', async () => {
    const { tracks } = await read(clip);
    expect(tracks.map(({ kind }) => kind)).toEqual(['video', 'audio']);
    const [video] = tracks;
    expect(video?.samples).toHaveLength(60);
    expect(video?.samples.filter(({ isKey }) => isKey)).toHaveLength(3);
    expect(video?.samples[0]).toMatchObject({ decoded: 0, shown: 0, isKey: true });
  });

  it('is found behind a box of megabytes', async () => {
    const free = Buffer.alloc(2 * 1024 * 1024);
    free.writeUInt32BE(free.length, 0);
    free.write('free', 4, 'latin1');
    const { tracks } = await read(Buffer.concat([free, clip]));
    expect(tracks[0]?.samples).toHaveLength(60);
  });

  it('that counts more samples than a video can have is refused', async () => {
    await expect(read(withNumber('stsz', 8, 0xff_ff_ff_ff))).rejects.toThrow('samples');
  });

  it.each([
    ['stts', 8],
    ['ctts', 8],
    ['stsc', 12],
  ])('that exaggerates in %s gives no more than there is', async (box, offset) => {
    const { tracks } = await read(withNumber(box, offset, 0xff_ff_ff_ff));
    expect(tracks[0]?.samples).toHaveLength(60);
  });

  it('with any byte changed is read or refused, and nothing worse', async () => {
    const end = clip.indexOf('mdat', 0, 'latin1');
    await fc.assert(
      fc.asyncProperty(fc.nat(end), fc.integer({ min: 0, max: 255 }), async (at, value) => {
        const changed = Buffer.from(clip);
        changed[at] = value;
        const index = await read(changed).catch((error: unknown) => error);
        if (index instanceof Error) return;
        for (const { samples } of (index as Mp4Index).tracks) {
          expect(samples.length).toBeLessThanOrEqual(2_000_000);
        }
        if ((index as Mp4Index).tracks.some(({ kind }) => kind === 'video')) {
          hlsSegmentsOf(index as Mp4Index);
        }
      }),
      { numRuns: 300 },
    );
  });
});
