// One MP4 of several: the samples stay the bytes that they are, only the tables that say where they lie and when they
// are shown are written anew. Since all places are known beforehand, the index stands in front and the file is written
// in one go. Parts follow each other without a gap; how long a part lasts, its pictures say.

import { box, longNumbers, numbers } from '../../media/mp4/boxes.ts';
import { FRAME_SAMPLES, type SoundFormat, type VideoFormat } from '../../media/mp4/formats.ts';
import type { Sample, Track } from '../../media/mp4/mp4-index.ts';
import { framesOf, silentFrame } from '../../media/mp4/sound-frames.ts';
import { TrackTable } from '../../media/mp4/track-table.ts';

const MOVIE_SCALE = 1000;
/** Places beyond it need 64 bits; some room is left for what stands in front. */
const LONG_FROM_BYTES = 0xf000_0000;
/** The unit matrix of a picture that is shown as it is. */
const UPRIGHT = [0x01_00_00, 0, 0, 0, 0x01_00_00, 0, 0, 0, 0x40_00_00_00];
const UNDEFINED_LANGUAGE = 0x55c4_0000;
const SHOWN_FLAGS = 3;

/** Bytes of the film: a stretch of the part's file, end not included, or bytes of their own. */
export type ByteSource = { readonly from: number; readonly to: number } | Buffer;

/** What all parts of a film have in common. */
export interface MergedForm {
  readonly video: VideoFormat;
  /** Undefined for a film without sound. */
  readonly sound: SoundFormat | undefined;
  /** Ticks a second of the pictures. */
  readonly timescale: number;
  /** Longest time from the decoding of a part's first picture to its being shown, s. */
  readonly delayS: number;
}

export interface PlannedPart {
  readonly video: Track;
  readonly audio: Track | undefined;
  readonly sizeBytes: number;
  /** Stands in front of every picture that stands for itself; parts that are coded alike need none. */
  readonly sets: Buffer | undefined;
}

/** A part's own index contradicts itself; it can still be coded anew. */
export class OddPart extends Error {}

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
   * Adds a part behind those that are there.
   * @returns its bytes of the film, ascending in its file
   * @throws OddPart
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

  /** What stands in front of the data. */
  head(): Buffer {
    const isLong = this.#dataBytes > LONG_FROM_BYTES;
    const start = isLong
      ? Buffer.concat([numbers(1), Buffer.from('mdat'), longNumbers([this.#dataBytes + 16])])
      : Buffer.concat([numbers(this.#dataBytes + 8), Buffer.from('mdat')]);
    const brands = Buffer.from('isomiso2avc1mp41');
    const type = box('ftyp', Buffer.from('isom'), numbers(0x200), brands);
    // The places depend on the length of what stands before them, not on what it says.
    const length = type.length + this.#movie(0, isLong).length + start.length;
    return Buffer.concat([type, this.#movie(length, isLong), start]);
  }

  // In ticks of the film, also of parts that have others; rounded at each picture, so that no error adds up.
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

// Samples of a part that go into the film one behind the other, and where each comes to lie.
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
    // One that names the same bytes twice would make a large film of a small file.
    if (at < this.#readTo || at + size > this.#sizeBytes) {
      throw new OddPart('samples overlap, or lie beyond the end of their file');
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

/** When the first picture is shown, ticks. */
function firstShown({ samples }: Track): number {
  return samples.reduce((least, { shown }) => Math.min(least, shown), Number.POSITIVE_INFINITY);
}

/** From the decoding of the first picture to the first that is shown, s. */
export function delayOf(video: Track): number {
  const decoded = video.samples[0]?.decoded ?? 0;
  return (firstShown(video) + video.skip - decoded) / video.timescale;
}

function sampleAt(track: Track | undefined, index: number): Sample {
  const sample = track?.samples[index];
  if (sample === undefined) throw new Error('a sample that is not there');
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
