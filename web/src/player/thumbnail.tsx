import type { Fragment } from '@ridewatch/contract/fragments';
import styles from './player.module.css';

/** The small pictures of a video. */
export type ThumbnailSheet = NonNullable<NonNullable<Fragment['video']>['preview']>;

/** Which of the small pictures shows a moment, and where it lies in the sheet, px. */
export function tileAt(
  { step_ms, count, columns, tile_width, tile_height }: Omit<ThumbnailSheet, 'uri'>,
  mediaMs: number,
): { leftPx: number; topPx: number } {
  const at = Math.min(Math.max(Math.floor(mediaMs / step_ms), 0), count - 1);
  return {
    leftPx: (at % columns) * tile_width,
    topPx: Math.floor(at / columns) * tile_height,
  };
}

/** What the video shows at a moment, small. */
export function Thumbnail({
  thumbnails,
  mediaMs,
}: {
  thumbnails: ThumbnailSheet;
  mediaMs: number;
}) {
  const { leftPx, topPx } = tileAt(thumbnails, mediaMs);
  return (
    <span
      className={styles.thumbnail}
      data-preview
      style={{
        width: thumbnails.tile_width,
        height: thumbnails.tile_height,
        backgroundImage: `url("${thumbnails.uri}")`,
        backgroundPosition: `-${leftPx}px -${topPx}px`,
      }}
    />
  );
}
