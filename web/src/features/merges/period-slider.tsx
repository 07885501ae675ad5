import type { CSSProperties } from 'react';
import styles from './period-slider.module.css';

interface PeriodSliderProps {
  /** Number of steps. */
  steps: number;
  from: number;
  to: number;
  labels: { from: string; to: string };
  /** Describes a step to screen readers. */
  textOf: (step: number) => string;
  onFrom: (step: number) => void;
  onTo: (step: number) => void;
}

/** A slider with two handles, of which neither passes the other. */
export function PeriodSlider(props: PeriodSliderProps) {
  const { steps, from, to, labels, textOf, onFrom, onTo } = props;
  const share = (step: number): number => step / Math.max(1, steps);
  return (
    <div
      className={styles.slider}
      style={{ '--from': share(from), '--to': share(to) } as CSSProperties}
    >
      <input
        type="range"
        min={0}
        max={steps}
        step={1}
        value={from}
        aria-label={labels.from}
        aria-valuetext={textOf(from)}
        // At the right end the other handle would cover this one.
        style={{ zIndex: from > steps / 2 ? 2 : 1 }}
        onChange={(event) => onFrom(Math.min(Number(event.target.value), to - 1))}
      />
      <input
        type="range"
        min={0}
        max={steps}
        step={1}
        value={to}
        aria-label={labels.to}
        aria-valuetext={textOf(to)}
        style={{ zIndex: 1 }}
        onChange={(event) => onTo(Math.max(Number(event.target.value), from + 1))}
      />
    </div>
  );
}
