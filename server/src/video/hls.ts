import { offsetAt } from '@ridewatch/contract/time-map';
import type { FragmentFile } from '../access/fragment.ts';
import type { Visible } from '../access/visible.ts';
import { Cache, cached } from '../core/cache.ts';
import { notFound } from '../core/errors.ts';
import type { Deps } from '../deps.ts';
import { hlsSegmentsOf, initSegmentOf, readHlsSegment } from '../media/mp4/hls-segments.ts';
import { type Mp4Index, readIndex } from '../media/mp4/mp4-index.ts';

/** Most cached indexes. A player asks for one segment after the other. */
const MOST_KEPT = 32;

/** Stored files as HLS with fragmented MP4. */
export interface HlsStreams {
  /** The media playlist; each address in it carries `hash`. */
  playlist(file: Visible<FragmentFile>, hash: string): Promise<string>;
  /**
   * @param name `init.mp4` or `<number>.m4s`
   * @throws AppError not_found
   */
  segment(file: Visible<FragmentFile>, name: string): Promise<Buffer>;
}

/** The HLS streams of one process. */
export function createHlsStreams({ storage }: Pick<Deps, 'storage'>): HlsStreams {
  const indexes = new Cache<string, Promise<Mp4Index>>({ most: MOST_KEPT });
  const indexOf = ({ storageKey, sizeBytes }: FragmentFile): Promise<Mp4Index> =>
    cached(indexes, storageKey, () => readIndex(storage, storageKey, sizeBytes));
  return {
    playlist: async (file, hash) => playlistOf(file, await indexOf(file), hash),
    segment: async (file, name) => {
      const index = await indexOf(file);
      if (name === 'init.mp4') return initSegmentOf(index);
      const bytes = await readHlsSegment(
        storage,
        file.storageKey,
        index,
        Number.parseInt(name, 10),
      );
      if (bytes === undefined) throw notFound();
      return bytes;
    },
  };
}

function playlistOf(file: Visible<FragmentFile>, index: Mp4Index, hash: string): string {
  const segments = hlsSegmentsOf(index);
  const longestS = Math.max(1, ...segments.map(({ startS, endS }) => Math.ceil(endS - startS)));
  const address = (name: string): string => `${file.fragmentId}/${name}?hash=${hash}`;
  const wallAt = (seconds: number): string =>
    new Date(file.startTime.getTime() + offsetAt(file.timeMap, seconds * 1000)).toISOString();
  return `${[
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longestS}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${address('init.mp4')}"`,
    ...segments.flatMap(({ startS, endS }, number) => [
      `#EXT-X-PROGRAM-DATE-TIME:${wallAt(startS)}`,
      `#EXTINF:${(endS - startS).toFixed(5)},`,
      address(`${number}.m4s`),
    ]),
    '#EXT-X-ENDLIST',
  ].join('\n')}\n`;
}
