import { listReviewQueue, type ReviewItem } from '@ridewatch/contract/review';
import { useEffect, useEffectEvent, useState } from 'react';
import { call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';

/** Fragments in a request; the next request follows when fewer are left. */
const PAGE = 50;
const FEW = 12;

/** The user may not review: the page says so in its place. */
export const isNotAllowed = ({ status }: ApiError): boolean => status === 403;

export interface Queue {
  /**
   * The fragments in the order of the queue; undefined until the first answer. Reviewed ones stay, so that the user can
   * go back.
   */
  readonly items: readonly ReviewItem[] | undefined;
  readonly error: ApiError | undefined;
  /** Reads the queue again, from a fragment on or from the start. */
  restart: (fromId: number | undefined) => void;
}

interface State {
  fromId: number | undefined;
  /** Number of the start; raised by `restart`. */
  attempt: number;
  items: readonly ReviewItem[] | undefined;
  hasMore: boolean;
  error: ApiError | undefined;
}

const begun = (fromId: number | undefined, attempt: number): State => ({
  fromId,
  attempt,
  items: undefined,
  hasMore: true,
  error: undefined,
});

/**
 * Reads the review queue as far as the user needs it.
 * @param fromId the fragment at which the user stopped last time
 * @param currentId the fragment where the user is; near the end the next page is read
 * @param clientId of the customer whose fragments are read; all if undefined
 */
export function useQueue(
  fromId: number | undefined,
  currentId: number | undefined,
  clientId: string | undefined,
): Queue {
  const [state, setState] = useState(() => begun(fromId, 0));
  const { items, hasMore, attempt } = state;
  const at = items?.findIndex((item) => item.segment_id === currentId) ?? -1;
  const isShort = items === undefined || (at >= 0 && items.length - at < FEW);
  const wantsMore = hasMore && isShort && state.error === undefined;
  const load = useEffectEvent(async (isWanted: () => boolean) => {
    const last = items?.at(-1);
    const where = last ? { after: last.segment_id } : begin(state.fromId);
    // The fragment at which the user stopped may have become invisible to them: start at the beginning.
    const isGone = ({ status }: ApiError) => status === 404 && !last && state.fromId !== undefined;
    try {
      const query = { ...where, perPage: String(PAGE), ...(clientId && { clientId }) };
      const isQuiet = (error: ApiError) => isGone(error) || (!items && isNotAllowed(error));
      const page = await call(listReviewQueue, { query, isQuiet });
      if (!isWanted()) return;
      const known = new Set(items?.map((item) => item.segment_id));
      const fresh = page.items.filter((item) => !known.has(item.segment_id));
      setState((now) => ({
        ...now,
        items: [...(now.items ?? []), ...fresh],
        hasMore: page.items.length === PAGE,
      }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isWanted()) return;
      setState((now) => (isGone(error) ? begun(undefined, now.attempt + 1) : { ...now, error }));
    }
  });
  const loaded = items?.length;
  useEffect(() => {
    if (!wantsMore) return;
    let isWanted = true;
    void load(() => isWanted && attempt >= 0 && (loaded ?? 0) >= 0);
    return () => {
      isWanted = false;
    };
  }, [wantsMore, attempt, loaded]);
  return {
    items,
    error: state.error,
    restart: (id) => setState((now) => begun(id, now.attempt + 1)),
  };
}

const begin = (fromId: number | undefined) => (fromId === undefined ? {} : { from: fromId });
