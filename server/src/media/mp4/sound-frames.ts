import { FRAME_SAMPLES } from './formats.ts';
import type { Track } from './mp4-index.ts';

/**
 * How much earlier or later than its slot an audio frame may be, in frames: less than one, so that none is dropped and
 * repeated.
 */
const EARLY = 0.75;
const LATE = 0.6;

/** A silent frame of AAC-LC by channels; the rate does not matter. */
const SILENCE: Readonly<Record<number, Buffer>> = {
  1: Buffer.from([0x00, 0xc8, 0x00, 0x80, 0x23, 0x80]),
  2: Buffer.from([0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80]),
};

/** @throws Error for other numbers of channels */
export function silentFrame(channels: number): Buffer {
  const frame = SILENCE[channels];
  if (frame === undefined) throw new Error(`There is no silent frame of ${channels} channels.`);
  return frame;
}

/**
 * The audio frame of a part for each slot. Audio runs through a merged video without a gap, so that it never drifts
 * from the video: surplus frames are dropped, missing ones are silent.
 * @param track undefined for a part without audio
 * @param startS start of the part in the merged video
 * @param endS its end
 * @param leadS presentation time of the part's first frame
 * @returns indexes of samples; -1 is silence
 */
export function framesOf(
  track: Track | undefined,
  rate: number,
  { startS, endS, leadS }: { startS: number; endS: number; leadS: number },
): number[] {
  const frameS = FRAME_SAMPLES / rate;
  const samples = track?.samples ?? [];
  const timeOf = (index: number): number => {
    const sample = samples[index];
    return sample === undefined || track === undefined
      ? Number.POSITIVE_INFINITY
      : sample.shown / track.timescale - leadS;
  };
  const frames: number[] = [];
  const lastTurn = turnAt(endS, frameS);
  let next = 0;
  for (let turn = turnAt(startS, frameS); turn < lastTurn; turn += 1) {
    const dueS = turn * frameS - startS;
    while (timeOf(next) < dueS - EARLY * frameS) next += 1;
    if (timeOf(next) <= dueS + LATE * frameS) {
      frames.push(next);
      next += 1;
    } else frames.push(-1);
  }
  return frames;
}

const turnAt = (seconds: number, frameS: number): number => Math.round(seconds / frameS);
