import type { LapSummary } from '@ridewatch/contract/laps';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { isDriven } from '../../bus-page/use-day-laps.ts';
import { useAddress } from '../../page/use-address.ts';
import type { GpsAddress } from './address.ts';
import { GpsMap } from './gps-map.tsx';
import { readColour } from './map-notes.tsx';
import type { LapView } from './use-lap-view.ts';
import { useLive } from './use-live.ts';
import type { usePins } from './use-pins.ts';

interface LapMapProps {
  summary: LapSummary;
  /** It is the lap in progress, or the last one. */
  isLast: boolean;
  view: LapView;
  pins: ReturnType<typeof usePins>;
  zone: string;
  /** Capacity of the bus; 0 if unknown. */
  seats: number;
}

const NO_POINTS: readonly never[] = [];

/** The map of a lap; for the lap in progress it shows the bus. */
export function LapMap({ summary, isLast, view, pins, zone, seats }: LapMapProps) {
  const { info, date } = useBusPage();
  const { search, note } = useAddress<GpsAddress>();
  const { lap, places, chosen, choose, playhead } = view;
  // Nobody learns where a bus of another customer is now.
  const isLive = isDriven(summary) && isLast && info.last_own_day === null;
  const live = useLive(info.id, isLive, lap?.track ?? NO_POINTS);
  return (
    <GpsMap
      busName={info.name}
      zone={zone}
      viewKey={`${date}/${summary.number}`}
      lap={lap}
      track={NO_POINTS}
      pins={pins}
      places={places}
      chosen={chosen}
      onChoose={choose}
      colour={readColour(search.colour)}
      onColour={(colour) => note({ colour: colour === 'plain' ? undefined : colour })}
      seats={seats}
      live={isLive ? live : undefined}
      playhead={playhead}
    />
  );
}
