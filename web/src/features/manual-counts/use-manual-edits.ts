import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import {
  type DayFragments,
  type Fragment,
  findFragment,
  listDayFragments,
} from '@ridewatch/contract/fragments';
import { listReviewQueue, setManualCounts } from '@ridewatch/contract/review';
import { useSyncExternalStore } from 'react';
import { cacheAnswer, queryClient } from '../../calls/api.ts';
import { reportFailure } from '../../calls/failures.ts';
import { call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import type { Draft } from '../../edits/draft-store.ts';
import { createEdits } from '../../edits/edits.ts';
import { isRefused } from '../../edits/is-refused.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { showToast } from '../../ui/toast-store.ts';
import { areSameCounts, areWhole, type CountEdits, type TypedCounts } from './manual-edits.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** How long a row shows that it was saved, ms. */
const SAVED_MS = 2_000;

/** The edits of manual counts, for all days and buses. */
export const manualEdits: CountEdits = createEdits<number, TypedCounts>({
  savedMs: SAVED_MS,
  isSame: areSameCounts,
  problemOf: (counts) => (areWhole(counts) ? undefined : currentText().wholeOnly),
  save: (edits) =>
    Promise.all(
      edits.map(async ({ key: fragmentId, value, seen }) => {
        if (!areWhole(value) || !areWhole(seen)) throw new Error('A refused count is not sent.');
        const params = { segmentId: fragmentId };
        const body = { ...value, seen };
        cacheFragment(await call(setManualCounts, { params, body, isQuiet: isConflict }));
      }),
    ),
  judge: (error, edits) => {
    if (!(error instanceof ApiError)) {
      reportError(error);
      return { means: 'retry' };
    }
    if (isConflict(error)) for (const { key } of edits) void showOtherCounts(key, error);
    for (const { key } of edits) noteRefusal(key, error);
    return { means: isRefused(error) ? 'discard' : 'retry' };
  },
});

const refusalListeners = new Set<(fragmentId: number) => void>();

/** Tells the listeners if a count failed because the user may not count: the fragment is as it was. */
export function noteRefusal(fragmentId: number, { status }: ApiError): void {
  if (status === 403) for (const listener of refusalListeners) listener(fragmentId);
}

/** Calls the listener with each fragment that the user may not count; returns a function that unsubscribes. */
export function subscribeRefusals(listener: (fragmentId: number) => void): () => void {
  refusalListeners.add(listener);
  return () => refusalListeners.delete(listener);
}

// A toast of its own names who counted meanwhile.
const isConflict = ({ status }: ApiError): boolean => status === 409;

/** Shows the counts that somebody else has stored, and names that user. */
async function showOtherCounts(fragmentId: number, error: ApiError): Promise<void> {
  try {
    const now = await call(findFragment, { params: { segmentId: fragmentId } });
    cacheFragment(now);
    const more = currentText().otherCounted(now.reviewed_by ?? '', startText(now));
    showToast({ kind: 'error', text: `${error.status}: ${error.message}`, more });
  } catch {
    // If the counts cannot be read, report the refusal.
    reportFailure(error, `counts of ${fragmentId}`, false);
  }
}

const currentText = () => (currentLanguage() === 'en_US' ? en : ru);

/** The start of a fragment, in the zone of its day if that day is loaded, else in Moscow time. */
function startText({ id, start_time }: Fragment): string {
  const days = queryClient.getQueriesData<DayFragments>({ queryKey: [listDayFragments.path] });
  const own = days.find(([, day]) => day?.segments.some((one) => one.id === id))?.[1];
  return formatMoment(Date.parse(start_time), own?.timezone ?? FALLBACK_ZONE, 'HH:mm:ss');
}

/** Replaces a fragment in all cached answers, and reads the totals again. */
export function cacheFragment(changed: Fragment): void {
  const days = { queryKey: [listDayFragments.path] };
  queryClient.setQueriesData<DayFragments>(days, (day) => {
    if (!day?.segments.some(({ id }) => id === changed.id)) return day;
    return { ...day, segments: day.segments.map((one) => (one.id === changed.id ? changed : one)) };
  });
  void queryClient.invalidateQueries(days);
  cacheAnswer(findFragment, { params: { segmentId: changed.id } }, changed);
  void queryClient.invalidateQueries({ queryKey: [listReviewQueue.path] });
}

/** The drafts; the component renders again when they change. */
export function useDrafts(): ReadonlyMap<number, Draft<TypedCounts>> {
  return useSyncExternalStore(manualEdits.subscribe, manualEdits.drafts);
}

window.addEventListener('pagehide', manualEdits.leave);
