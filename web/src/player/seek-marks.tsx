import styles from './player.module.css';

/** A moment at which people were counted, marked on the seek bar. */
export interface SeekMark {
  offsetMs: number;
  entered: number;
  exited: number;
}

/** The ticks of the seek bar. */
export function SeekMarks({
  marks,
  durationMs,
}: {
  marks: readonly SeekMark[];
  durationMs: number;
}) {
  if (durationMs <= 0) return null;
  return (
    <span className={styles.marks} aria-hidden="true">
      {marks.map((mark) => (
        <i
          key={`${mark.offsetMs}:${mark.entered}:${mark.exited}`}
          data-side={mark.entered > 0 ? 'entered' : 'exited'}
          style={{ left: `${Math.min(100, (mark.offsetMs / durationMs) * 100)}%` }}
        />
      ))}
    </span>
  );
}
