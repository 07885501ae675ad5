// Lists of a registrar's files (message 0x1205) for the run of JT/T 808: those of the registrar's encoder, and what the server
// reads and chooses of them.
import { isDeepStrictEqual } from 'node:util';
import { chooseFiles, MOST_FRAGMENTS } from '@ridewatch/server/src/ingest/jt1078/chosen-files.ts';
import {
  LONGEST_MS,
  type RegistrarFile,
  readFileList,
} from '@ridewatch/server/src/ingest/jt1078/file-list.ts';
import { bcdTime } from '@ridewatch/unit/src/jt808/bodies.ts';
import { filesBody } from '@ridewatch/unit/src/jt1078/messages.ts';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import { whole } from '../values.ts';

const HOUR_MS = 3_600_000;
/** The serial of the query, and the number of files. */
const HEAD_BYTES = 6;
const ITEM_BYTES = 28;
const MOST_CHANNEL = 3;

/** The body of a list of a few channels. @param fromMs start of its first file, ms since 1970 UTC */
export function makeFileList(chance: Chance, fromMs: number): Buffer {
  let startMs = fromMs;
  const files = Array.from({ length: whole(chance, 0, 12) }, () => {
    const endMs = startMs + whole(chance, 1, chance.happens(0.1) ? 40_000 : 1800) * 1000;
    const file = { channel: whole(chance, 1, MOST_CHANNEL), startMs, endMs };
    // Some begin before the one before them ends.
    startMs = endMs + whole(chance, -300, 300) * 1000;
    return { ...file, sizeBytes: whole(chance, 0, 0xffff_ffff) };
  });
  return filesBody(whole(chance, 0, 0xffff), files, whole(chance, -12, 14));
}

/**
 * Reads a list as the server does.
 * @param clockHours how far the terminal's clock is ahead of UTC, hours
 * @throws Error for a file that the list has not, or one that is left out, and for a fragment that no upload can be
 */
export function checkFileList(body: Buffer, clockHours: number): void {
  for (let channel = 1; channel <= MOST_CHANNEL; channel += 1) {
    const files = readFileList(body, channel, clockHours);
    const own = filesIn(body, channel, clockHours);
    if (!isDeepStrictEqual(files, own)) {
      throw new Error(`reads ${JSON.stringify(files)} where the list has ${JSON.stringify(own)}`);
    }
    checkChoice(files);
  }
}

function checkChoice(files: readonly RegistrarFile[]): void {
  const [first] = files;
  if (first === undefined) return;
  const range = { startMs: first.startMs - 2 * HOUR_MS, endMs: first.endMs + 2 * HOUR_MS };
  const chosen = chooseFiles(files, range, { endedMs: range.endMs }).files;
  const isOwn = chosen.every((part) => {
    const { startMs, endMs } = part;
    const isIn = files.some((file) => file.startMs <= startMs && endMs <= file.endMs);
    return isIn && endMs > startMs && endMs - startMs <= LONGEST_MS;
  });
  if (!isOwn || chosen.length > MOST_FRAGMENTS) {
    throw new Error(`chooses ${JSON.stringify(chosen)} of ${JSON.stringify(files)}`);
  }
}

/** The files of a list, by code that shares nothing with the server. */
function filesIn(body: Buffer, channel: number, clockHours: number): RegistrarFile[] {
  const count = Math.max(0, Math.floor((body.length - HEAD_BYTES) / ITEM_BYTES));
  return Array.from({ length: count }, (_, n) =>
    body.subarray(HEAD_BYTES + n * ITEM_BYTES),
  ).flatMap((item) => {
    const [startMs, endMs] = [timeIn(item.subarray(1, 7)), timeIn(item.subarray(7, 13))];
    if (item[0] !== channel || startMs === undefined || endMs === undefined) return [];
    if (endMs <= startMs) return [];
    const [media = 0, stream = 0, storage = 0] = item.subarray(21, 24);
    const aheadMs = clockHours * HOUR_MS;
    const period = { startMs: startMs - aheadMs, endMs: endMs - aheadMs };
    return [{ ...period, sizeBytes: item.readUInt32BE(24), media, stream, storage }];
  });
}

// A time that is the same when it is written again.
function timeIn(bytes: Buffer): number | undefined {
  const digits = bytes.toString('hex');
  const [year, month, day, ...time] = digits.match(/../g) ?? [];
  const timeMs = Date.parse(`20${year}-${month}-${day}T${time.join(':')}Z`);
  if (Number.isNaN(timeMs)) return undefined;
  return bcdTime(timeMs, 0).equals(bytes) ? timeMs : undefined;
}
