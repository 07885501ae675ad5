import { formatMoment } from '@ridewatch/contract/day';
import type { ReactNode } from 'react';
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

/** The note about the point under the pointer, or at the playhead. */
export function HoverNote({ hit, view, widthPx, zone, describe }: HoverNoteProps) {
  const xPx = xOf(hit.momentMs, view, widthPx);
  const left = Math.min(Math.max(xPx, HALF_PX), Math.max(widthPx - HALF_PX, HALF_PX));
  return (
    <>
      <span className={styles.pointer} style={{ transform: `translateX(${xPx}px)` }} />
      <div className={styles.note} style={{ transform: `translate(calc(${left}px - 50%), -100%)` }}>
        {(hit.block || hit.lap || hit.stop) && describe(hit)}
        <strong>{formatMoment(hit.momentMs, zone, 'HH:mm:ss')}</strong>
      </div>
    </>
  );
}
