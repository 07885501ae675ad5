import { FRAME_SAMPLES } from './formats.ts';
import type { Track } from './mp4-index.ts';

/** A frame may come this much earlier than its turn, and this much later, in frames: less than one, so none flickers. */
const EARLY = 0.75;
const LATE = 0.6;

/** A frame of AAC-LC in which nothing is heard, by channels. The rate does not matter. */
const SILENCE: Readonly<Record<number, Buffer>> = {
  1: Buffer.from([0x00, 0xc8, 0x00, 0x80, 0x23, 0x80]),
  2: Buffer.from([0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80]),
};

/** @throws Error for channels that are not joined */
export function silentFrame(channels: number): Buffer {
  const frame = SILENCE[channels];
  if (frame === undefined) throw new Error(`no silence of ${channels} channels`);
  return frame;
}

/**
 * Which frame of a part is heard in each of its turns. Sound runs through a joined film without a gap, so that it never
 * drifts from the pictures: what a part has too much is left out, what it lacks is silent.
 * @param track undefined for a part without sound
 * @param startS where the part begins in the film
 * @param endS where it ends
 * @param leadS when the part's first picture is shown, by its own clock
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
