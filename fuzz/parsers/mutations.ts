// Damage of a frame: what links and faulty devices make of it.
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import { pick } from '../values.ts';
import type { Frames } from './parser.ts';

/** Bytes that mean something in one of the protocols, and those at the ends of ranges. */
const NOTABLE = [0x00, 0x01, 0x0a, 0x0b, 0x0d, 0x10, 0x7d, 0x7e, 0x7f, 0x80, 0xff] as const;
const MOST_MUTATIONS = 3;
const MOST_INSERTED = 40;
const MOST_FLIPS = 8;
/** Most bytes of a frame after its mutations. */
const MOST_BYTES = 200_000;
/** Share of damaged frames whose checksums are made right: a device that counts nonsense. */
const REPAIRED = 0.4;

type Mutate = (chance: Chance, frame: Buffer, frames: Frames) => Buffer;

const below = (chance: Chance, from: number, to: number): number =>
  Math.floor(chance.between(from, to));

/** A place and a later one in a frame. */
function rangeIn(chance: Chance, frame: Buffer): [number, number] {
  const from = below(chance, 0, frame.length);
  return [from, Math.min(frame.length, from + below(chance, 1, frame.length / 2 + 2))];
}

const mutations: readonly Mutate[] = [
  function flipBits(chance, frame) {
    const changed = Buffer.from(frame);
    for (let left = below(chance, 1, MOST_FLIPS + 1); left > 0; left -= 1) {
      const at = below(chance, 0, changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << below(chance, 0, 8));
    }
    return changed;
  },
  function setBytes(chance, frame) {
    const changed = Buffer.from(frame);
    const [from, to] = rangeIn(chance, frame);
    const end = chance.happens(0.7) ? from + 1 : to;
    return changed.fill(pick(chance, NOTABLE), from, end);
  },
  function loseEnd(chance, frame) {
    return frame.subarray(0, below(chance, 0, frame.length));
  },
  function loseBeginning(chance, frame) {
    return frame.subarray(below(chance, 0, frame.length));
  },
  function losePiece(chance, frame) {
    const [from, to] = rangeIn(chance, frame);
    return Buffer.concat([frame.subarray(0, from), frame.subarray(to)]);
  },
  function repeatPiece(chance, frame) {
    const [from, to] = rangeIn(chance, frame);
    const piece = frame.subarray(from, to);
    const times = Array.from({ length: below(chance, 1, 4) }, () => piece);
    return Buffer.concat([frame.subarray(0, to), ...times, frame.subarray(to)]);
  },
  function insertBytes(chance, frame) {
    const at = below(chance, 0, frame.length + 1);
    const bytes = Array.from({ length: below(chance, 1, MOST_INSERTED) }, () =>
      chance.happens(0.3) ? pick(chance, NOTABLE) : below(chance, 0, 256),
    );
    return Buffer.concat([frame.subarray(0, at), Buffer.from(bytes), frame.subarray(at)]);
  },
  function insertFrame(chance, frame, frames) {
    const at = below(chance, 0, frame.length + 1);
    return Buffer.concat([frame.subarray(0, at), frames.makeFrame(chance), frame.subarray(at)]);
  },
  function joinPieces(chance, frame, frames) {
    const other = frames.makeFrame(chance);
    const [from, to] = rangeIn(chance, other);
    return Buffer.concat([
      frame.subarray(0, below(chance, 0, frame.length)),
      other.subarray(from, to),
    ]);
  },
  function changeLength(chance, frame, frames) {
    return frames.changeLength(chance, frame);
  },
];

/** Damages a frame. @returns its bytes, which may be sound by chance, or because its checksums are made right */
export function mutate(chance: Chance, frame: Buffer, frames: Frames): Buffer {
  let bytes = frame;
  for (let left = below(chance, 1, MOST_MUTATIONS + 1); left > 0; left -= 1) {
    if (bytes.length === 0 || bytes.length > MOST_BYTES) break;
    bytes = pick(chance, mutations)(chance, bytes, frames);
  }
  return chance.happens(REPAIRED) ? frames.repair(bytes) : bytes;
}

/** Splits bytes as TCP may: anywhere, mostly in few pieces. */
export function splitAtRandom(chance: Chance, bytes: Buffer): Buffer[] {
  const size = chance.happens(0.1) ? 8 : below(chance, 1, bytes.length + 2);
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = from + below(chance, 1, size + 1);
    // A socket gives each piece in memory of its own.
    pieces.push(Buffer.from(bytes.subarray(from, to)));
    from = to;
  }
  return pieces;
}
