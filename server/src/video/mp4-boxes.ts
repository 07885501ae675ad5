import { open } from 'node:fs/promises';

/** Boxes at the top of a file that are looked at before it is called odd. */
const MOST_BOXES = 64;

/**
 * Whether an MP4 plays at once: its whole index (moov) comes before the samples (mdat), and the samples are not in
 * fragments (moof), which a player would have to read through to seek. ISO/IEC 14496-12, sections 4.2 and 8.8.
 */
export async function hasIndexInFront(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const head = Buffer.alloc(16);
    let at = 0;
    let hasIndex = false;
    for (let box = 0; box < MOST_BOXES; box += 1) {
      const { bytesRead } = await handle.read(head, 0, 16, at);
      // The end: whatever has no samples is not played.
      if (bytesRead < 8) return false;
      const type = head.toString('latin1', 4, 8);
      if (type === 'moof') return false;
      if (type === 'mdat') return hasIndex;
      if (type === 'moov') hasIndex = true;
      const size = head.readUInt32BE(0);
      at += size === 1 ? Number(head.readBigUInt64BE(8)) : size;
      if (size === 0) return false;
    }
    return false;
  } finally {
    await handle.close();
  }
}
