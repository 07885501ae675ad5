import { open } from 'node:fs/promises';

/** Boxes at the top of a file that are looked at before it is called odd. */
const MOST_BOXES = 64;

/** How an MP4 lies in its file. ISO/IEC 14496-12, sections 4.2 and 8.8. */
export interface Mp4Layout {
  /**
   * It plays at once: the whole index (moov) comes before the samples (mdat), which are not in fragments (moof) that a
   * player would have to read through to seek.
   */
  readonly hasIndexInFront: boolean;
  /** The samples go on beyond the end of the file. */
  readonly isBrokenOff: boolean;
}

/** Looks at the boxes at the top of a file; one that is no MP4 is odd, and nothing else. */
export async function readLayout(file: string): Promise<Mp4Layout> {
  const handle = await open(file);
  try {
    const { size: fileBytes } = await handle.stat();
    const head = Buffer.alloc(16);
    let at = 0;
    let hasIndex = false;
    for (let box = 0; box < MOST_BOXES; box += 1) {
      const { bytesRead } = await handle.read(head, 0, 16, at);
      if (bytesRead < 8) break;
      const type = head.toString('latin1', 4, 8);
      const short = head.readUInt32BE(0);
      const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
      // The last box may leave its length open.
      if (type === 'mdat') {
        return { hasIndexInFront: hasIndex, isBrokenOff: size !== 0 && at + size > fileBytes };
      }
      if (type === 'moov') hasIndex = true;
      if (type === 'moof' || size < 8) break;
      at += size;
      if (at >= fileBytes) break;
    }
    return { hasIndexInFront: false, isBrokenOff: false };
  } finally {
    await handle.close();
  }
}
