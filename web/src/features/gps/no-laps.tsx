import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type { listDayLaps } from '@ridewatch/contract/laps';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useGpsText } from './use-gps-text.ts';

type DayLaps = ResponseOf<typeof listDayLaps>;

interface NoLapsProps {
  day: Pick<DayLaps, 'pending' | 'failure'>;
  /** It is today, and the unit is heard: laps may come. */
  isBegun: boolean;
}

/** Says why a day has no laps. */
export function NoLaps({ day, isBegun }: NoLapsProps) {
  const text = useGpsText();
  if (day.pending) return <EmptyState title={text.workingTitle} text={text.workingText} />;
  if (day.failure) return <EmptyState title={text.unworkedTitle} text={text.unworkedText} />;
  return <EmptyState {...(isBegun ? text.begun : text.empty)} />;
}
