// A recorder that reserves the space of a file before it records leaves zeros where the recording broke off, and so does a
// memory card with a hole. Such a file has its full length, and an index in front announces frames that are all zeros.
import { type FileHandle, open } from 'node:fs/promises';

/** Read at once, from the end backwards, bytes. */
const BLOCK_BYTES = 1 << 20;
/** The block of usual file systems: fewer zeros may be the end of a packet, such as silence without compression. */
const LEAST_BYTES = 4096;

/**
 * Cuts the zeros off the end of a file, so that it breaks off where its content does. Fewer zeros than 4096 bytes stay.
 * @param file a copy for work: it is changed
 */
export async function cutEmptyEnd(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    const end = await endOfContent(handle, size);
    if (size - end >= LEAST_BYTES) await handle.truncate(end);
  } finally {
    await handle.close();
  }
}

// The position after the last byte that is not 0.
async function endOfContent(handle: FileHandle, sizeBytes: number): Promise<number> {
  const block = Buffer.alloc(Math.min(BLOCK_BYTES, sizeBytes));
  const zeros = Buffer.alloc(block.length);
  for (let end = sizeBytes; end > 0; ) {
    const length = Math.min(block.length, end);
    const from = end - length;
    const { bytesRead } = await handle.read(block, 0, length, from);
    if (bytesRead < length) throw new Error('A file became shorter while it was read.');
    if (!block.subarray(0, length).equals(zeros.subarray(0, length))) {
      let last = length;
      while (block[last - 1] === 0) last -= 1;
      return from + last;
    }
    end = from;
  }
  return 0;
}
