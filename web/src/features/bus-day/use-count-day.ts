import { addDays } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import { useEffect, useMemo, useRef } from 'react';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { camerasInOrder } from '../../buses/order.ts';
import { useSession } from '../../core/session.ts';
import { useDayFragments } from '../../fragment/use-day-fragments.ts';
import { useWatching } from '../../fragment/use-watching.ts';
import { useAddress, useNewestSearch } from '../../page/use-address.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { useReviewerLoop } from '../manual-counts/use-reviewer-loop.ts';
import type { CountAddress } from './address.ts';
import { recordedCameras } from './fragments.ts';
import { filterIn, type ListFilter, passes } from './list-filters.ts';
import { useListed } from './use-listed.ts';

/** The fragments of a bus's day, those of the selected cameras, and the actions of a reviewer on them. */
export function useCountDay() {
  const { info, date, isToday, goToDay } = useBusPage();
  const mayEdit = useSession()?.user.can_edit === true;
  const { search, note } = useAddress<CountAddress>();
  const answer = useDayFragments(info.id, date, isToday);
  const { data: day } = answer;
  const { playing, selectedId, isUnasked, open: openFragment, suggest, close } = useWatching();
  const cameras = useMemo(() => recordedCameras(camerasInOrder(info)), [info]);
  const chosen = useMemo(() => {
    if (search.camera === undefined) return new Set(cameras.map(({ id }) => id));
    const wanted = new Set(search.camera.split(',').map(Number));
    return new Set(cameras.flatMap(({ id }) => (wanted.has(id) ? [id] : [])));
  }, [search.camera, cameras]);
  const shown = useMemo(
    () => (day?.segments ?? []).filter((fragment) => chosen.has(fragment.cameraId)),
    [day?.segments, chosen],
  );
  const filter = filterIn(useNewestSearch().get('show') ?? undefined);
  const listed = useListed(shown, filter, isUnasked ? undefined : selectedId);
  const isPhone = useIsPhone();
  const isPainted = useAfterPaint(day !== undefined);
  const wasSeen = useRef(false);
  // The first sight of a day: what is to be done first. A user who chose something before it was painted knows better.
  useEffect(() => {
    if (wasSeen.current || (!isPainted && selectedId === undefined)) return;
    wasSeen.current = true;
    const first = listed.find((fragment) => passes(fragment, 'review'));
    if (mayEdit && !isPhone && selectedId === undefined && first) suggest(first.id);
  });
  const isStep = useRef(false);
  const open = (fragment: Fragment, seconds = 0, isPlaying = false, byKey = false) => {
    isStep.current = byKey;
    openFragment(fragment.id, seconds, isPlaying);
  };
  const loop = useReviewerLoop({
    fragments: listed,
    selectedId,
    fragmentOf: (id) => listed.find((fragment) => fragment.id === id),
    mayEdit,
    player: playing.player,
    onOpen: (id, isPlaying) => {
      const fragment = listed.find((one) => one.id === id);
      if (fragment) open(fragment, 0, isPlaying, true);
    },
    onPastLast: close,
    onDay: (by) => goToDay(addDays(date, by)),
  });
  return {
    answer,
    day,
    mayEdit,
    cameras,
    byId: useMemo(() => new Map(cameras.map((camera) => [camera.id, camera])), [cameras]),
    chosen,
    choose: (next: ReadonlySet<number>) =>
      note({ camera: next.size === cameras.length ? undefined : [...next].join(',') || 'none' }),
    /** The fragments of the selected cameras. */
    shown,
    /** The fragments of them in the list. */
    listed,
    filter,
    setFilter: (next: ListFilter | undefined) => note({ show: next }),
    selected: day?.segments.find((fragment) => fragment.id === selectedId),
    selectedId,
    isUnasked,
    playing,
    open,
    close,
    loop,
    /**
     * Whether the last selection may scroll the page: only one by key, because what the user presses must not move
     * away.
     */
    movesPage: () => isStep.current,
  };
}

export type CountDay = ReturnType<typeof useCountDay>;
