import styles from './chart.module.css';
import { nameLines } from './chart-frame.ts';

/** Width of a letter on a phone, whose text is the largest, px. */
export const LETTER_PX = 7;
const LINE_PX = 15;

interface BarNameProps {
  name: string;
  /** The middle of the bar. */
  xPx: number;
  /** Its lower end. */
  basePx: number;
  /** Width that the name may take. */
  slotPx: number;
}

/** The name of a bar below it. */
export function BarName({ name, xPx, basePx, slotPx }: BarNameProps) {
  const [first, second] = nameLines(name, Math.floor(slotPx / LETTER_PX) - 1);
  return (
    <text className={styles.label} x={xPx} y={basePx + 16} textAnchor="middle">
      {first}
      {second !== undefined && (
        <tspan x={xPx} dy={LINE_PX}>
          {second}
        </tspan>
      )}
    </text>
  );
}
