// Whether a file ends before its own container does: a recorder lost its power, or a copy was interrupted.
import { type FileHandle, open } from 'node:fs/promises';
import type { ContainerName } from './containers.ts';
import { segmentEndOf } from './doc-type.ts';
import { readLayout } from './mp4/mp4-boxes.ts';

/** The sync byte of a packet of a transport stream (ISO/IEC 13818-1, section 2.4.3.2). */
const SYNC = 0x47;
/** Lengths of its packets: plain, with a timestamp in front, with error correction behind. */
const PACKETS = [
  { bytes: 188, syncAt: 0 },
  { bytes: 192, syncAt: 4 },
  { bytes: 204, syncAt: 0 },
];
/** A size that a writer leaves when it cannot know the length. */
const UNKNOWN_RIFF_SIZES = [0, 0xff_ff_ff_ff];

/**
 * Whether the container announces more than the file has. False where a container does not say how long it is: raw
 * streams, Matroska without a size.
 */
export async function isCutShort(file: string, container: ContainerName): Promise<boolean> {
  if (container === 'mp4' || container === 'mov') return (await readLayout(file)).isBrokenOff;
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const check = checks[container];
    return check === undefined ? false : await check(handle, size);
  } finally {
    await handle.close();
  }
}

type Check = (handle: FileHandle, sizeBytes: number) => Promise<boolean>;

const isMatroskaCut: Check = async (handle, sizeBytes) => {
  const end = segmentEndOf(await bytesAt(handle, 0, 4096));
  return end !== undefined && end > sizeBytes;
};

const checks: Readonly<Partial<Record<ContainerName, Check>>> = {
  matroska: isMatroskaCut,
  webm: isMatroskaCut,
  mpegts: async (handle, sizeBytes) => {
    const head = await bytesAt(handle, 0, 3 * 204);
    const packet = PACKETS.find(({ bytes, syncAt }) =>
      [0, 1, 2].every((index) => head[syncAt + index * bytes] === SYNC),
    );
    return packet !== undefined && sizeBytes % packet.bytes !== 0;
  },
  // The first chunk; a long file has further ones (OpenDML 1.02).
  avi: async (handle, sizeBytes) => {
    const head = await bytesAt(handle, 0, 8);
    if (head.length < 8 || head.toString('latin1', 0, 4) !== 'RIFF') return false;
    const size = head.readUInt32LE(4);
    return !UNKNOWN_RIFF_SIZES.includes(size) && 8 + size > sizeBytes;
  },
  // Each tag is followed by its length (Adobe Flash Video specification 10.1, annex E.3).
  flv: async (handle, sizeBytes) => {
    const end = await bytesAt(handle, sizeBytes - 4, 4);
    if (end.length < 4) return true;
    const tagBytes = end.readUInt32BE(0);
    const tag = await bytesAt(handle, sizeBytes - 4 - tagBytes, 4);
    return tag.length < 4 || tag.readUIntBE(1, 3) + 11 !== tagBytes;
  },
};

async function bytesAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  if (at < 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
