import { listDayLaps, listLaps } from '@ridewatch/contract/laps';
import { proposeStopsFromLap } from '@ridewatch/contract/routes';
import { useEffect, useState } from 'react';
import { useEndpoint } from '../../../calls/api.ts';
import type { ActionProps } from './action-props.ts';

/** The laps of the page's day, the selected one, and the changes that it would make to the shown route. */
export function useLapProposal({ route, day, page, onPreview }: ActionProps) {
  const { info, date } = page;
  const query = { workplaceId: info.id, date };
  const laps = useEndpoint(listDayLaps, { query });
  const [chosen, setChosen] = useState<number>();
  const [takes, setTakes] = useState({ track: true, stops: true });
  const all = laps.data?.items ?? [];
  // A complete lap is the better model.
  const lap =
    all.find(({ lap_id }) => lap_id === chosen) ?? all.find((one) => !one.incomplete) ?? all[0];
  const wholeAnswer = useEndpoint(
    listLaps,
    { query: { ...query, lapId: lap?.lap_id ?? 0 } },
    { enabled: lap !== undefined },
  );
  const whole = wholeAnswer.data?.items[0];
  const routeId = route?.routeId;
  const proposed = useEndpoint(
    proposeStopsFromLap,
    {
      params: { groupId: routeId ?? 0 },
      query: { lapId: lap?.lap_id ?? 0, workplaceId: info.id, date: day },
    },
    { enabled: lap !== undefined && routeId !== undefined },
  );
  const { data } = proposed;
  useEffect(() => {
    onPreview(
      whole && {
        track: takes.track ? whole.track : [],
        stops: takes.stops ? (data?.items ?? []) : [],
      },
    );
    return () => onPreview(undefined);
  }, [whole, takes, data, onPreview]);
  return {
    laps,
    all,
    lap,
    setChosen,
    /** The parts that the route takes from the lap. */
    takes,
    setTakes,
    replaces: data && {
      ...data.replaces,
      track: takes.track,
      stops: takes.stops,
      prices_removed: takes.stops ? data.replaces.prices_removed : 0,
    },
    error: laps.error ?? wholeAnswer.error ?? proposed.error,
  };
}

export type LapProposal = ReturnType<typeof useLapProposal>;
