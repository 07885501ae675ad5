import { useMemo } from 'react';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { camerasInOrder } from '../../buses/order.ts';
import { useAddress } from '../../page/use-address.ts';
import type { GpsAddress } from './address.ts';
import type { Place } from './places.ts';
import { StopVideo } from './stop-video.tsx';
import type { LapView } from './use-lap-view.ts';

/** The recordings at a place of a lap. */
export function LapVideo({ view, place, zone }: { view: LapView; place: Place; zone: string }) {
  const { info } = useBusPage();
  const { search, note } = useAddress<GpsAddress>();
  const cameras = useMemo(
    () => new Map(camerasInOrder(info).map((camera) => [camera.id, camera])),
    [info],
  );
  const { fragments } = view;
  return (
    <StopVideo
      place={place}
      fragments={view.ofPlace}
      shown={view.shown}
      isLoading={fragments.isLoading}
      onRetry={fragments.isError ? fragments.retry : undefined}
      all={fragments.all}
      cameras={cameras}
      zone={zone}
      player={view.player}
      playhead={view.playhead}
      fromSeconds={Number(search.t ?? 0) || 0}
      playAtOnce={view.playAtOnce}
      onShow={view.show}
      onRest={(seconds) => note({ t: seconds > 0.05 ? seconds.toFixed(1) : undefined })}
      onClose={() => view.choose(undefined)}
    />
  );
}
