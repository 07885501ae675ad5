// The list of a registrar's files, message 0x1205, and the choice of those that are worth an upload.
import { readTime, TIME_BYTES } from '../jt808/bcd.ts';
import { FILE, MEDIA } from './codes.ts';

/** The serial of the query, and the number of files. */
const HEAD_BYTES = 6;
/** Channel, start, end, alarms, content, stream, storage, size. */
const ITEM_BYTES = 28;
const AT = { start: 1, end: 7, media: 21, stream: 22, storage: 23, size: 24 } as const;

/** Fragments that a list becomes; further files are left out. */
export const MOST_FRAGMENTS = 300;
/** Longest fragment, ms: as in the unit interface. */
export const LONGEST_MS = 4 * 3_600_000;
/** A longer file is cut into parts of this length from its start, ms: so each list cuts it alike. */
const PART_MS = 3_600_000;

/** A period, ms since 1970 UTC; the end is excluded. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/** The parts of a file's entry that a command repeats, with numbers of JT/T 1078. */
export interface FileKind {
  readonly media: number;
  readonly stream: number;
  readonly storage: number;
}

/** A file, or a part of one, on the registrar. */
export interface RegistrarFile extends FileKind, Period {
  /** 0: unknown. */
  readonly sizeBytes: number;
}

/**
 * Reads the files of a channel. It throws nothing; items without a time, those that end before they start, and those
 * that are cut off are left out. The number of files is not believed.
 * @param body of message 0x1205
 * @param clockHours how far the terminal's clock is ahead of UTC, hours
 */
export function readFileList(body: Buffer, channel: number, clockHours: number): RegistrarFile[] {
  const files: RegistrarFile[] = [];
  for (let at = HEAD_BYTES; at + ITEM_BYTES <= body.length; at += ITEM_BYTES) {
    const item = body.subarray(at, at + ITEM_BYTES);
    const startMs = readTime(item, AT.start, clockHours);
    const endMs = readTime(item, AT.start + TIME_BYTES, clockHours);
    if (item[0] !== channel || startMs === undefined || endMs === undefined) continue;
    if (endMs <= startMs) continue;
    files.push({
      ...{ startMs, endMs, sizeBytes: item.readUInt32BE(AT.size) },
      media: item.readUInt8(AT.media),
      stream: item.readUInt8(AT.stream),
      storage: item.readUInt8(AT.storage),
    });
  }
  return files;
}

/**
 * Chooses the files of a range: each moment once, the main stream before the sub stream, the main storage before its
 * copy. A file that is hardly more than a chosen one is left out, and so is sound without pictures, and what has not
 * ended.
 * @param endedMs files that end later are still written, ms since 1970 UTC
 * @returns at most MOST_FRAGMENTS, in order of time
 */
export function chooseFiles(
  files: readonly RegistrarFile[],
  range: Period,
  endedMs: number,
): RegistrarFile[] {
  const chosen: RegistrarFile[] = [];
  const wanted = files
    .filter(({ media, endMs }) => media !== MEDIA.audio && endMs <= endedMs)
    .flatMap((file) => partsOf(file, range))
    .sort((a, b) => rankOf(a) - rankOf(b) || a.startMs - b.startMs || b.endMs - a.endMs);
  for (const file of wanted) {
    if (chosen.length === MOST_FRAGMENTS) break;
    const sharedMs = chosen.reduce((sum, other) => sum + overlapMs(file, other), 0);
    if (2 * sharedMs < file.endMs - file.startMs) chosen.push(file);
  }
  return chosen.sort((a, b) => a.startMs - b.startMs);
}

// The file, or the parts of a long one, that lie in the range at least partly.
function partsOf(file: RegistrarFile, range: Period): RegistrarFile[] {
  if (overlapMs(file, range) === 0) return [];
  if (file.endMs - file.startMs <= LONGEST_MS) return [file];
  const parts: RegistrarFile[] = [];
  const before = Math.max(0, Math.floor((range.startMs - file.startMs) / PART_MS));
  for (let n = before; parts.length < MOST_FRAGMENTS; n += 1) {
    const startMs = file.startMs + n * PART_MS;
    const endMs = Math.min(startMs + PART_MS, file.endMs);
    if (startMs >= Math.min(range.endMs, file.endMs)) break;
    parts.push({ ...file, startMs, endMs, sizeBytes: 0 });
  }
  return parts;
}

const rankOf = ({ stream, storage }: FileKind): number =>
  (stream === FILE.second ? 2 : 0) + (storage === FILE.second ? 1 : 0);

const overlapMs = (one: Period, other: Period): number =>
  Math.max(0, Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs));
