import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { listReviewQueue, setManualCounts } from '@ridewatch/contract/review';
import {
  type DaySegments,
  findSegment,
  listDaySegments,
  type Segment,
} from '@ridewatch/contract/segments';
import { useSyncExternalStore } from 'react';
import { keyOf, queryClient, tellFailure } from '../api.ts';
import { ApiError } from '../api-error.ts';
import { currentLanguage } from '../i18n/language.ts';
import { call } from '../request.ts';
import { showToast } from '../ui/toast-store.ts';
import { createManualEdits, type Draft } from './manual-edits.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** Refusals that say nothing of the counts: signed out, too slow, too many calls. */
const NOT_NOW = [401, 408, 429];

/** The counts that are being typed, on whatever day and bus. */
export const manualEdits = createManualEdits(
  async (segmentId, counts, seen) => {
    keepSegment(await call(setManualCounts, { params: { segmentId }, body: { ...counts, seen } }));
  },
  (error, segmentId, isAgain) => {
    if (!(error instanceof ApiError)) throw error;
    const { status } = error;
    if (status === 409) void tellOther(segmentId, error);
    else if (!isAgain) tellFailure(error);
    return status >= 400 && status < 500 && !NOT_NOW.includes(status);
  },
);

/** Shows what somebody else has counted meanwhile, and says who. */
async function tellOther(segmentId: number, error: ApiError): Promise<void> {
  try {
    const now = await call(findSegment, { params: { segmentId } });
    keepSegment(now);
    const text = currentLanguage() === 'en_US' ? en : ru;
    showToast({ kind: 'error', text: text.otherCounted(now.reviewed_by ?? '', clockOf(now)) });
  } catch {
    // Then at least that it was refused.
    tellFailure(error);
  }
}

/** By the clock of the day that is shown; across buses by that of Moscow. */
function clockOf({ id, start_time }: Segment): string {
  const days = queryClient.getQueriesData<DaySegments>({ queryKey: [listDaySegments.path] });
  const own = days.find(([, day]) => day?.segments.some((one) => one.id === id))?.[1];
  return formatMoment(Date.parse(start_time), own?.timezone ?? FALLBACK_ZONE, 'HH:mm:ss');
}

/** Puts a changed fragment wherever it is shown, and has totals asked for anew. */
export function keepSegment(changed: Segment): void {
  const days = { queryKey: [listDaySegments.path] };
  queryClient.setQueriesData<DaySegments>(days, (day) => {
    if (!day?.segments.some(({ id }) => id === changed.id)) return day;
    return { ...day, segments: day.segments.map((one) => (one.id === changed.id ? changed : one)) };
  });
  void queryClient.invalidateQueries(days);
  queryClient.setQueryData(keyOf(findSegment, { params: { segmentId: changed.id } }), changed);
  void queryClient.invalidateQueries({ queryKey: [listReviewQueue.path] });
}

/** The drafts, followed by the component. */
export function useDrafts(): ReadonlyMap<number, Draft> {
  return useSyncExternalStore(manualEdits.subscribe, manualEdits.drafts);
}

window.addEventListener('pagehide', () => manualEdits.flush());
