import { makeStopsFromLap, makeTrackFromLap } from '@ridewatch/contract/routes';
import { useState } from 'react';
import { useAction } from '../../../calls/api.ts';
import { useAddress } from '../../../page/use-address.ts';
import { showToast } from '../../../ui/toast-store.ts';
import type { RouteAddress } from '../address.ts';
import { orFar } from '../far-stops.ts';
import { invalidateRoutes } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';
import type { ActionProps } from './action-props.ts';
import { losesParts } from './loses-parts.ts';
import type { LapProposal } from './use-lap-proposal.ts';

/** Makes the track and stops of a route from a lap; asks first if stops would be removed. */
export function useLapMaking({ route, day, page }: ActionProps, proposal: LapProposal) {
  const text = useRouteText();
  const { go } = useAddress<RouteAddress>();
  const [isAsking, setAsking] = useState(false);
  const track = useAction(makeTrackFromLap);
  const stops = useAction(makeStopsFromLap);
  const { lap, takes, replaces } = proposal;
  const make = async () => {
    setAsking(false);
    if (!lap || !route) return;
    const { routeId } = route;
    const body = { lapId: lap.lap_id, workplaceId: page.info.id, valid_from: day };
    try {
      if (takes.track) await track.mutateAsync({ params: { groupId: routeId }, body });
      if (takes.stops) {
        await orFar((confirm_far) =>
          stops.mutateAsync({ body: { ...body, groupId: routeId, confirm_far } }),
        );
      }
    } catch {
      // The form shows the error of the failed action; earlier changes remain.
      return;
    }
    showToast({ kind: 'done', text: text.generated });
    await invalidateRoutes();
    go({ part: undefined, act: undefined });
  };
  return {
    isBusy: track.isPending || stops.isPending,
    error: track.error ?? stops.error,
    isAsking,
    make,
    ask: () => {
      if (replaces?.stops && losesParts(replaces)) setAsking(true);
      else void make();
    },
    cancel: () => setAsking(false),
  };
}
