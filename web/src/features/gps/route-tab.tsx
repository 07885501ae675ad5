import type { LapSummary } from '@ridewatch/contract/laps';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { useAddress } from '../../page/use-address.ts';
import { createPlayhead } from '../../player/playhead.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { GpsAddress } from './address.ts';
import { GpsMap } from './gps-map.tsx';
import { HaltsList } from './halts-list.tsx';
import styles from './lap-parts.module.css';
import { ListTitle, LoadFailed, PinButton, Waiting } from './lap-parts.tsx';
import { type Place, placeBeside, placesOfRoute } from './places.ts';
import { StopDetail } from './stop-detail.tsx';
import { TrackTab } from './track-tab.tsx';
import { useGpsKeys } from './use-gps-keys.ts';
import { useGpsText } from './use-gps-text.ts';
import { useRoute } from './use-laps.ts';
import { ROUTE, usePins } from './use-pins.ts';

/** The route as valid on the day: its track, and its stops with statistics. */
export function RouteTab({ laps }: { laps: readonly LapSummary[] }) {
  const { info, date, goToDay } = useBusPage();
  const text = useGpsText();
  const { search, go, note } = useAddress<GpsAddress>();
  const { track, stops, isError, retry } = useRoute(info.group?.id, date, true);
  const [playhead] = useState(createPlayhead);
  const places = useMemo(() => placesOfRoute(stops ?? []), [stops]);
  const chosen = places.find(({ key }) => key === search.stop);
  const pins = usePins(laps, ROUTE);
  const choose = (place: Place | undefined) => {
    if (chosen || !place) note({ stop: place?.key });
    else go({ stop: place.key });
  };
  useGpsKeys({
    date,
    onDay: goToDay,
    player: { current: null },
    onStep: (by) => {
      const beside = placeBeside(places, chosen?.key, by);
      if (beside) choose(beside);
    },
    onClose: () => choose(undefined),
  });
  if (isError) return <LoadFailed text={text.lapFailed} onRetry={() => void retry()} />;
  if (!track || !stops) return <Waiting />;
  if (track.length === 0 && stops.length === 0) {
    return (
      <EmptyState title={text.routeEmptyTitle} text={text.routeEmptyText}>
        <EditLink />
      </EmptyState>
    );
  }
  return (
    <TrackTab
      zone={info.timezone}
      chosen={chosen}
      onBack={() => choose(undefined)}
      map={
        <GpsMap
          busName={info.name}
          zone={info.timezone}
          viewKey={`${date}/${ROUTE}`}
          lap={undefined}
          track={track}
          pins={pins}
          places={places}
          chosen={chosen}
          onChoose={choose}
          colour="plain"
          onColour={() => undefined}
          seats={0}
          live={undefined}
          playhead={playhead}
        />
      }
      listTitle={
        <>
          <ListTitle count={places.length} />
          <EditLink />
          <PinButton isPinned={pins.isPinned} onChange={pins.setPinned} />
        </>
      }
      list={
        <HaltsList
          places={places}
          zone={info.timezone}
          chosenKey={chosen?.key}
          onChoose={choose}
          isDriven={false}
        />
      }
      detail={
        chosen ? (
          <StopDetail
            key={chosen.key}
            place={chosen}
            zone={info.timezone}
            routeId={info.group?.id}
            date={date}
            onClose={() => choose(undefined)}
          />
        ) : (
          <EmptyState title={text.chooseTitle} text={text.chooseText} />
        )
      }
    />
  );
}

function EditLink() {
  const { info } = useBusPage();
  const { search } = useAddress<GpsAddress>();
  return (
    <Link
      to="/bus/$busId/route"
      params={{ busId: String(info.id) }}
      search={search.date === undefined ? {} : { date: search.date }}
      className={styles.edit}
    >
      {useGpsText().editRoute}
    </Link>
  );
}
