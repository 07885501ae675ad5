import type { BusStatus, Camera } from '@ridewatch/contract/buses';
import { addDays } from '@ridewatch/contract/day';
import { type Fragment, listPeriods } from '@ridewatch/contract/fragments';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { useEndpoint } from '../../calls/api.ts';
import { refreshInterval } from '../../fragment/refresh-interval.ts';
import { useWatching } from '../../fragment/use-watching.ts';
import { useReviewerLoop } from '../manual-counts/use-reviewer-loop.ts';
import { isOpen } from './use-bus-status.ts';

const NONE: readonly Fragment[] = [];
/** A recording replaces live video. */
const NOT_LIVE = { beside: { part: undefined } };

/** The fragments of a service camera on the shown day, and functions that open them. */
export function useServiceDay(camera: Camera | undefined, status: BusStatus | undefined) {
  const { date, isToday, goToDay } = useBusPage();
  const { playing, selectedId, open: openFragment, close } = useWatching(NOT_LIVE);
  const hasOpenRequest = status?.requests.some(isOpen) ?? false;
  const answer = useEndpoint(
    listPeriods,
    { params: { cameraId: camera?.id ?? 0 }, query: { startdate: date, enddate: date } },
    {
      enabled: camera !== undefined,
      refetchInterval: ({ state }) => refreshInterval(state.data?.items, isToday, hasOpenRequest),
    },
  );
  const fragments = answer.data?.items;
  const known = fragments ?? NONE;
  const open = (
    fragment: Fragment,
    momentMs = Date.parse(fragment.start_time),
    isPlaying = false,
  ) => {
    const startMs = Date.parse(fragment.start_time);
    // A press beside a fragment opens it at its start.
    const isWithin = momentMs > startMs && momentMs < Date.parse(fragment.end_time);
    const offsetS = isWithin ? (momentMs - startMs) / 1000 : 0;
    openFragment(fragment.id, offsetS, isPlaying);
  };
  // The same keys as on the count tab, without counting.
  const loop = useReviewerLoop({
    fragments: known,
    selectedId,
    fragmentOf: (id) => known.find((fragment) => fragment.id === id),
    mayEdit: false,
    player: playing.player,
    onOpen: (id, isPlaying) => {
      const fragment = known.find((one) => one.id === id);
      if (fragment) open(fragment, undefined, isPlaying);
    },
    onPastLast: close,
    onDay: (by) => goToDay(addDays(date, by)),
  });
  const selected = known.find(({ id }) => id === selectedId);
  return { answer, fragments, selected, selectedId, playing, open, close, loop };
}
