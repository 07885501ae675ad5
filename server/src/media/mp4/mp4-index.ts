// The index of an MP4 (ISO/IEC 14496-12, section 8): where each sample is, when it is shown, and the boxes that
// describe its decoding. A unit may have written it, so its counts are trusted only as far as the file can hold them.
import { buffer } from 'node:stream/consumers';
import type { Storage } from '../../storage/storage.ts';
import { MOST_BOXES } from './mp4-boxes.ts';

/** First read: the index of some minutes fits into it. */
const HEAD_BYTES = 128 * 1024;
/** Four hours at 120 frames a second. */
const MOST_SAMPLES = 2_000_000;
/** The index of four hours is far smaller. */
const MOST_INDEX_BYTES = 128 * 1024 * 1024;

export interface Box {
  readonly type: string;
  /** With its head. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

export interface Track {
  readonly id: number;
  readonly kind: 'video' | 'audio';
  /** Ticks a second. */
  readonly timescale: number;
  /** The track's own box. */
  readonly box: Box;
  /** Ticks at the start that are not shown: frames decoded early, or the priming of audio. */
  readonly skip: number;
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** Offset in the file, bytes. */
  readonly at: number;
  readonly size: number;
  /** Decoding time, ticks; never below 0. */
  readonly decoded: number;
  /** Presentation time, ticks; 0 is the start of the video, priming is before it. */
  readonly shown: number;
  readonly ticks: number;
  /** A keyframe: decodable without others. */
  readonly isKey: boolean;
}

export interface Mp4Index {
  readonly movie: Box;
  readonly tracks: readonly Track[];
}

/** Reads the index of a stored MP4 that has it in front. @throws Error when it has none */
export async function readIndex(
  storage: Pick<Storage, 'get'>,
  key: string,
  sizeBytes: number,
): Promise<Mp4Index> {
  const read = async (from: number, bytes: number): Promise<Buffer> =>
    buffer(await storage.get(key, { from, to: Math.min(from + bytes, sizeBytes) - 1 }));
  const head = await read(0, HEAD_BYTES);
  let at = 0;
  for (let boxes = 0; boxes < MOST_BOXES && at + 8 <= sizeBytes; boxes += 1) {
    const start = at + 8 <= head.length ? head.subarray(at, at + 8) : await read(at, 8);
    const size = start.readUInt32BE(0);
    if (start.toString('latin1', 4, 8) === 'moov') {
      if (size > MOST_INDEX_BYTES) break;
      const whole = at + size <= head.length ? head.subarray(at, at + size) : await read(at, size);
      return parseMovie({ type: 'moov', whole, content: whole.subarray(8) });
    }
    if (size < 8) break;
    at += size;
  }
  throw new Error(`${key} has no index before its frames.`);
}

function parseMovie(movie: Box): Mp4Index {
  const timescale = scaleOf(one(movie, 'mvhd'));
  const tracks = boxesOf(movie.content)
    .filter(({ type }) => type === 'trak')
    .flatMap((box) => parseTrack(box, timescale));
  return { movie, tracks };
}

function parseTrack(box: Box, movieScale: number): Track[] {
  const media = one(box, 'mdia');
  const handler = one(media, 'hdlr').content.toString('latin1', 8, 12);
  if (handler !== 'vide' && handler !== 'soun') return [];
  const table = one(one(media, 'minf'), 'stbl');
  const timescale = scaleOf(one(media, 'mdhd'));
  const header = one(box, 'tkhd').content;
  const id = header.readUInt32BE(header[0] === 1 ? 20 : 12);
  const edits = editsOf(box, timescale / movieScale);
  const samples = samplesOf(table, edits);
  const kind = handler === 'vide' ? 'video' : 'audio';
  return [{ id, kind, timescale, box, skip: edits.skip, samples }];
}

// mvhd and mdhd have the timescale after two dates, which are longer in version 1.
function scaleOf({ content }: Box): number {
  return content.readUInt32BE(content[0] === 1 ? 20 : 12);
}

/** The edit list: `delay` before the track starts, `skip` ticks that are not shown. */
interface Edits {
  readonly delay: number;
  readonly skip: number;
}

