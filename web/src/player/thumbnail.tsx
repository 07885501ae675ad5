import type { Fragment } from '@ridewatch/contract/fragments';
import styles from './player.module.css';

/** The thumbnail sheet of a video. */
export type ThumbnailSheet = NonNullable<NonNullable<Fragment['video']>['preview']>;

/** Position in the sheet of the thumbnail of a moment, px. */
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

/** The thumbnail of a moment. */
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
