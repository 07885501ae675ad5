import { useEffect, useRef } from 'react';
import type { Playhead } from '../player/playhead.ts';
import { type TimeView, xOf } from './time-view.ts';
import styles from './timeline.module.css';

interface PlayheadLineProps {
  playhead: Playhead;
  view: TimeView;
  widthPx: number;
  heightPx: number;
  /** Called when the playhead leaves the view. */
  onLeave?: (momentMs: number) => void;
}

/** The line of the playhead. It is moved without React: a render for each frame would cost more than the video. */
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
      // Only if the playhead itself leaves: a user who moves the view wants to see something else.
      if (moved && seen && !inside && momentMs !== null) leave.current?.(momentMs);
      seen = inside;
    };
    place(false);
    return playhead.subscribe(() => place(true));
  }, [playhead, view, widthPx]);
  return <span ref={line} className={styles.playhead} style={{ height: heightPx }} hidden />;
}
