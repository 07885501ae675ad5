// Audio of an HLS stream lasts as long as its video: browsers play a stream only as far as all of its tracks go. Where
// the audio of a file begins late or ends early, silent frames take its place.
import { FRAME_SAMPLES, type SoundFormat, soundFormatOf } from './formats.ts';
import type { Sample, Track } from './mp4-index.ts';
import { silentFrame } from './sound-frames.ts';

/** A sample of a stream; one with `silence` is these bytes, the others are in the file. */
export interface StreamSample extends Sample {
  readonly silence?: Buffer;
}

/** End of the last sample, s; 0 without samples. */
export function endOf({ samples, timescale }: Track): number {
  const end = samples.reduce((most, { shown, ticks }) => Math.max(most, shown + ticks), 0);
  return end / timescale;
}

/** Whether silent frames can be added to an audio track: they are AAC. */
export function canBeSilent(track: Track): boolean {
  return plainSoundOf(track) !== undefined;
}

function plainSoundOf(track: Track): SoundFormat | undefined {
  try {
    return soundFormatOf(track);
  } catch {
    // A damaged description does not keep the video from playing.
    return undefined;
  }
}

/**
 * The silent samples of an audio track that begin in a period, before its first sample and after its last.
 * @param fromS start of the period
 * @param toS end of the period, excluded
 * @param endS end of the video; no silence lasts beyond it
 */
export function silenceWithin(
  track: Track,
  { fromS, toS, endS }: { fromS: number; toS: number; endS: number },
): { before: StreamSample[]; after: StreamSample[] } {
  const format = plainSoundOf(track);
  if (format === undefined) return { before: [], after: [] };
  const { timescale, skip, samples } = track;
  const silence = silentFrame(format.channels);
  const run = (start: number, end: number): StreamSample[] => {
    const frames: StreamSample[] = [];
    const skipped = Math.max(0, Math.ceil((fromS * timescale - start) / FRAME_SAMPLES));
    for (
      let shown = start + skipped * FRAME_SAMPLES;
      shown + FRAME_SAMPLES <= end && shown / timescale < toS;
      shown += FRAME_SAMPLES
    ) {
      frames.push({
        ...{ at: 0, size: silence.length, decoded: shown + skip, shown },
        ...{ ticks: FRAME_SAMPLES, isKey: true, silence },
      });
    }
    return frames;
  };
  const first = Math.max(0, samples[0]?.shown ?? 0);
  const last = samples.at(-1);
  return {
    before: run(first % FRAME_SAMPLES, first),
    after: run(last === undefined ? 0 : last.shown + FRAME_SAMPLES, endS * timescale),
  };
}
