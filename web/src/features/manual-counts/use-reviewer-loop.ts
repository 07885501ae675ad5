import type { Fragment } from '@ridewatch/contract/fragments';
import { markReviewed } from '@ridewatch/contract/review';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useDayKeys } from '../../bus-page/use-day-keys.ts';
import { useAction } from '../../calls/api.ts';
import { RETRY_MS } from '../../edits/edits.ts';
import { fragmentBeside } from '../../fragment/beside.ts';
import { playerAction } from '../../player/player-keys.ts';
import type { PlayerHandle } from '../../player/player-props.ts';
import { useLock } from '../../ui/use-lock.ts';
import { type CountField, focusCounts, focusedFragment, followFocus } from './count-focus.ts';
import { areEmpty, areWhole } from './manual-edits.ts';
import { cacheFragment, manualEdits, noteRefusal, subscribeRefusals } from './use-manual-edits.ts';

interface LoopOptions {
  /** The fragments of the loop, in order. */
  fragments: readonly { readonly id: number }[];
  /** Id of the current fragment. */
  selectedId: number | undefined;
  /** A fragment by its id, if it is known. */
  fragmentOf: (id: number | undefined) => Fragment | undefined;
  mayEdit: boolean;
  player: RefObject<PlayerHandle | null>;
  onOpen: (fragmentId: number, playing: boolean) => void;
  /** Called after the last fragment. */
  onPastLast: () => void;
  /** Called with a fragment whose count is refused, because the user may not count; the loop may be past it. */
  onRefused?: (fragmentId: number) => void;
  /** Goes to the day before or after; only on the page of a bus. */
  onDay?: (by: 1 | -1) => void;
}

export interface ReviewerLoop {
  step: (by: 1 | -1, options?: { playing?: boolean; field?: CountField }) => void;
  /** Confirms the counts of a fragment, as they are or as typed, and goes to the next one. */
  confirm: (fragment: Fragment) => void;
}

/** Keyboard control of watching and counting: steps between fragments, digits and Enter. */
export function useReviewerLoop(options: LoopOptions): ReviewerLoop {
  const { fragments, selectedId, player, onOpen, onPastLast } = options;
  const mayEdit = useLock() === undefined && options.mayEdit;
  // The user is at another fragment before a failure shows, so retry until the server answers.
  const reviewing = useAction(markReviewed, {
    onSuccess: cacheFragment,
    onError: (error, { params }) => noteRefusal(Number(params.segmentId), error),
    retry: (_failures, { status }) => status === 0 || status >= 500,
    retryDelay: RETRY_MS,
  });
  const goBack = useEffectEvent((id: number) => options.onRefused?.(id));
  useEffect(() => subscribeRefusals(goBack), []);
  const review = (fragment: Fragment): boolean => {
    manualEdits.flush(fragment.id);
    // A draft that was erased again is gone; a typed count is stored as reviewed, but emptied counts are not.
    const draft = manualEdits.draftOf(fragment.id);
    if (draft && !areEmpty(draft.value)) return areWhole(draft.value);
    if (draft || fragment.reviewed_at === null)
      reviewing.mutate({ params: { segmentId: fragment.id } });
    return true;
  };
  // A user who types continues in the same input of the next fragment, after Enter in the first one.
  const field = useRef<CountField>('same');
  useLayoutEffect(() => {
    followFocus(selectedId, field.current);
    field.current = 'same';
  }, [selectedId]);
  const step: ReviewerLoop['step'] = (by, { playing = false, field: next = 'same' } = {}) => {
    const beside = fragmentBeside(fragments, selectedId, by);
    if (beside) {
      field.current = next;
      onOpen(beside.id, playing);
    } else if (by === 1 && selectedId !== undefined) {
      onPastLast();
    }
  };
  const confirm = (fragment: Fragment) => {
    // A count that is no whole number waits for its correction.
    if (review(fragment)) step(1, { field: 'first' });
  };
  useDayKeys((event) => {
    const current = options.fragmentOf(selectedId);
    if (mayEdit && current && isFreeForCounts(event)) {
      const isEnter = event.code === 'Enter' || event.code === 'NumpadEnter';
      if (isEnter && isOtherRow(event, current.id)) return false;
      if (isEnter) {
        confirm(current);
        return true;
      }
      // The focused input receives the digit itself.
      if (/^(Digit|Numpad)\d$/.test(event.code) && !event.shiftKey) {
        if (focusedFragment() !== current.id) focusCounts(current.id);
        return false;
      }
    }
    if (event.code === 'ArrowDown' || event.code === 'ArrowUp') {
      step(event.code === 'ArrowDown' ? 1 : -1);
      return true;
    }
    if (options.onDay && (event.code === 'BracketLeft' || event.code === 'BracketRight')) {
      options.onDay(event.code === 'BracketLeft' ? -1 : 1);
      return true;
    }
    const action = playerAction(event);
    if (!action) return false;
    // Without a video the keys do nothing; in particular, Space does not scroll the list.
    player.current?.perform(action);
    return player.current !== null || action.kind === 'toggle';
  });
  return { step, confirm };
}

// Other controls on the page keep Enter and digits. A screen that was just opened has the focus itself.
function isFreeForCounts({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || target.matches('body, main')) return true;
  return target.closest('[data-fragments], [data-fragment]') !== null;
}

// A row that was reached with Tab is opened by Enter.
function isOtherRow({ target }: KeyboardEvent, fragmentId: number): boolean {
  const row = target instanceof Element && target.closest<HTMLElement>('[data-fragment]');
  return row ? row.dataset.fragment !== String(fragmentId) : false;
}
