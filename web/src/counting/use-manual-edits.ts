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
import { call } from '../request.ts';
import { createManualEdits, type Draft } from './manual-edits.ts';

/** Refusals that say nothing of the counts: signed out, too slow, too many calls. */
const NOT_NOW = [401, 408, 429];

/** The counts that are being typed, on whatever day and bus. */
export const manualEdits = createManualEdits(
  async (segmentId, counts) => {
    keepSegment(await call(setManualCounts, { params: { segmentId }, body: counts }));
  },
  (error) => {
    const isRefused =
      error instanceof ApiError &&
      error.status >= 400 &&
      error.status < 500 &&
      !NOT_NOW.includes(error.status);
    if (isRefused) tellFailure(error);
    return isRefused;
  },
);

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
