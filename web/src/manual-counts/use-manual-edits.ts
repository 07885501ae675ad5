import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import {
  type DayFragments,
  type Fragment,
  findFragment,
  listDayFragments,
} from '@ridewatch/contract/fragments';
import { listReviewQueue, setManualCounts } from '@ridewatch/contract/review';
import { useSyncExternalStore } from 'react';
import { keyOf, queryClient, tellFailure } from '../api.ts';
import { ApiError } from '../api-error.ts';
import type { Draft } from '../edits/draft-store.ts';
import { createEdits } from '../edits/edits.ts';
import { currentLanguage } from '../i18n/language.ts';
import { call } from '../request.ts';
import { showToast } from '../ui/toast-store.ts';
import type { CountEdits, ManualCounts } from './manual-edits.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** Refusals that say nothing of the counts: signed out, too slow, too many calls. */
const NOT_NOW = [401, 408, 429];

/** How long a row says that it was saved, ms. */
const SAVED_MS = 2_000;

/** The counts that are being typed, on whatever day and bus. */
export const manualEdits: CountEdits = createEdits<number, ManualCounts>({
  savedMs: SAVED_MS,
  save: (edits) =>
    Promise.all(
      edits.map(async ({ key: fragmentId, value, seen }) =>
        cacheFragment(
          await call(setManualCounts, {
            params: { segmentId: fragmentId },
            body: { ...value, seen },
          }),
        ),
      ),
    ),
  judge: (error, edits, isRetry) => {
    if (!(error instanceof ApiError)) {
      reportError(error);
      return { means: 'retry' };
    }
    const { status } = error;
    if (status === 409) for (const { key } of edits) void tellOther(key, error);
    else if (!isRetry) tellFailure(error);
    const isRefused = status >= 400 && status < 500 && !NOT_NOW.includes(status);
    return { means: isRefused ? 'discard' : 'retry' };
  },
});

/** Shows what somebody else has counted meanwhile, and says who. */
async function tellOther(fragmentId: number, error: ApiError): Promise<void> {
  try {
    const now = await call(findFragment, { params: { segmentId: fragmentId } });
    cacheFragment(now);
    const text = currentLanguage() === 'en_US' ? en : ru;
    showToast({ kind: 'error', text: text.otherCounted(now.reviewed_by ?? '', clockOf(now)) });
  } catch {
    // Then at least that it was refused.
    tellFailure(error);
  }
}

/** By the clock of the day that is shown; across buses by that of Moscow. */
function clockOf({ id, start_time }: Fragment): string {
  const days = queryClient.getQueriesData<DayFragments>({ queryKey: [listDayFragments.path] });
  const own = days.find(([, day]) => day?.segments.some((one) => one.id === id))?.[1];
  return formatMoment(Date.parse(start_time), own?.timezone ?? FALLBACK_ZONE, 'HH:mm:ss');
}

/** Puts a changed fragment wherever it is shown, and has totals asked for anew. */
export function cacheFragment(changed: Fragment): void {
  const days = { queryKey: [listDayFragments.path] };
  queryClient.setQueriesData<DayFragments>(days, (day) => {
    if (!day?.segments.some(({ id }) => id === changed.id)) return day;
    return { ...day, segments: day.segments.map((one) => (one.id === changed.id ? changed : one)) };
  });
  void queryClient.invalidateQueries(days);
  queryClient.setQueryData(keyOf(findFragment, { params: { segmentId: changed.id } }), changed);
  void queryClient.invalidateQueries({ queryKey: [listReviewQueue.path] });
}

/** The drafts, followed by the component. */
export function useDrafts(): ReadonlyMap<number, Draft<ManualCounts>> {
  return useSyncExternalStore(manualEdits.subscribe, manualEdits.drafts);
}

window.addEventListener('pagehide', manualEdits.leave);
