import { BOARD_REFRESH_MS, type BoardBus, listBoard } from '@ridewatch/contract/board';
import { useEffect, useMemo, useState } from 'react';
import { useEndpoint } from '../../api.ts';

const NONE: ReadonlyMap<number, BoardBus> = new Map();

/**
 * What changes by the minute of the listed buses, by bus; read after the list is painted, then every 40 s while the page
 * is visible.
 * @param isListed whether the list is shown
 */
export function useBoard(isListed: boolean) {
  const isPainted = useAfterPaint(isListed);
  const { data, isError, isFetching, refetch } = useEndpoint(
    listBoard,
    {},
    { enabled: isPainted, refetchInterval: BOARD_REFRESH_MS },
  );
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
