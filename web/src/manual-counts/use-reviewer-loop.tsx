import type { Fragment } from '@ridewatch/contract/fragments';
import { markReviewed } from '@ridewatch/contract/review';
import { type ReactNode, type RefObject, useState } from 'react';
import { useAction } from '../api.ts';
import { useDayKeys } from '../bus-page/use-day-keys.ts';
import { RETRY_MS } from '../edits/edits.ts';
import { fragmentBeside } from '../fragment/beside.ts';
import { lazyComponent } from '../lazy-component.tsx';
import type { PlayerHandle } from '../player/player.tsx';
import { playerAction } from '../player/player-keys.ts';
import { focusCounts, focusedFragment, leaveCounts } from './count-focus.ts';
import { cacheFragment, manualEdits } from './use-manual-edits.ts';

const KeysHelp = lazyComponent(async () => (await import('./keys-help.tsx')).KeysHelp);

interface LoopOptions {
  /** The fragments of the loop, in order. */
  fragments: readonly { readonly id: number }[];
  /** Id of the fragment that is open or about to open. */
  currentId: () => number | undefined;
  /** A fragment by its id, if it is known. */
  fragmentOf: (id: number | undefined) => Fragment | undefined;
  mayEdit: boolean;
  player: RefObject<PlayerHandle | null>;
  onOpen: (fragmentId: number, playing: boolean) => void;
  /** Called after the last fragment. */
  onPastLast: () => void;
  /** Goes to the day before or after; only on the page of a bus. */
  onDay?: (by: 1 | -1) => void;
}

export interface ReviewerLoop {
  step: (by: 1 | -1, options?: { playing?: boolean; field?: 'same' | 'first' }) => void;
  /** Confirms the counts of a fragment, as they are or as typed, and goes to the next one. */
  confirm: (fragment: Fragment) => void;
  openHelp: () => void;
  /** The help with the keys, while it is open. */
  help: ReactNode;
}

/** Keyboard control of watching and counting: steps between fragments, digits and Enter. */
export function useReviewerLoop(options: LoopOptions): ReviewerLoop {
  const { fragments, mayEdit, player, onOpen, onPastLast } = options;
  const [isHelpOpen, setHelpOpen] = useState(false);
  // The user is at another fragment before a failure shows, so retry until the server answers.
  const reviewing = useAction(markReviewed, {
    onSuccess: cacheFragment,
    retry: (_failures, { status }) => status === 0 || status >= 500,
    retryDelay: RETRY_MS,
  });
  const review = (fragment: Fragment) => {
    if (manualEdits.drafts().has(fragment.id)) manualEdits.flush(fragment.id);
    else if (fragment.reviewed_at === null)
      reviewing.mutate({ params: { segmentId: fragment.id } });
  };
  const currentId = () => focusedFragment() ?? options.currentId();
  const step: ReviewerLoop['step'] = (by, { playing = false, field = 'same' } = {}) => {
    const fromId = currentId();
    const beside = fragmentBeside(fragments, fromId, by);
    const isTyping = focusedFragment() !== undefined;
    if (beside) {
      onOpen(beside.id, playing);
      // A user who types continues in the same input of that fragment.
      if (isTyping) focusCounts(beside.id, field);
    } else if (by === 1 && fromId !== undefined) {
      leaveCounts();
      onPastLast();
    }
  };
  const confirm = (fragment: Fragment) => {
    review(fragment);
    step(1, { field: 'first' });
  };
  useDayKeys((event) => {
    if (event.code === 'Slash' && event.shiftKey) {
      setHelpOpen(true);
      return true;
    }
    const current = options.fragmentOf(currentId());
    if (mayEdit && current && isFreeForCounts(event)) {
      if (event.code === 'Enter' || event.code === 'NumpadEnter') {
        confirm(current);
        return true;
      }
      // The focused input receives the digit itself.
      if (/^(Digit|Numpad)\d$/.test(event.code) && !event.shiftKey) {
        if (focusedFragment() === undefined) focusCounts(current.id, 'first');
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
  return {
    step,
    confirm,
    openHelp: () => setHelpOpen(true),
    help: isHelpOpen && (
      <KeysHelp
        isOfDay={options.onDay !== undefined}
        mayCount={mayEdit}
        onClose={() => setHelpOpen(false)}
      />
    ),
  };
}

// Other controls on the page keep Enter and digits.
function isFreeForCounts({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || target === document.body) return true;
  return target.closest('[data-fragments], [data-fragment]') !== null;
}
