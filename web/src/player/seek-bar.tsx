import { formatMoment } from '@ridewatch/contract/day';
import { mediaAt, type TimeMap } from '@ridewatch/contract/time-map';
import { type PointerEvent, useState } from 'react';
import styles from './player.module.css';
import { type SeekMark, SeekMarks } from './seek-marks.tsx';
import { Thumbnail, type ThumbnailSheet } from './thumbnail.tsx';

interface SeekBarProps {
  label: string;
  startMs: number;
  zone: string;
  /** Wall time from the start of the video, s; all times of the bar are. */
  offsetS: number;
  lengthS: number;
  timeMap: TimeMap | null;
  thumbnails: ThumbnailSheet | null;
  marks: readonly SeekMark[];
  onSeek: (offsetS: number) => void;
}

/** Half of the handle: the scale ends this far inside the bar, px. */
const THUMB_PX = 8;

/** The position of the video in wall time; shows the thumbnail under the pointer or the handle. */
export function SeekBar(props: SeekBarProps) {
  const { startMs, zone, offsetS, lengthS, timeMap, thumbnails } = props;
  const [pointedS, setPointedS] = useState<number | null>(null);
  const [isFocused, setFocused] = useState(false);
  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - THUMB_PX) / Math.max(box.width - 2 * THUMB_PX, 1);
    setPointedS(Math.min(Math.max(share, 0), 1) * lengthS);
  };
  const clock = (seconds: number) => formatMoment(startMs + seconds * 1000, zone, 'HH:mm:ss');
  const lookedAtS = pointedS ?? (isFocused ? offsetS : null);
  const share = lookedAtS === null || lengthS <= 0 ? 0 : lookedAtS / lengthS;
  return (
    <div
      className={styles.seek}
      onPointerMove={point}
      onPointerLeave={() => setPointedS(null)}
      onPointerCancel={() => setPointedS(null)}
    >
      <SeekMarks marks={props.marks} durationMs={lengthS * 1000} />
      <input
        type="range"
        aria-label={props.label}
        aria-valuetext={clock(offsetS)}
        min={0}
        max={lengthS || 1}
        step={0.1}
        value={offsetS}
        onChange={(event) => props.onSeek(Number(event.target.value))}
        onFocus={(event) => setFocused(event.target.matches(':focus-visible'))}
        onBlur={() => setFocused(false)}
      />
      {lookedAtS !== null && lengthS > 0 && (
        <div
          className={styles.look}
          style={{ left: `calc(${THUMB_PX}px + ${share} * (100% - ${2 * THUMB_PX}px))` }}
        >
          {thumbnails && (
            <Thumbnail thumbnails={thumbnails} mediaMs={mediaAt(timeMap, lookedAtS * 1000)} />
          )}
          <span>{clock(lookedAtS)}</span>
        </div>
      )}
    </div>
  );
}
