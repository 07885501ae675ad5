// Cuts a bare H.264 or H.265 stream, as ffmpeg writes it into a file, into pictures.

const START = Buffer.from([0, 0, 1]);
const LONG_START = Buffer.from([0, 0, 0, 1]);

/** A picture with what must come before it: units with start codes. */
export interface CodedPicture {
  readonly isKey: boolean;
  readonly bytes: Buffer;
}

/** Cuts it. The encoder writes one slice a picture. */
export function picturesOf(stream: Buffer, codec: 'h264' | 'h265'): CodedPicture[] {
  const pictures: CodedPicture[] = [];
  let units: Buffer[] = [];
  for (const unit of unitsOf(stream)) {
    units.push(LONG_START, unit);
    const type = codec === 'h264' ? (unit[0] ?? 0) & 0x1f : ((unit[0] ?? 0) >> 1) & 0x3f;
    const isPicture = codec === 'h264' ? type === 1 || type === 5 : type < 32;
    if (!isPicture) continue;
    const isKey = codec === 'h264' ? type === 5 : type >= 16;
    pictures.push({ isKey, bytes: Buffer.concat(units) });
    units = [];
  }
  return pictures;
}

function unitsOf(stream: Buffer): Buffer[] {
  const units: Buffer[] = [];
  for (let at = stream.indexOf(START); at >= 0; ) {
    const next = stream.indexOf(START, at + START.length);
    // A start code of four bytes has a zero before it.
    const end = next > 0 && stream[next - 1] === 0 ? next - 1 : next;
    units.push(stream.subarray(at + START.length, next < 0 ? undefined : end));
    at = next;
  }
  return units;
}