function editsOf(track: Box, ticksOfMovieTick: number): Edits {
  const list = find(find(track, 'edts'), 'elst')?.content;
  let edits = { delay: 0, skip: 0 };
  if (list === undefined) return edits;
  const isLong = list[0] === 1;
  for (let entry = 0; entry < list.readUInt32BE(4); entry += 1) {
    const at = 8 + entry * (isLong ? 20 : 12);
    const ticks = isLong ? Number(list.readBigUInt64BE(at)) : list.readUInt32BE(at);
    const from = isLong ? Number(list.readBigInt64BE(at + 8)) : list.readInt32BE(at + 4);
    if (from >= 0) return { ...edits, skip: from };
    edits = { delay: edits.delay + Math.round(ticks * ticksOfMovieTick), skip: 0 };
  }
  return edits;
}

function samplesOf(table: Box, { delay, skip }: Edits): Sample[] {
  const sizes = sizesOf(one(table, 'stsz').content);
  const places = offsetsOf(table, sizes);
  const count = sizes.length;
  const ticks = runsOf(one(table, 'stts').content, count, (content, at) =>
    content.readUInt32BE(at),
  );
  // Version 0 means unsigned numbers, but encoders write signed ones.
  const shifted = find(table, 'ctts')?.content;
  const shifts = runsOf(shifted, count, (content, at) => content.readInt32BE(at));
  const keys = keysOf(find(table, 'stss')?.content);
  let decoded = delay;
  return sizes.map((size, index) => {
    const sample = {
      at: places[index] ?? 0,
      size,
      decoded,
      shown: decoded + (shifts[index] ?? 0) - skip,
      ticks: ticks[index] ?? 0,
      isKey: keys === undefined || keys.has(index + 1),
    };
    decoded += sample.ticks;
    return sample;
  });
}

function sizesOf(content: Buffer): number[] {
  const same = content.readUInt32BE(4);
  const count = content.readUInt32BE(8);
  if (count > MOST_SAMPLES)
    throw new Error(`The MP4 has ${count} samples; at most ${MOST_SAMPLES} are supported.`);
  return Array.from({ length: count }, (_, index) =>
    same === 0 ? content.readUInt32BE(12 + index * 4) : same,
  );
}

function offsetsOf(table: Box, sizes: readonly number[]): number[] {
  const short = find(table, 'stco')?.content;
  const long = short === undefined ? one(table, 'co64').content : undefined;
  const count = (short ?? long)?.readUInt32BE(4) ?? 0;
  const perChunk = one(table, 'stsc').content;
  const places: number[] = [];
  let entry = 0;
  for (let chunk = 1; chunk <= count && places.length < sizes.length; chunk += 1) {
    const next = 8 + (entry + 1) * 12;
    if (next < perChunk.length && perChunk.readUInt32BE(next) === chunk) entry += 1;
    let at = short
      ? short.readUInt32BE(4 + chunk * 4)
      : Number(long?.readBigUInt64BE(8 * chunk) ?? 0);
    const samples = perChunk.readUInt32BE(8 + entry * 12 + 4);
    for (let sample = 0; sample < samples && places.length < sizes.length; sample += 1) {
      places.push(at);
      at += sizes[places.length - 1] ?? 0;
    }
  }
  return places;
}

// Pairs of a number of samples and their value.
function runsOf(
  content: Buffer | undefined,
  most: number,
  read: (content: Buffer, at: number) => number,
): number[] {
  const values: number[] = [];
  if (content === undefined) return values;
  for (let entry = 0; entry < content.readUInt32BE(4); entry += 1) {
    const value = read(content, 12 + entry * 8);
    const left = Math.min(content.readUInt32BE(8 + entry * 8), most - values.length);
    for (let sample = 0; sample < left; sample += 1) values.push(value);
  }
  return values;
}

function keysOf(content: Buffer | undefined): ReadonlySet<number> | undefined {
  if (content === undefined) return undefined;
  const count = Math.min(content.readUInt32BE(4), (content.length - 8) / 4);
  return new Set(Array.from({ length: count }, (_, n) => content.readUInt32BE(8 + n * 4)));
}

/** The consecutive boxes in some bytes. */
export function boxesOf(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  let at = 0;
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length)
      throw new Error('An MP4 box is longer than its container.');
    const whole = bytes.subarray(at, at + size);
    boxes.push({ type: whole.toString('latin1', 4, 8), whole, content: whole.subarray(8) });
    at += size;
  }
  return boxes;
}

function find(box: Box | undefined, type: string): Box | undefined {
  return box === undefined ? undefined : boxesOf(box.content).find((inner) => inner.type === type);
}

function one(box: Box, type: string): Box {
  const found = find(box, type);
  if (found === undefined) throw new Error(`The MP4 box ${box.type} has no ${type}.`);
  return found;
}
