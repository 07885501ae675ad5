import type { Fragment } from '@ridewatch/contract/fragments';
import type { Lap, LapSummary } from '@ridewatch/contract/laps';
import { useMemo, useRef, useState } from 'react';
import { useAddress } from '../../bus-page/use-address.ts';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { camerasInOrder } from '../../buses/order.ts';
import type { PlayerHandle } from '../../player/player.tsx';
import { createPlayhead } from '../../player/playhead.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { GpsAddress } from './address.ts';
import { GpsMap } from './gps-map.tsx';
import { HaltsList } from './halts-list.tsx';
import { LapFigures } from './lap-figures.tsx';
import { fragmentToShow } from './lap-fragments.ts';
import { ListTitle, LoadFailed, PinButton, Waiting } from './lap-parts.tsx';
import { LoadProfile } from './load-profile.tsx';
import { readColour } from './map-notes.tsx';
import { type Place, placeBeside, placesOfLap } from './places.ts';
import { StopDetail } from './stop-detail.tsx';
import { StopVideo } from './stop-video.tsx';
import { TrackTab } from './track-tab.tsx';
import { useGpsKeys } from './use-gps-keys.ts';
import { useGpsText } from './use-gps-text.ts';
import { useLapFragments } from './use-lap-fragments.ts';
import { useLap } from './use-laps.ts';
import { useLive } from './use-live.ts';
import { readPins, usePinnedLines } from './use-pins.ts';

interface LapTabProps {
  summary: LapSummary;
  laps: readonly LapSummary[];
  zone: string;
  /** Newer data of this lap wait to be worked out. */
  isLate: boolean;
}

const NO_POINTS: readonly never[] = [];
const NO_LAP: Pick<Lap, 'busStopDtoList' | 'halts'> = { busStopDtoList: [], halts: [] };

/** One lap: its track and stops, and the video of the chosen one. */
export function LapTab({ summary, laps, zone, isLate }: LapTabProps) {
  const { info, date, isToday, goToDay } = useBusPage();
  const text = useGpsText();
  const { search, go, note } = useAddress<GpsAddress>();
  const { lap, isError, retry } = useLap(info.id, date, summary);
  const isPhone = useIsPhone();
  const [playhead] = useState(createPlayhead);
  const [playAtOnce, setPlayAtOnce] = useState(false);
  const [withPauses, setWithPauses] = useState(false);
  const player = useRef<PlayerHandle>(null);
  const cameras = useMemo(
    () => new Map(camerasInOrder(info).map((camera) => [camera.id, camera])),
    [info],
  );
  const { busStopDtoList, halts } = lap ?? NO_LAP;
  // Not by the lap: its track grows all the time, and the map would make its marks anew.
  const places = useMemo(() => placesOfLap({ busStopDtoList, halts }), [busStopDtoList, halts]);
  const chosen = places.find(({ key }) => key === search.stop);
  const listed = places.filter((place) => withPauses || place.kind !== 'pause' || place === chosen);
  const fragments = useLapFragments(info.id, date, isToday, zone, lap);
  const ofPlace = chosen ? fragments.of(chosen) : [];
  const shown = fragmentToShow(
    ofPlace,
    search.fragment === undefined ? undefined : Number(search.fragment),
  );
  const number = String(summary.number);
  const pins = readPins(search.pin);
  const pinned = usePinnedLines(info, date, laps, pins, number);
  const isDriven = isToday && summary.open && summary.number === laps.at(-1)?.number;
  const live = useLive(info.id, isDriven, lap?.track ?? NO_POINTS);
  const seats = (info.capacity_seated ?? 0) + (info.capacity_standing ?? 0);

  const choose = (place: Place | undefined) => {
    playhead.set(null);
    setPlayAtOnce(place !== undefined);
    // Back leads to the lap, not through all stops that were looked at; another stop clears the fragment (section 4).
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
  const setPins = (next: readonly string[]) => note({ pin: next.join(',') || undefined });
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

  const pin = (
    <PinButton
      isPinned={pins.includes(number)}
      onChange={(on) => setPins(on ? [...pins, number] : pins.filter((one) => one !== number))}
    />
  );
  const figures = (
    <LapFigures
      lap={lap ?? summary}
      zone={zone}
      places={seats}
      isLate={isLate}
      allStops={places.filter(({ stop }) => stop !== null && stop.id !== null).length}
    >
      {!isPhone && pin}
    </LapFigures>
  );
  if (!lap) {
    return (
      <>
        {figures}
        {isError ? <LoadFailed text={text.lapFailed} onRetry={() => void retry()} /> : <Waiting />}
      </>
    );
  }
  const video = chosen && (
    <StopVideo
      place={chosen}
      fragments={ofPlace}
      shown={shown}
      isLoading={fragments.isLoading}
      onRetry={fragments.isError ? fragments.retry : undefined}
      all={fragments.all}
      cameras={cameras}
      zone={zone}
      player={player}
      playhead={playhead}
      fromSeconds={Number(search.t ?? 0) || 0}
      playAtOnce={playAtOnce}
      onShow={show}
      onRest={(seconds) => note({ t: seconds > 0.05 ? seconds.toFixed(1) : undefined })}
      onClose={() => choose(undefined)}
    />
  );
  return (
    <TrackTab
      figures={figures}
      zone={zone}
      chosen={chosen}
      onBack={() => choose(undefined)}
      video={video}
      map={
        <GpsMap
          busName={info.name}
          zone={zone}
          viewKey={`${date}/${number}`}
          lap={lap}
          track={NO_POINTS}
          pinned={pinned}
          onUnpin={(id) => setPins(pins.filter((pin) => pin !== id))}
          places={places}
          chosen={chosen}
          onChoose={choose}
          colour={readColour(search.colour)}
          onColour={(colour) => note({ colour: colour === 'plain' ? undefined : colour })}
          seats={seats}
          live={isDriven ? live : undefined}
          playhead={playhead}
        />
      }
      listTitle={
        <>
          <ListTitle
            isDriven
            count={listed.filter(({ kind }) => kind !== 'pause').length}
            pauses={places.filter(({ kind }) => kind === 'pause').length}
            withPauses={withPauses}
            onPauses={setWithPauses}
          />
          {isPhone && pin}
        </>
      }
      list={
        listed.length > 0 ? (
          <HaltsList
            places={listed}
            zone={zone}
            chosenKey={chosen?.key}
            onChoose={choose}
            isDriven
          />
        ) : (
          <EmptyState title={text.noStopsTitle} text={text.noStopsText} />
        )
      }
      detail={
        chosen ? (
          <StopDetail
            key={chosen.key}
            place={chosen}
            zone={zone}
            groupId={lap.group?.id}
            date={date}
            video={video}
            onClose={() => choose(undefined)}
          />
        ) : (
          <LoadProfile places={places} seats={seats} onChoose={choose} />
        )
      }
    />
  );
}
