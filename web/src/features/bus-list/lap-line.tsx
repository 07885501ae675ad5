import type { BoardLap } from '@ridewatch/contract/board';
import './bus-parts.css';

const WIDTH = 132;
const MIDDLE = 8;
/** Room for the sign of the bus at both ends. */
const EDGE = 6;

interface LapLineProps {
  lap: BoardLap;
  isMoving: boolean;
}

/** A lap as a line with a tick at its far terminal: the driven part, and the bus as an arrowhead or a ring. */
export function LapLine({ lap, isMoving }: LapLineProps) {
  const at = (percent: number) => EDGE + (percent / 100) * (WIDTH - 2 * EDGE);
  const x = at(lap.percent);
  return (
    <svg
      className="part-line"
      viewBox={`0 0 ${WIDTH} ${2 * MIDDLE}`}
      aria-hidden="true"
      data-ended={lap.ended || undefined}
    >
      <path className="part-way" d={`M${EDGE} ${MIDDLE}H${WIDTH - EDGE}`} />
      <path className="part-driven" d={`M${EDGE} ${MIDDLE}H${x.toFixed(1)}`} />
      {lap.turn_percent !== null && (
        <path className="part-turn" d={`M${at(lap.turn_percent)} ${MIDDLE - 4}v8`} />
      )}
      {isMoving ? (
        <path className="part-head" d={`M${(x - 4).toFixed(1)} ${MIDDLE - 4.5}l8 4.5l-8 4.5z`} />
      ) : (
        <circle className="part-ring" cx={x} cy={MIDDLE} r="3.5" />
      )}
    </svg>
  );
}
