import { open } from 'node:fs/promises';

/** Top-level boxes that are read before the samples; beyond them the file counts as odd. */
export const MOST_BOXES = 64;
/** The same of a file in fragments: four hours have 14,400 of a second, with two boxes each. */
const MOST_FRAGMENT_BOXES = 100_000;

/** The layout of an MP4 (ISO/IEC 14496-12, sections 4.2 and 8.8). */
export interface Mp4Layout {
  /**
   * It plays at once: the index (moov) precedes the samples (mdat), and there are no fragments (moof) that a player
   * would have to scan to seek.
   */
  readonly hasIndexInFront: boolean;
  /** The samples extend beyond the end of the file. */
  readonly isBrokenOff: boolean;
}

/** Reads the top-level boxes of a file; a file that is no MP4 is only odd. */
export async function readLayout(file: string): Promise<Mp4Layout> {
  const handle = await open(file);
  try {
    const { size: fileBytes } = await handle.stat();
    const head = Buffer.alloc(16);
    let at = 0;
    let hasIndex = false;
    let isFragmented = false;
    for (let box = 0; box < (isFragmented ? MOST_FRAGMENT_BOXES : MOST_BOXES); box += 1) {
      const { bytesRead } = await handle.read(head, 0, 16, at);
      // A fragmented file may end in the middle of a header.
      if (bytesRead < 8)
        return { hasIndexInFront: false, isBrokenOff: isFragmented && bytesRead > 0 };
      const type = head.toString('latin1', 4, 8);
      const short = head.readUInt32BE(0);
      const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
      // The last box may have no length.
      const isBeyond = size !== 0 && at + size > fileBytes;
      if (isFragmented && isBeyond) return { hasIndexInFront: false, isBrokenOff: true };
      if (type === 'mdat' && !isFragmented) {
        return { hasIndexInFront: hasIndex, isBrokenOff: isBeyond };
      }
      if (type === 'moov') hasIndex = true;
      if (type === 'moof') isFragmented = true;
      if (size < 8) break;
      at += size;
      if (at >= fileBytes) break;
    }
    return { hasIndexInFront: false, isBrokenOff: false };
  } finally {
    await handle.close();
  }
}
