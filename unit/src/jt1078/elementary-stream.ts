// Cuts a bare H.264 or H.265 stream, as ffmpeg writes it, into pictures.

const START = Buffer.from([0, 0, 1]);
const LONG_START = Buffer.from([0, 0, 0, 1]);

/** A picture with what must come before it: units with start codes. */
export interface CodedPicture {
  readonly isKey: boolean;
  readonly bytes: Buffer;
}

/** Cuts a stream that is still being written. */
export interface PictureReader {
  /** Takes bytes. @returns the pictures that are whole by now: the next unit has begun behind them */
  push(bytes: Buffer): CodedPicture[];
  /** Ends the stream. @returns the last picture, if there is one */
  end(): CodedPicture[];
}

/** Cuts a whole stream. The encoder writes one slice a picture. */
export function picturesOf(stream: Buffer, codec: 'h264' | 'h265'): CodedPicture[] {
  const reader = createPictureReader(codec);
  return [...reader.push(stream), ...reader.end()];
}

/** Creates a reader. The encoder writes one slice a picture. */
export function createPictureReader(codec: 'h264' | 'h265'): PictureReader {
  /** Bytes from the start code of the unit that is not whole yet. */
  let rest: Buffer = Buffer.alloc(0);
  /** The whole units before the next picture. */
  let units: Buffer[] = [];

  function take(unit: Buffer): CodedPicture[] {
    units.push(LONG_START, unit);
    const type = codec === 'h264' ? (unit[0] ?? 0) & 0x1f : ((unit[0] ?? 0) >> 1) & 0x3f;
    const isPicture = codec === 'h264' ? type === 1 || type === 5 : type < 32;
    if (!isPicture) return [];
    const isKey = codec === 'h264' ? type === 5 : type >= 16;
    const bytes = Buffer.concat(units);
    units = [];
    return [{ isKey, bytes }];
  }

  return {
    push: (bytes) => {
      const stream = Buffer.concat([rest, bytes]);
      const pictures: CodedPicture[] = [];
      let at = stream.indexOf(START);
      if (at < 0) {
        rest = stream;
        return pictures;
      }
      for (;;) {
        const next = stream.indexOf(START, at + START.length);
        if (next < 0) break;
        // A start code of four bytes has a zero before it.
        const end = stream[next - 1] === 0 ? next - 1 : next;
        pictures.push(...take(stream.subarray(at + START.length, end)));
        at = next;
      }
      rest = stream.subarray(at);
      return pictures;
    },
    end: () => {
      const last = rest.subarray(START.length);
      const hasUnit = rest.indexOf(START) === 0;
      rest = Buffer.alloc(0);
      return hasUnit ? take(last) : [];
    },
  };
}
