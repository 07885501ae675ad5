import type { BoardLap } from '@ridewatch/contract/board';
import type { CSSProperties } from 'react';
import './bus-parts.css';

interface LapLineProps {
  lap: BoardLap;
  isMoving: boolean;
}

/** A lap as a line with a tick at its far terminal: the driven part, and the bus as an arrowhead or a ring. */
// One element: there are as many as rows, and each element of an SVG costs as much as one of the page.
export function LapLine({ lap, isMoving }: LapLineProps) {
  const { percent, turn_percent } = lap;
  const places = {
    '--at': `${percent}%`,
    ...(turn_percent !== null && { '--turn': `${turn_percent}%` }),
  };
  return (
    <i
      className="part-line"
      style={places as CSSProperties}
      data-moving={isMoving || undefined}
      data-ended={lap.ended || undefined}
    />
  );
}
