// One MP4 of several. Samples are copied unchanged; only the tables of their offsets and times are new. All offsets are
// known beforehand, so the index is in front and the file is written in one pass. Parts follow each other without a
// gap; a part lasts as long as its frames.

import { box, longNumbers, numbers } from '../../media/mp4/boxes.ts';
import { FRAME_SAMPLES, type SoundFormat, type VideoFormat } from '../../media/mp4/formats.ts';
import type { Sample, Track } from '../../media/mp4/mp4-index.ts';
import { framesOf, silentFrame } from '../../media/mp4/sound-frames.ts';
import { TrackTable } from '../../media/mp4/track-table.ts';

const MOVIE_SCALE = 1000;
/** Larger offsets need 64 bits; the limit leaves room for the header. */
const LONG_FROM_BYTES = 0xf000_0000;
/** The unit matrix: no rotation. */
const UPRIGHT = [0x01_00_00, 0, 0, 0, 0x01_00_00, 0, 0, 0, 0x40_00_00_00];
const UNDEFINED_LANGUAGE = 0x55c4_0000;
const SHOWN_FLAGS = 3;

/** Bytes of the merged video: a range of the part's file, the end excluded, or literal bytes. */
export type ByteSource = { readonly from: number; readonly to: number } | Buffer;

/** The common format of all parts. */
export interface MergedForm {
  readonly video: VideoFormat;
  /** Undefined for a merged video without audio. */
  readonly sound: SoundFormat | undefined;
  /** Timescale of the video, ticks a second. */
  readonly timescale: number;
  /** Longest composition delay of a part's first frame, s. */
  readonly delayS: number;
}

export interface PlannedPart {
  readonly video: Track;
  readonly audio: Track | undefined;
  readonly sizeBytes: number;
  /** Written before every keyframe; undefined when all parts have the same parameter sets. */
  readonly sets: Buffer | undefined;
}

/** A part's index contradicts itself; the part can still be encoded. */
export class UnusablePartError extends Error {}

export class MergePlan {
  readonly #form: MergedForm;
  readonly #video = new TrackTable();
  readonly #sounds = new TrackTable();
  #dataBytes = 0;

  constructor(form: MergedForm) {
    this.#form = form;
  }

