import {
  BOARD_KEPT_MS,
  BOARD_REFRESH_MS,
  type BoardBus,
  listBoard,
} from '@ridewatch/contract/board';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { keyOf, queryClient, useEndpoint } from '../../api.ts';

/** A board that is read again sooner is the server's cached one. */
const STALE_MS = BOARD_KEPT_MS;
const NONE: ReadonlyMap<number, BoardBus> = new Map();

/**
 * What changes by the minute of the listed buses, by bus; read after the list is painted, then every 40 s while the page
 * is visible. The parsing of a large board would delay a key, so it is not read while the user types.
 * @param isListed whether the list is shown
 * @param isTyping whether the user types
 */
export function useBoard(isListed: boolean, isTyping: boolean) {
  const isPainted = useAfterPaint(isListed);
  const answer = useEndpoint(
    listBoard,
    {},
    { enabled: isPainted && !isTyping, refetchInterval: BOARD_REFRESH_MS, staleTime: STALE_MS },
  );
  const { isError, isFetching, refetch } = answer;
  useEffect(() => {
    if (isTyping) void queryClient.cancelQueries({ queryKey: keyOf(listBoard, {}) });
  }, [isTyping]);
  // A key that is pressed while the figures are rendered goes first.
  const data = useDeferredValue(answer.data);
  const figures = useMemo(
    () => (data ? new Map(data.items.map((item) => [item.id, item])) : NONE),
    [data],
  );
  return { figures, madeAt: data?.made_at, isError, isFetching, refetch };
}

function useAfterPaint(isShown: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    if (!isShown) return;
    let task: ReturnType<typeof setTimeout> | undefined;
    // A task that starts in a frame runs after its paint.
    const frame = requestAnimationFrame(() => {
      task = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(task);
    };
  }, [isShown]);
  return isPainted;
}
