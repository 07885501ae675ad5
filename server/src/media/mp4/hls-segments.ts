// A stored MP4 as HLS with fragmented MP4 (RFC 8216; ISO/IEC 14496-12, section 8.8). Segments are cut from the stored
// file on request, so nothing is stored twice. The samples of video and audio are copied unchanged.
import { buffer } from 'node:stream/consumers';
import type { Storage } from '../../storage/storage.ts';
import { box, numbers, tableOf } from './boxes.ts';
import { FRAME_SAMPLES } from './formats.ts';
import { boxesOf, type Mp4Index, type Sample, type Track } from './mp4-index.ts';
import { canBeSilent, endOf, type StreamSample, silenceWithin } from './silence.ts';

/** A segment begins at a keyframe and lasts at least this long, s. */
const MIN_S = 4;
/**
 * All tracks last at least this long in the last segment, s. Browsers play as far as all tracks go, and hls.js takes a
 * last segment that does not lengthen that for a gap: then the stream never ends.
 */
const MIN_LAST_S = 1;

/** A segment is held in memory. A video whose only keyframe is its first frame cannot be cut. */
const MAX_SEGMENT_BYTES = 256 * 1024 * 1024;

/** A segment, by its times in the video. */
export interface HlsSegment {
  readonly startS: number;
  readonly endS: number;
}

/**
 * The segments of a video. A last keyframe that would begin a segment of less than a second belongs to the one before.
 * @throws Error when it has no video track
 */
export function hlsSegmentsOf(index: Mp4Index): HlsSegment[] {
  const video = videoTrackOf(index);
  const seconds = (ticks: number): number => ticks / video.timescale;
  const starts: number[] = [];
  for (const sample of video.samples) {
    const startS = Math.max(0, seconds(sample.shown));
    if (!sample.isKey || (starts.length > 0 && startS - (starts.at(-1) ?? 0) < MIN_S)) continue;
    starts.push(starts.length === 0 ? 0 : startS);
  }
  const endS = endOf(video);
  const sounds = index.tracks.filter((track) => track.kind === 'audio' && !canBeSilent(track));
  const lastS = Math.min(endS, ...sounds.map(endOf));
  while (starts.length > 1 && lastS - (starts.at(-1) ?? 0) < MIN_LAST_S) starts.pop();
  return starts.map((startS, number) => ({ startS, endS: starts[number + 1] ?? endS }));
}

function videoTrackOf({ tracks }: Mp4Index): Track {
  const video = tracks.find(({ kind }) => kind === 'video');
  if (video === undefined) throw new Error('The MP4 has no video track.');
  return video;
}

/** The initialization segment: how to decode the stream, without samples. */
export function initSegmentOf({ movie, tracks }: Mp4Index): Buffer {
  const headers = boxesOf(movie.content).filter(({ type }) => type === 'mvhd');
  const inner = [...headers.map(({ whole }) => whole), ...tracks.map(headTrack)];
  const defaults = tracks.map(({ id }) => box('trex', numbers(0, id, 1, 0, 0, 0)));
  return Buffer.concat([
    box('ftyp', Buffer.from('iso6'), numbers(0), Buffer.from('iso6mp41')),
    box('moov', ...inner, box('mvex', ...defaults)),
  ]);
}

const REWRITTEN: readonly string[] = ['mdia', 'minf', 'stbl'];
/** 1 as a fraction of 16 bits. */
const UNCHANGED_RATE = 0x01_00_00;

// The track with empty sample tables. Its delay is in the times of the segments. What is skipped stays an edit, because
// a segment cannot hold a time below 0.
function headTrack({ box: { content }, skip }: Track): Buffer {
  const edit = box('edts', box('elst', numbers(0, 1, 0, skip, UNCHANGED_RATE)));
  const [header, ...others] = innerBoxes('trak', content);
  return box('trak', ...(header === undefined ? [] : [header]), edit, ...others);
}

function innerBoxes(type: string, content: Buffer): Buffer[] {
  const inner = boxesOf(content).flatMap((one) => {
    if (REWRITTEN.includes(one.type)) return [box(one.type, ...innerBoxes(one.type, one.content))];
    if (one.type === 'edts' || (type === 'stbl' && one.type !== 'stsd')) return [];
    return [one.whole];
  });
  const empty = ['stts', 'stsc', 'stco'].map((name) => box(name, numbers(0, 0)));
  return type === 'stbl' ? [...inner, ...empty, box('stsz', numbers(0, 0, 0))] : inner;
}

/**
 * Reads one segment.
 * @param number from 0
 * @returns undefined when there is no such segment
 * @throws Error when the segment is larger than MAX_SEGMENT_BYTES
 */
