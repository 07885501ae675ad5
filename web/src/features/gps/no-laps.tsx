import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type { listDayLaps } from '@ridewatch/contract/laps';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useGpsText } from './use-gps-text.ts';

type DayLaps = ResponseOf<typeof listDayLaps>;

/** Says why a day has no laps. */
export function NoLaps({ day }: { day: Pick<DayLaps, 'pending' | 'failure'> }) {
  const text = useGpsText();
  if (day.pending) return <EmptyState title={text.workingTitle} text={text.workingText} />;
  if (day.failure) return <EmptyState title={text.unworkedTitle} text={text.unworkedText} />;
  return <EmptyState title={text.emptyTitle} text={text.emptyText} />;
}
