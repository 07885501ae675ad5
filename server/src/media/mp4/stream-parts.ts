// A stored MP4 as a stream in parts (HLS with fragmented MP4, RFC 8216; ISO/IEC 14496-12, section 8.8): the parts are
// cut from the stored file when they are asked for, so that nothing is stored twice. Bytes of pictures and sound stay.
import { buffer } from 'node:stream/consumers';
import type { Storage } from '../../storage/storage.ts';
import { box, numbers, tableOf } from './boxes.ts';
import { boxesOf, type Mp4Index, type Sample, type Track } from './mp4-index.ts';

/** A part begins at a picture that stands for itself, and lasts at least this long, s. */
const LEAST_S = 4;

/** A part is held in memory: a film whose pictures all lean on its first one is not cut. */
const MOST_PART_BYTES = 256 * 1024 * 1024;

/** A stretch of the film. */
export interface Part {
  readonly startS: number;
  readonly endS: number;
}

/** Where a film is cut. */
export function partsOf(index: Mp4Index): Part[] {
  const film = filmOf(index);
  const seconds = (ticks: number): number => ticks / film.timescale;
  const starts: number[] = [];
  for (const sample of film.samples) {
    const startS = Math.max(0, seconds(sample.shown));
    if (!sample.isKey || (starts.length > 0 && startS - (starts.at(-1) ?? 0) < LEAST_S)) continue;
    starts.push(starts.length === 0 ? 0 : startS);
  }
  let endS = 0;
  for (const { shown, ticks } of film.samples) endS = Math.max(endS, seconds(shown + ticks));
  return starts.map((startS, number) => ({ startS, endS: starts[number + 1] ?? endS }));
}

function filmOf({ tracks }: Mp4Index): Track {
  const film = tracks.find(({ kind }) => kind === 'video');
  if (film === undefined) throw new Error('an MP4 without pictures');
  return film;
}

/** The head of the stream: how to decode it, without a sample. */
export function headOf({ movie, tracks }: Mp4Index): Buffer {
  const films = boxesOf(movie.content).filter(({ type }) => type === 'mvhd');
  const inner = [...films.map(({ whole }) => whole), ...tracks.map(headTrack)];
  const defaults = tracks.map(({ id }) => box('trex', numbers(0, id, 1, 0, 0, 0)));
  return Buffer.concat([
    box('ftyp', Buffer.from('iso6'), numbers(0), Buffer.from('iso6mp41')),
    box('moov', ...inner, box('mvex', ...defaults)),
  ]);
}

const KEPT_AROUND: readonly string[] = ['mdia', 'minf', 'stbl'];
/** 1 as a fraction of 16 bits. */
const UNCHANGED_RATE = 0x01_00_00;

// The track with an empty table of samples. Its delay is in the times of the parts; what is skipped stays an edit,
// since times before the beginning cannot be written there.
function headTrack({ box: { content }, skip }: Track): Buffer {
  const edit = box('edts', box('elst', numbers(0, 1, 0, skip, UNCHANGED_RATE)));
  const [header, ...others] = innerBoxes('trak', content);
  return box('trak', ...(header === undefined ? [] : [header]), edit, ...others);
}

function innerBoxes(type: string, content: Buffer): Buffer[] {
  const inner = boxesOf(content).flatMap((one) => {
    if (KEPT_AROUND.includes(one.type))
      return [box(one.type, ...innerBoxes(one.type, one.content))];
    if (one.type === 'edts' || (type === 'stbl' && one.type !== 'stsd')) return [];
    return [one.whole];
  });
  const empty = ['stts', 'stsc', 'stco'].map((name) => box(name, numbers(0, 0)));
  return type === 'stbl' ? [...inner, ...empty, box('stsz', numbers(0, 0, 0))] : inner;
}

/**
 * One part of the stream.
 * @param number from 0
 * @returns undefined when there is no such part
 */
export async function readPart(
  storage: Pick<Storage, 'get'>,
  key: string,
  index: Mp4Index,
  number: number,
): Promise<Buffer | undefined> {
  const parts = partsOf(index);
  const part = parts[number];
  if (part === undefined) return undefined;
  const { startS } = part;
  const endS = number === parts.length - 1 ? Number.POSITIVE_INFINITY : part.endS;
  const chosen = index.tracks
    .map((track) => ({ track, samples: samplesWithin(track, startS, endS) }))
    .filter(({ samples }) => samples.length > 0);
  const data = await Promise.all(chosen.map(({ samples }) => readSamples(storage, key, samples)));
  // The places of the samples depend on the length of what stands before them, not on its contents.
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

// In the order of decoding: from one picture that stands for itself to before the next that begins a part.
function samplesWithin(
  { kind, timescale, samples }: Track,
  startS: number,
  endS: number,
): Sample[] {
  const seconds = ({ shown }: Sample): number => shown / timescale;
  if (kind === 'audio') {
    const fromS = startS === 0 ? Number.NEGATIVE_INFINITY : startS;
    return samples.filter((one) => seconds(one) >= fromS && seconds(one) < endS);
  }
  const at = (limitS: number): number => {
    const found = samples.findIndex((one) => one.isKey && seconds(one) >= limitS);
    return found < 0 ? samples.length : found;
  };
  return samples.slice(startS === 0 ? 0 : at(startS), at(endS));
}

async function readSamples(
  storage: Pick<Storage, 'get'>,
  key: string,
  samples: readonly Sample[],
): Promise<Buffer> {
  const from = samples.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const end = samples.reduce((most, { at, size }) => Math.max(most, at + size), 0);
  if (end - from > MOST_PART_BYTES) throw new Error(`a part of ${end - from} bytes`);
  const bytes = await buffer(await storage.get(key, { from, to: end - 1 }));
  return Buffer.concat(samples.map(({ at, size }) => bytes.subarray(at - from, at - from + size)));
}

const BASE_IS_MOOF = 0x02_00_00;
/** Place of the data; length in time, size, flags and shift of each sample. */
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
