import type { LapSummary } from '@ridewatch/contract/laps';
import type { ReactNode } from 'react';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { usePreparedMap } from '../../map/use-scene.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { HaltsList } from './halts-list.tsx';
import { LapFigures } from './lap-figures.tsx';
import { LapMap } from './lap-map.tsx';
import { ListTitle, LoadFailed, PinButton, Waiting } from './lap-parts.tsx';
import { LapVideo } from './lap-video.tsx';
import { LoadProfile } from './load-profile.tsx';
import { StopDetail } from './stop-detail.tsx';
import { TrackTab } from './track-tab.tsx';
import { useGpsText } from './use-gps-text.ts';
import { useLapView } from './use-lap-view.ts';
import { usePins } from './use-pins.ts';

interface LapTabProps {
  /** The local day of the lap; that before the shown one for a lap past midnight. */
  day: string;
  summary: LapSummary;
  laps: readonly LapSummary[];
  zone: string;
  /** Newer data of this lap are not calculated yet. */
  isLate: boolean;
}

/** A lap: its track and stops, and the video of the selected stop. */
export function LapTab({ day, summary, laps, zone, isLate }: LapTabProps) {
  const { info } = useBusPage();
  const text = useGpsText();
  const isPhone = useIsPhone();
  usePreparedMap();
  const view = useLapView(day, summary, zone);
  const { lap, places, listed, chosen, choose } = view;
  const pins = usePins(laps, String(summary.number));
  const seats = (info.capacity_seated ?? 0) + (info.capacity_standing ?? 0);
  const isLast = summary.number === laps.at(-1)?.number;
  const pin = <PinButton isPinned={pins.isPinned} onChange={pins.setPinned} />;
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
  // The elements above stay when the lap comes: a press on one of them must not be lost.
  const above = (content: ReactNode) => (
    <>
      {(!isPhone || !lap) && figures}
      {content}
    </>
  );
  if (!lap) {
    const retry = () => void view.retry();
    return above(view.isError ? <LoadFailed text={text.lapFailed} onRetry={retry} /> : <Waiting />);
  }
  const isStop = ({ kind }: { kind: string }) => kind !== 'pause';
  const video = chosen && <LapVideo view={view} place={chosen} zone={zone} />;
  return above(
    <TrackTab
      figures={isPhone && figures}
      zone={zone}
      chosen={chosen}
      onBack={() => choose(undefined)}
      video={video}
      map={
        <LapMap
          summary={summary}
          isLast={isLast}
          view={view}
          pins={pins}
          zone={zone}
          seats={seats}
        />
      }
      listTitle={
        <>
          <ListTitle
            isDriven
            count={listed.filter(isStop).length}
            pauses={places.filter((place) => !isStop(place)).length}
            withPauses={view.withPauses}
            onPauses={view.setWithPauses}
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
            routeId={lap.group?.id}
            date={day}
            video={video}
            onClose={() => choose(undefined)}
          />
        ) : (
          <LoadProfile places={places} seats={seats} onChoose={choose} />
        )
      }
    />,
  );
}
