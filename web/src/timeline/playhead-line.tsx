import { useEffect, useRef } from 'react';
import type { Playhead } from '../player/playhead.ts';
import { type TimeView, xOf } from './time-view.ts';
import styles from './timeline.module.css';

interface PlayheadLineProps {
  playhead: Playhead;
  view: TimeView;
  widthPx: number;
  heightPx: number;
  /** The playhead ran out of sight. */
  onLeave?: (momentMs: number) => void;
}

/** The line that moves with the video; moved by hand, since rendering at every frame would cost more than the video. */
export function PlayheadLine({ playhead, view, widthPx, heightPx, onLeave }: PlayheadLineProps) {
  const line = useRef<HTMLSpanElement>(null);
  const leave = useRef(onLeave);
  leave.current = onLeave;
  useEffect(() => {
    let seen = true;
    const place = (moved: boolean) => {
      const element = line.current;
      if (!element) return;
      const { momentMs } = playhead;
      const x = momentMs === null ? -1 : xOf(momentMs, view, widthPx);
      const inside = x >= 0 && x <= widthPx;
      element.hidden = !inside;
      element.style.transform = `translateX(${x}px)`;
      // Only when it runs out itself: who moves the view away wants to look elsewhere.
      if (moved && seen && !inside && momentMs !== null) leave.current?.(momentMs);
      seen = inside;
    };
    place(false);
    return playhead.subscribe(() => place(true));
  }, [playhead, view, widthPx]);
  return <span ref={line} className={styles.playhead} style={{ height: heightPx }} hidden />;
}
