// Cuts a stream of bytes into frames. A frame stands between two bytes 0x7e, which occur nowhere else: so whatever is damaged
// costs its own frame, or the two that a damaged border joins, and the next border is in step again.
import { inOwnMemory } from '../../core/own-memory.ts';
import { MOST_BODY_BYTES, MOST_HEADER_BYTES } from './codes.ts';

const NONE = Buffer.alloc(0);
const BORDER = 0x7e;
const ESCAPE = 0x7d;
/** The byte after an escape, and the byte that both stand for. */
const ESCAPED: { readonly [second: number]: number | undefined } = { 1: ESCAPE, 2: BORDER };
/** Longest frame without its borders, when each of its bytes is escaped. */
const MOST_FRAME_BYTES = 2 * (MOST_HEADER_BYTES + MOST_BODY_BYTES + 1);
/** Most bytes since the last sound frame, borders included. */
const MOST_DAMAGED_BYTES = 2 ** 20;

export interface FrameReader {
  /** Takes bytes as they arrive. */
  push(bytes: Buffer): void;
  /** The header and body of the next frame whose checksum is right; undefined until more bytes arrive. */
  next(): Buffer | undefined;
  /** Whether so much was damaged that the other side hardly speaks the protocol. */
  isLost(): boolean;
}

/** Makes the reader of one connection. It keeps at most the bytes of one frame and of the last push. */
export function createFrameReader(): FrameReader {
  /** Bytes that arrived, and where the next frame begins in them. */
  let bytes: Buffer = NONE;
  let from = 0;
  /** The beginning of a frame whose end has not come; null: it is too long for one. */
  let begun: Buffer | null = NONE;
  /** Bytes since the last sound frame. */
  let unsound = 0;

  const join = (part: Buffer): Buffer | null => {
    unsound += part.length;
    if (begun === null || begun.length + part.length > MOST_FRAME_BYTES) return null;
    return begun.length === 0 ? part : Buffer.concat([begun, part]);
  };

  return {
    push: (more) => {
      bytes = from < bytes.length ? Buffer.concat([bytes.subarray(from), more]) : more;
      from = 0;
    },
    next: () => {
      while (from < bytes.length) {
        const border = bytes.indexOf(BORDER, from);
        const framed = join(bytes.subarray(from, border < 0 ? undefined : border));
        if (border < 0) {
          // A view would keep all of the read bytes of an idle connection.
          begun = framed && inOwnMemory(framed);
          [bytes, from] = [NONE, 0];
          return undefined;
        }
        [begun, from] = [NONE, border + 1];
        unsound += 1;
        const content = framed && readContent(framed);
        if (content) {
          unsound = 0;
          return content;
        }
      }
      return undefined;
    },
    isLost: () => unsound > MOST_DAMAGED_BYTES,
  };
}

// Header and body; undefined for a wrong checksum or an escape that is none, and for the nothing between two frames.
function readContent(framed: Buffer): Buffer | undefined {
  if (framed.length === 0) return undefined;
  const plain = framed.includes(ESCAPE) ? withoutEscapes(framed) : framed;
  if (plain === undefined || checksumOf(plain) !== 0) return undefined;
  return plain.subarray(0, -1);
}

function withoutEscapes(framed: Buffer): Buffer | undefined {
  const plain = Buffer.allocUnsafe(framed.length);
  let length = 0;
  for (let at = 0; at < framed.length; at += 1) {
    let byte = framed[at];
    if (byte === ESCAPE) {
      at += 1;
      byte = ESCAPED[framed[at] ?? 0];
    }
    if (byte === undefined) return undefined;
    plain[length] = byte;
    length += 1;
  }
  return plain.subarray(0, length);
}

/** The frame of a header and a body, with its checksum and borders. */
export function frameOf(content: Buffer): Buffer {
  const plain = [...content, checksumOf(content)];
  const escaped = plain.flatMap((byte) => {
    if (byte === BORDER) return [ESCAPE, 2];
    return byte === ESCAPE ? [ESCAPE, 1] : [byte];
  });
  return Buffer.from([BORDER, ...escaped, BORDER]);
}

function checksumOf(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) sum ^= byte;
  return sum;
}