  get durationMs(): number {
    return Math.round((this.#video.duration * 1000) / this.#form.timescale);
  }

  /**
   * Appends a part.
   * @returns its bytes in the merged video, ascending in its file
   * @throws UnusablePartError
   */
  add(part: PlannedPart): ByteSource[] {
    const { video, audio, sets } = part;
    const { sound, timescale } = this.#form;
    const startS = this.#video.duration / timescale;
    const frames = this.#timesOf(video);
    const ticks = frames.reduce((sum, frame) => sum + frame.ticks, 0);
    const soundFrames =
      sound === undefined
        ? []
        : framesOf(audio, sound.rate, {
            startS,
            endS: startS + ticks / timescale,
            leadS: firstShown(video) / video.timescale,
          });
    const layout = new Layout(part.sizeBytes, this.#dataBytes);
    const heard = soundFrames.filter((frame) => frame >= 0);
    const order = [
      ...video.samples.map((sample, index) => ({ sample, index, isVideo: true })),
      ...heard.map((index) => ({ sample: sampleAt(audio, index), index, isVideo: false })),
    ].sort((a, b) => a.sample.at - b.sample.at);
    const videoAt: number[] = [];
    const soundAt = new Map<number, number>();
    for (const { sample, index, isVideo } of order) {
      const at = layout.place(sample, isVideo && sample.isKey ? sets : undefined);
      if (isVideo) videoAt[index] = at;
      else soundAt.set(index, at);
    }
    for (const [index, sample] of video.samples.entries()) {
      const size = sample.size + (sample.isKey ? (sets?.length ?? 0) : 0);
      const time = frames[index] ?? { ticks: 0, shift: 0 };
      this.#video.add({ at: videoAt[index] ?? 0, size, ...time, isKey: sample.isKey });
    }
    const silence = sound === undefined ? undefined : silentFrame(sound.channels);
    for (const frame of soundFrames) {
      const at = soundAt.get(frame) ?? layout.append(silence ?? Buffer.alloc(0));
      const size = frame < 0 ? (silence?.length ?? 0) : sampleAt(audio, frame).size;
      this.#sounds.add({ at, size, ticks: FRAME_SAMPLES, shift: 0, isKey: true });
    }
    this.#video.pack();
    this.#sounds.pack();
    this.#dataBytes = layout.end;
    return layout.sources;
  }

  /** The bytes before the samples. */
  head(): Buffer {
    const isLong = this.#dataBytes > LONG_FROM_BYTES;
    const start = isLong
      ? Buffer.concat([numbers(1), Buffer.from('mdat'), longNumbers([this.#dataBytes + 16])])
      : Buffer.concat([numbers(this.#dataBytes + 8), Buffer.from('mdat')]);
    const brands = Buffer.from('isomiso2avc1mp41');
    const type = box('ftyp', Buffer.from('isom'), numbers(0x200), brands);
    // The offsets depend on the length of the header, not on its contents.
    const length = type.length + this.#movie(0, isLong).length + start.length;
    return Buffer.concat([type, this.#movie(length, isLong), start]);
  }

  // In the merged timescale. Each frame's time is rounded by itself, so that errors do not add up.
  #timesOf(video: Track): { ticks: number; shift: number }[] {
    const { timescale, delayS } = this.#form;
    const scale = timescale / video.timescale;
    const first = video.samples[0]?.decoded ?? 0;
    const at = (decoded: number): number => Math.round((decoded - first) * scale);
    const more = Math.round(delayS * timescale) - Math.round(delayOf(video) * timescale);
    return video.samples.map(({ decoded, shown, ticks }) => ({
      ticks: at(decoded + ticks) - at(decoded),
      shift: Math.round((shown + video.skip - decoded) * scale) + more,
    }));
  }

  #movie(dataAt: number, isLong: boolean): Buffer {
    const { video: format, sound, timescale, delayS } = this.#form;
    const skip = Math.round(delayS * timescale);
    const inMovie = (ticks: number, scale: number): number =>
      Math.round((ticks * MOVIE_SCALE) / scale);
    const videoMs = inMovie(this.#video.duration, timescale);
    const [across = 1, down = 1] = format.aspect.split('/').map(Number);
    const width = Math.round((format.width * across) / down);
    const video = track(1, 'vide', videoMs, skip, {
      size: [width, format.height],
      media: mediaHead(timescale, this.#video.duration),
      about: box('vmhd', numbers(1, 0, 0)),
      table: this.#video.toBox(format.entry, dataAt, isLong),
    });
    const isHeard = sound !== undefined && this.#sounds.count > 0;
    const soundMs = isHeard ? inMovie(this.#sounds.duration, sound.rate) : 0;
    const sounds = isHeard
      ? track(2, 'soun', soundMs, 0, {
          size: [0, 0],
          media: mediaHead(sound.rate, this.#sounds.duration),
          about: box('smhd', numbers(0, 0)),
          table: this.#sounds.toBox(sound.entry, dataAt, isLong),
        })
      : Buffer.alloc(0);
    const lengthMs = Math.max(videoMs, soundMs);
    const spare = [0, 0, 0, 0, 0, 0];
    const rates = [0x01_00_00, 0x01_00_00_00, 0, 0];
    const head = numbers(0, 0, 0, MOVIE_SCALE, lengthMs, ...rates, ...UPRIGHT, ...spare, 3);
    return box('moov', box('mvhd', head), video, sounds);
  }
}

// The samples of a part in the merged video, and the offset of each.
class Layout {
  readonly sources: ByteSource[] = [];
  end: number;
  readonly #sizeBytes: number;
  #readTo = 0;

  constructor(sizeBytes: number, end: number) {
    this.#sizeBytes = sizeBytes;
    this.end = end;
  }

  place({ at, size }: Sample, before: Buffer | undefined): number {
    // An index that repeats the same bytes would make a large file from a small one.
    if (at < this.#readTo || at + size > this.#sizeBytes) {
      throw new UnusablePartError('samples overlap, or lie beyond the end of their file');
    }
    const start = this.end;
    if (before !== undefined) this.append(before);
    const last = this.sources.at(-1);
    if (last !== undefined && !Buffer.isBuffer(last) && last.to === at) {
      this.sources[this.sources.length - 1] = { from: last.from, to: at + size };
    } else this.sources.push({ from: at, to: at + size });
    this.#readTo = at + size;
    this.end += size;
    return start;
  }

  append(bytes: Buffer): number {
    this.sources.push(bytes);
    this.end += bytes.length;
    return this.end - bytes.length;
  }
}

/** Presentation time of the first frame, ticks. */
function firstShown({ samples }: Track): number {
  return samples.reduce((least, { shown }) => Math.min(least, shown), Number.POSITIVE_INFINITY);
}

/** From the decoding of the first sample to the first presentation, s. */
export function delayOf(video: Track): number {
  const decoded = video.samples[0]?.decoded ?? 0;
  return (firstShown(video) + video.skip - decoded) / video.timescale;
}

function sampleAt(track: Track | undefined, index: number): Sample {
  const sample = track?.samples[index];
  if (sample === undefined) throw new Error('The track has no sample of this number.');
  return sample;
}

interface TrackParts {
  readonly size: readonly [number, number];
  readonly media: Buffer;
  readonly about: Buffer;
  readonly table: Buffer;
}

function track(
  id: number,
  kind: 'vide' | 'soun',
  lengthMs: number,
  skip: number,
  { size: [width, height], media, about, table }: TrackParts,
): Buffer {
  const volume = kind === 'soun' ? 0x01_00_00_00 : 0;
  const head = numbers(SHOWN_FLAGS, 0, 0, id, 0, lengthMs, 0, 0, 0, volume, ...UPRIGHT);
  const shown = numbers(width * 65_536, height * 65_536);
  const name = kind === 'vide' ? 'pictures\0' : 'sound\0';
  const handler = [numbers(0, 0), Buffer.from(kind), numbers(0, 0, 0), Buffer.from(name)];
  const here = box('dinf', box('dref', numbers(0, 1), box('url ', numbers(1))));
  return box(
    'trak',
    box('tkhd', head, shown),
    box('edts', box('elst', numbers(0, 1, lengthMs, skip, 0x01_00_00))),
    box('mdia', media, box('hdlr', ...handler), box('minf', about, here, table)),
  );
}

function mediaHead(timescale: number, duration: number): Buffer {
  const dates = longNumbers([0, 0]);
  const length = longNumbers([duration]);
  return box(
    'mdhd',
    numbers(0x01_00_00_00),
    dates,
    numbers(timescale),
    length,
    numbers(UNDEFINED_LANGUAGE),
  );
}
