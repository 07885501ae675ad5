import { formatMoment } from '@ridewatch/contract/day';
import type { ReactNode } from 'react';
import { TIME_PX, timeAt } from './axis-labels.ts';
import type { Hit } from './layout.ts';
import { type TimeView, xOf } from './time-view.ts';
import styles from './timeline.module.css';

interface HoverNoteProps {
  hit: Hit;
  view: TimeView;
  widthPx: number;
  zone: string;
  describe: (hit: Hit) => ReactNode;
}

/** Half of the width of a note with a thumbnail, px. */
const HALF_PX = 92;

/**
 * The time of the point under the pointer, or of the playhead, among the labels of the axis; and a note above the
 * timeline about what is there.
 */
export function HoverNote({ hit, view, widthPx, zone, describe }: HoverNoteProps) {
  const xPx = xOf(hit.momentMs, view, widthPx);
  const left = Math.min(Math.max(xPx, HALF_PX), Math.max(widthPx - HALF_PX, HALF_PX));
  return (
    <>
      <span className={styles.pointer} style={{ transform: `translateX(${xPx}px)` }} />
      <strong
        className={styles.time}
        style={{ width: TIME_PX, left: timeAt(xPx, widthPx) - TIME_PX / 2 }}
      >
        {formatMoment(hit.momentMs, zone, 'HH:mm:ss')}
      </strong>
      {(hit.block || hit.lap || hit.stop) && (
        <div
          className={styles.note}
          style={{ transform: `translate(calc(${left}px - 50%), -100%)` }}
        >
          {describe(hit)}
        </div>
      )}
    </>
  );
}
