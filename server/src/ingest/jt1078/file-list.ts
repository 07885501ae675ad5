// The list of a registrar's files, message 0x1205, and the times that files share.
import { readTime, TIME_BYTES } from '../jt808/bcd.ts';

/** The serial of the query, and the number of files. */
const HEAD_BYTES = 6;
/** Channel, start, end, alarms, content, stream, storage, size. */
const ITEM_BYTES = 28;
const AT = { start: 1, end: 7, media: 21, stream: 22, storage: 23, size: 24 } as const;

/** Longest fragment, ms: as in the unit interface. */
export const LONGEST_MS = 4 * 3_600_000;
/** A shorter part of a file is none, and files that overlap at their edges for less stay whole, ms. */
export const LEAST_PART_MS = 10_000;

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

/** How long two periods overlap, ms. */
export const overlapMs = (one: Period, other: Period): number =>
  Math.max(0, Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs));

/** A part of a file, whose size is unknown unless it is the whole file. */
export function partOf(file: RegistrarFile, { startMs, endMs }: Period): RegistrarFile {
  const isWhole = startMs === file.startMs && endMs === file.endMs;
  return isWhole ? file : { ...file, startMs, endMs, sizeBytes: 0 };
}

/** Whether a part of a file is worth a fragment. */
export const isWorth = (part: Period, file: Period): boolean =>
  part.endMs - part.startMs >= LEAST_PART_MS ||
  (part.startMs === file.startMs && part.endMs === file.endMs);

/**
 * The parts of a file outside other periods, in order of time, also short ones.
 * @param others in order of their starts
 */
export function partsOutside(file: RegistrarFile, others: readonly Period[]): RegistrarFile[] {
  const parts: RegistrarFile[] = [];
  let atMs = file.startMs;
  for (const other of others) {
    if (!isCutting(other, file)) continue;
    const { startMs, endMs } = other;
    if (startMs > atMs) parts.push(partOf(file, { startMs: atMs, endMs: startMs }));
    atMs = Math.max(atMs, endMs);
  }
  if (atMs < file.endMs) parts.push(partOf(file, { startMs: atMs, endMs: file.endMs }));
  return parts;
}

// A file may begin before the one before it ends. It stays whole then: its registrar knows it by its own times.
function isCutting(other: Period, file: Period): boolean {
  const sharedMs = overlapMs(file, other);
  const isAtEdge =
    (other.startMs < file.startMs && other.endMs < file.endMs) ||
    (other.startMs > file.startMs && other.endMs > file.endMs);
  const isSlight = sharedMs < LEAST_PART_MS && 2 * sharedMs < file.endMs - file.startMs;
  return sharedMs > 0 && !(isAtEdge && isSlight);
}
