import { offsetAt } from '@ridewatch/contract/time-map';
import type { SegmentFile } from '../access/fragment.ts';
import type { Visible } from '../access/visible.ts';
import { Cache, cached } from '../core/cache.ts';
import { notFound } from '../core/errors.ts';
import type { Deps } from '../deps.ts';
import { type Mp4Index, readIndex } from '../media/mp4/mp4-index.ts';
import { headOf, partsOf, readPart } from '../media/mp4/stream-parts.ts';

/** Indexes that are kept: whoever watches asks for part after part. */
const MOST_KEPT = 32;

/** Stored files as streams in parts (HLS with fragmented MP4). */
export interface FilmStreams {
  /** The list of parts; each address carries `hash`. */
  playlist(file: Visible<SegmentFile>, hash: string): Promise<string>;
  /**
   * @param part `init.mp4` or `<number>.m4s`
   * @throws AppError not_found
   */
  part(file: Visible<SegmentFile>, part: string): Promise<Buffer>;
}

/** Streams of one process. */
export function createFilmStreams({ storage }: Pick<Deps, 'storage'>): FilmStreams {
  const indexes = new Cache<string, Promise<Mp4Index>>({ most: MOST_KEPT });
  const indexOf = ({ storageKey, sizeBytes }: SegmentFile): Promise<Mp4Index> =>
    cached(indexes, storageKey, () => readIndex(storage, storageKey, sizeBytes));
  return {
    playlist: async (file, hash) => playlistOf(file, await indexOf(file), hash),
    part: async (file, part) => {
      const index = await indexOf(file);
      if (part === 'init.mp4') return headOf(index);
      const bytes = await readPart(storage, file.storageKey, index, Number.parseInt(part, 10));
      if (bytes === undefined) throw notFound();
      return bytes;
    },
  };
}

function playlistOf(file: Visible<SegmentFile>, index: Mp4Index, hash: string): string {
  const parts = partsOf(index);
  const longestS = Math.max(1, ...parts.map(({ startS, endS }) => Math.ceil(endS - startS)));
  const address = (name: string): string => `${file.segmentId}/${name}?hash=${hash}`;
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
    ...parts.flatMap(({ startS, endS }, number) => [
      `#EXT-X-PROGRAM-DATE-TIME:${wallAt(startS)}`,
      `#EXTINF:${(endS - startS).toFixed(5)},`,
      address(`${number}.m4s`),
    ]),
    '#EXT-X-ENDLIST',
  ].join('\n')}\n`;
}
