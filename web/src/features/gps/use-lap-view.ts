import type { Fragment } from '@ridewatch/contract/fragments';
import type { Lap, LapSummary } from '@ridewatch/contract/laps';
import { useMemo, useRef, useState } from 'react';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { useAutoplay } from '../../fragment/autoplay.ts';
import { useAddress } from '../../page/use-address.ts';
import type { PlayerHandle } from '../../player/player-props.ts';
import { createPlayhead } from '../../player/playhead.ts';
import type { GpsAddress } from './address.ts';
import { fragmentToShow } from './lap-fragments.ts';
import { type Place, placeBeside, placesOfLap } from './places.ts';
import { useGpsKeys } from './use-gps-keys.ts';
import { useLapFragments } from './use-lap-fragments.ts';
import { useLap } from './use-laps.ts';

const NO_LAP: Pick<Lap, 'busStopDtoList' | 'halts'> = { busStopDtoList: [], halts: [] };

/**
 * The view of a lap: its places, the selected one, and the fragment that plays there.
 * @param day the local day of the lap
 */
export function useLapView(day: string, summary: LapSummary, zone: string) {
  const { info, date, today, goToDay } = useBusPage();
  const { search, go, note } = useAddress<GpsAddress>();
  const { lap, isError, retry } = useLap(info.id, day, summary);
  const [playhead] = useState(createPlayhead);
  const [playAtOnce, setPlayAtOnce] = useState(false);
  const autoplay = useAutoplay();
  const [withPauses, setWithPauses] = useState(false);
  const player = useRef<PlayerHandle>(null);
  const { busStopDtoList, halts } = lap ?? NO_LAP;
  // Do not depend on the lap: its track grows all the time, and the map would make its marks again.
  const places = useMemo(() => placesOfLap({ busStopDtoList, halts }), [busStopDtoList, halts]);
  const chosen = places.find(({ key }) => key === search.stop);
  const listed = places.filter((place) => withPauses || place.kind !== 'pause' || place === chosen);
  const fragments = useLapFragments(info.id, day, today, zone, lap);
  const ofPlace = chosen ? fragments.of(chosen) : [];
  const named = search.fragment === undefined ? undefined : Number(search.fragment);

  const choose = (place: Place | undefined) => {
    playhead.set(null);
    setPlayAtOnce(place !== undefined && autoplay);
    // Back leads to the lap instead of stepping through stops; another stop clears the fragment (spec section 4).
    const change = { stop: place?.key, fragment: undefined, t: undefined };
    if (chosen || !place) note(change);
    else go(change);
  };
  const show = (fragment: Fragment, playing: boolean) => {
    setPlayAtOnce(playing);
    const holds = (place: Place) => fragments.of(place).some(({ id }) => id === fragment.id);
    const place = chosen && holds(chosen) ? chosen : places.find(holds);
    note({ stop: place?.key ?? chosen?.key, fragment: String(fragment.id), t: undefined });
  };
  useGpsKeys({
    date,
    onDay: goToDay,
    player,
    onStep: (by) => {
      const beside = placeBeside(listed, chosen?.key, by);
      if (beside) choose(beside);
    },
    onClose: () => choose(undefined),
  });
  return {
    lap,
    isError,
    retry,
    places,
    /** The places in the list. */
    listed,
    chosen,
    choose,
    withPauses,
    setWithPauses,
    fragments,
    ofPlace,
    shown: fragmentToShow(ofPlace, named),
    show,
    player,
    playhead,
    playAtOnce,
  };
}

export type LapView = ReturnType<typeof useLapView>;