export async function readHlsSegment(
  storage: Pick<Storage, 'get'>,
  key: string,
  index: Mp4Index,
  number: number,
): Promise<Buffer | undefined> {
  const segments = hlsSegmentsOf(index);
  const segment = segments[number];
  if (segment === undefined) return undefined;
  const { startS } = segment;
  const isLast = number === segments.length - 1;
  const endS = isLast ? Number.POSITIVE_INFINITY : segment.endS;
  const videoEndS = segments.at(-1)?.endS ?? 0;
  const chosen = index.tracks
    .map((track) => ({
      track,
      samples:
        track.kind === 'video'
          ? framesWithin(track, startS, endS)
          : soundWithin(track, startS, endS, videoEndS),
    }))
    .filter(({ samples }) => samples.length > 0);
  const data = await Promise.all(chosen.map(({ samples }) => readSamples(storage, key, samples)));
  // The offsets of the samples depend on the length of the boxes before them, not on their contents.
  const describe = (from: number): Buffer => {
    let at = from;
    const runs = chosen.map(({ track, samples }, n) => {
      const run = describeRun(track, samples, at);
      at += data[n]?.length ?? 0;
      return run;
    });
    return box('moof', box('mfhd', numbers(0, number + 1)), ...runs);
  };
  return Buffer.concat([describe(describe(0).length + 8), box('mdat', ...data)]);
}

// In decoding order, from the keyframe at which the segment begins to the one before which it ends.
function framesWithin({ timescale, samples }: Track, startS: number, endS: number): Sample[] {
  const at = (limitS: number): number => {
    const found = samples.findIndex(({ isKey, shown }) => isKey && shown / timescale >= limitS);
    return found < 0 ? samples.length : found;
  };
  return samples.slice(startS === 0 ? 0 : at(startS), at(endS));
}

// The first segment has the priming, too, which is before 0.
function soundWithin(
  track: Track,
  startS: number,
  endS: number,
  videoEndS: number,
): StreamSample[] {
  const fromS = startS === 0 ? Number.NEGATIVE_INFINITY : startS;
  const heard = track.samples.filter(({ shown }) => {
    const atS = shown / track.timescale;
    return atS >= fromS && atS < endS;
  });
  const { before, after } = silenceWithin(track, { fromS: startS, toS: endS, endS: videoEndS });
  const last = heard.at(-1);
  // The last sample of a file may be shortened; silence follows the whole frame.
  const isShort = after.length > 0 && last !== undefined && last === track.samples.at(-1);
  return [
    ...before,
    ...(isShort ? heard.with(-1, { ...last, ticks: FRAME_SAMPLES }) : heard),
    ...after,
  ];
}

async function readSamples(
  storage: Pick<Storage, 'get'>,
  key: string,
  samples: readonly StreamSample[],
): Promise<Buffer> {
  const stored = samples.filter(({ silence }) => silence === undefined);
  if (stored.length === 0) return Buffer.concat(samples.flatMap(({ silence }) => silence ?? []));
  const from = stored.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const end = stored.reduce((most, { at, size }) => Math.max(most, at + size), 0);
  if (end - from > MAX_SEGMENT_BYTES)
    throw new Error(
      `An HLS segment has ${end - from} bytes; at most ${MAX_SEGMENT_BYTES} are supported.`,
    );
  const bytes = await buffer(await storage.get(key, { from, to: end - 1 }));
  return Buffer.concat(
    samples.map(({ at, size, silence }) => silence ?? bytes.subarray(at - from, at - from + size)),
  );
}

const BASE_IS_MOOF = 0x02_00_00;
/** Data offset; duration, size, flags and composition time offset of each sample. */
const RUN_FLAGS = 0x01 | 0x01_00 | 0x02_00 | 0x04_00 | 0x08_00;
const STANDS_ALONE = 0x02_00_00_00;
const DEPENDS = 0x01_01_00_00;

function describeRun({ id, skip }: Track, samples: readonly Sample[], dataAt: number): Buffer {
  const entries = samples.flatMap(({ ticks, size, isKey, shown, decoded }) => [
    ticks,
    size,
    isKey ? STANDS_ALONE : DEPENDS,
    (shown - decoded + skip) >>> 0,
  ]);
  const start = Buffer.alloc(8);
  start.writeBigUInt64BE(BigInt(samples[0]?.decoded ?? 0));
  return box(
    'traf',
    box('tfhd', numbers(BASE_IS_MOOF, id)),
    box('tfdt', numbers(0x01_00_00_00), start),
    box('trun', tableOf([0x01_00_00_00 | RUN_FLAGS, samples.length, dataAt, ...entries])),
  );
}
