// Cuts a fragmented MP4 (ISO/IEC 14496-12, 8.8) that a muxer writes into a pipe into the pieces of a live stream: the head,
// and segments of a moof and an mdat each.

/** Flags of the boxes that say how long samples are (8.8.7, 8.8.8). */
const TRACK = { base: 0x1, description: 0x2, duration: 0x8 } as const;
const RUN = { offset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400 } as const;
const RUN_TIMES = 0x800;

/** A piece of a stream. */
export type LivePiece =
  | { readonly kind: 'head'; readonly bytes: Buffer }
  | { readonly kind: 'segment'; readonly bytes: Buffer; readonly seconds: number };

/**
 * Makes the cutter of one stream.
 * @param mostBytes of a piece
 * @param startS is added to the times of all segments, so that those of a stream that begins anew follow the earlier ones
 * @returns takes bytes, and gives the pieces that are whole by now
 * @throws Error for a piece that is too long, and for bytes that are none
 */
export function createFragmentCutter(
  mostBytes: number,
  startS: number,
): (bytes: Buffer) => LivePiece[] {
  let chunks: Buffer[] = [];
  let length = 0;
  /** Boxes of the piece that is not whole. */
  let boxes: Buffer[] = [];
  let timescale = 0;

  // The next box, once all of it is there; bytes are joined only then.
  const takeBox = (): Buffer | undefined => {
    if (length < 8) return undefined;
    if ((chunks[0]?.length ?? 0) < 8) chunks = [Buffer.concat(chunks)];
    const bytes = chunks[0]?.readUInt32BE(0) ?? 0;
    const before = boxes.reduce((sum, box) => sum + box.length, 0);
    if (bytes < 8 || before + bytes > mostBytes) throw new Error('a piece is too long');
    if (length < bytes) return undefined;
    const all = Buffer.concat(chunks);
    [chunks, length] = [[all.subarray(bytes)], length - bytes];
    return all.subarray(0, bytes);
  };
  const takePiece = (type: string): LivePiece | undefined => {
    const bytes = Buffer.concat(boxes);
    if (type === 'moov') {
      timescale = readTimescale(boxes.at(-1) ?? bytes);
      boxes = [];
      return { kind: 'head', bytes };
    }
    if (type !== 'mdat') return undefined;
    boxes = [];
    const ticks = readTicks(bytes);
    shift(bytes, Math.round(startS * timescale));
    return { kind: 'segment', bytes, seconds: timescale > 0 ? ticks / timescale : 0 };
  };

  return (bytes) => {
    chunks.push(bytes);
    length += bytes.length;
    const pieces: LivePiece[] = [];
    for (let box = takeBox(); box !== undefined; box = takeBox()) {
      boxes.push(box);
      const piece = takePiece(typeOf(box));
      if (piece !== undefined) pieces.push(piece);
    }
    return pieces;
  };
}

const typeOf = (box: Buffer): string => box.toString('latin1', 4, 8);

/** The content of the first box at a path, without its header; undefined: there is none. */
function find(bytes: Buffer, [type, ...rest]: readonly string[]): Buffer | undefined {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) return undefined;
    const box = bytes.subarray(at, at + size);
    if (typeOf(box) === type) {
      return rest.length === 0 ? box.subarray(8) : find(box.subarray(8), rest);
    }
    at += size;
  }
  return undefined;
}

// Ticks of a second in the only track.
function readTimescale(moov: Buffer): number {
  const head = find(moov, ['moov', 'trak', 'mdia', 'mdhd']);
  if (head === undefined) throw new Error('no track');
  return head.readUInt32BE(head[0] === 1 ? 20 : 12);
}

// How long a segment is: the sum of its samples, in ticks.
function readTicks(segment: Buffer): number {
  const track = find(segment, ['moof', 'traf', 'tfhd']);
  const run = find(segment, ['moof', 'traf', 'trun']);
  if (track === undefined || run === undefined) throw new Error('no samples');
  const trackFlags = track.readUInt32BE(0);
  const durationAt =
    8 + (trackFlags & TRACK.base ? 8 : 0) + (trackFlags & TRACK.description ? 4 : 0);
  const usual = trackFlags & TRACK.duration ? track.readUInt32BE(durationAt) : 0;
  const runFlags = run.readUInt32BE(0);
  const samples = run.readUInt32BE(4);
  if (!(runFlags & RUN.duration)) return samples * usual;
  const entryBytes =
    [RUN.duration, RUN.size, RUN.flags, RUN_TIMES].filter((flag) => runFlags & flag).length * 4;
  let at = 8 + (runFlags & RUN.offset ? 4 : 0) + (runFlags & RUN.firstFlags ? 4 : 0);
  let ticks = 0;
  for (let n = 0; n < samples && at + 4 <= run.length; n += 1) {
    ticks += run.readUInt32BE(at);
    at += entryBytes;
  }
  return ticks;
}

// Moves a segment on its track.
function shift(segment: Buffer, ticks: number): void {
  const time = find(segment, ['moof', 'traf', 'tfdt']);
  if (time === undefined) throw new Error('no time');
  if (time[0] === 1) time.writeBigUInt64BE(time.readBigUInt64BE(4) + BigInt(ticks), 4);
  else time.writeUInt32BE((time.readUInt32BE(4) + ticks) % 2 ** 32, 4);
}
