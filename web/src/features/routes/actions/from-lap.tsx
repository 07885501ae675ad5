import { formatMoment } from '@ridewatch/contract/day';
import { listDayLaps, listLaps } from '@ridewatch/contract/laps';
import {
  makeStopsFromLap,
  makeTrackFromLap,
  proposeStopsFromLap,
} from '@ridewatch/contract/routes';
import { useEffect, useState } from 'react';
import { useAction, useEndpoint } from '../../../api.ts';
import { useAddress } from '../../../bus-page/use-address.ts';
import { Select } from '../../../forms/select.tsx';
import { formatDay } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import type { RouteAddress } from '../address.ts';
import { orFar } from '../far-stops.ts';
import { problemText } from '../problem.ts';
import { forgetRoutes } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import type { ActionProps } from './action-props.ts';
import { ClosedDay } from './closed-day.tsx';
import { LosesStops, Replacement } from './replacement.tsx';

/** Track and stops of the shown route as its bus drove them in a lap of the page's day. */
export function FromLap({ route, day, isOpen, page, onPreview }: ActionProps) {
  const text = useRouteText();
  const common = useText().common;
  const { go } = useAddress<RouteAddress>();
  const { info, date } = page;
  const query = { workplaceId: info.id, date };
  const laps = useEndpoint(listDayLaps, { query }, { handled: true });
  const [chosen, setChosen] = useState<number>();
  const [isAsking, setAsking] = useState(false);
  const [takes, setTakes] = useState({ track: true, stops: true });
  const all = laps.data?.items ?? [];
  // A whole lap is the better model.
  const lap =
    all.find(({ lap_id }) => lap_id === chosen) ?? all.find((one) => !one.incomplete) ?? all[0];
  const whole = useEndpoint(
    listLaps,
    { query: { ...query, lapId: lap?.lap_id ?? 0 } },
    { handled: true, enabled: lap !== undefined },
  ).data?.items[0];
  const groupId = route?.groupId;
  const proposed = useEndpoint(
    proposeStopsFromLap,
    {
      params: { groupId: groupId ?? 0 },
      query: { lapId: lap?.lap_id ?? 0, workplaceId: info.id, date: day },
    },
    { handled: true, enabled: lap !== undefined && groupId !== undefined },
  );
  const replaces = proposed.data && {
    ...proposed.data.replaces,
    track: takes.track,
    stops: takes.stops,
    prices_removed: takes.stops ? proposed.data.replaces.prices_removed : 0,
  };
  useEffect(() => {
    onPreview(
      whole && {
        track: takes.track ? whole.track : [],
        stops: takes.stops ? (proposed.data?.items ?? []) : [],
      },
    );
    return () => onPreview(undefined);
  }, [whole, takes, proposed.data, onPreview]);

  const track = useAction(makeTrackFromLap, { handled: true });
  const stops = useAction(makeStopsFromLap, { handled: true });
  const isBusy = track.isPending || stops.isPending;
  const make = async () => {
    setAsking(false);
    if (!lap || groupId === undefined) return;
    const body = { lapId: lap.lap_id, workplaceId: info.id, valid_from: day };
    try {
      if (takes.track) await track.mutateAsync({ params: { groupId }, body });
      if (takes.stops) {
        await orFar((confirm_far) =>
          stops.mutateAsync({ body: { ...body, groupId, confirm_far } }),
        );
      }
    } catch {
      // Said below by the action that failed; what was made before it stays.
      return;
    }
    showToast({ kind: 'done', text: text.generated });
    await forgetRoutes();
    go({ part: undefined, act: undefined });
  };
  const failure = laps.error ?? proposed.error ?? track.error ?? stops.error;

  if (laps.data && all.length === 0) return <p role="status">{text.noLaps}</p>;
  return (
    <div className={styles.form}>
      <Select
        label={`${text.lap}, ${formatDay(date)}`}
        value={lap ? String(lap.lap_id) : null}
        options={all.map((one) => ({
          value: String(one.lap_id),
          label: [
            text.lapName(one.number, clock(one.start), clock(one.end)),
            ...(one.incomplete ? [text.incompleteLap] : []),
          ].join(' · '),
        }))}
        onChange={(lapId) => setChosen(Number(lapId))}
      />
      <fieldset className={styles.checks}>
        <legend>{text.whatToTake}</legend>
        {(['track', 'stops'] as const).map((what) => (
          <label key={what} className={styles.check}>
            <input
              type="checkbox"
              checked={takes[what]}
              onChange={(event) => setTakes({ ...takes, [what]: event.target.checked })}
            />
            {what === 'track' ? text.takeTrack : text.takeStops}
          </label>
        ))}
      </fieldset>
      {!route && <p className={styles.note}>{text.needsRoute}</p>}
      {route && replaces && (replaces.track || replaces.stops) && (
        <Replacement of={replaces} route={route.group.name} day={day} />
      )}
      {failure && (
        <p role="alert" className={styles.problem}>
          {problemText(failure, text)}{' '}
          {laps.error && (
            <Button isBusy={laps.isFetching} onClick={() => void laps.refetch()}>
              {common.retry}
            </Button>
          )}
        </p>
      )}
      <ClosedDay day={day} isOpen={isOpen} page={page} />
      <div className={styles.actions}>
        <Button
          kind="primary"
          isBusy={isBusy}
          disabled={!lap || !replaces || !isOpen || !(takes.track || takes.stops)}
          onClick={() => {
            if (replaces?.stops && replaces.stops_removed > 0) setAsking(true);
            else void make();
          }}
        >
          {text.generate}
        </Button>
      </div>
      {isAsking && route && replaces && (
        <LosesStops
          of={replaces}
          route={route.group.name}
          day={day}
          onYes={() => void make()}
          onNo={() => setAsking(false)}
        />
      )}
    </div>
  );

  function clock(moment: string): string {
    return formatMoment(Date.parse(moment), info.timezone, 'HH:mm');
  }
}
