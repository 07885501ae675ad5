import { formatMoment } from '@ridewatch/contract/day';
import type { LapMark, StopMark } from './laps-line.ts';
import { useTimelineText } from './use-timeline-text.ts';

interface LapNoteProps {
  lap: LapMark | undefined;
  stop: StopMark | undefined;
  zone: string;
}

/** The note about a lap or a stop. */
export function LapNote({ lap, stop, zone }: LapNoteProps) {
  const text = useTimelineText();
  const meant = stop ?? lap;
  if (!meant) return null;
  const clock = (ms: number) => formatMoment(ms, zone, stop ? 'HH:mm:ss' : 'HH:mm');
  return (
    <>
      {stop && <span>{stop.name}</span>}
      <span>
        {lap && text.lap(lap.label)}
        {lap && ' · '}
        {clock(meant.startMs)}–{clock(meant.endMs)}
      </span>
      <span>
        +{meant.entered} −{meant.exited}
      </span>
    </>
  );
}
