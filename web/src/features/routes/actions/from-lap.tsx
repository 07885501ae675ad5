import { formatMoment } from '@ridewatch/contract/day';
import { listDayLaps, listLaps } from '@ridewatch/contract/laps';
import { makeStopsFromLap, makeTrackFromLap } from '@ridewatch/contract/routes';
import { useEffect, useId, useState } from 'react';
import { useAction, useEndpoint } from '../../../api.ts';
import { useAddress } from '../../../bus-page/use-address.ts';
import { formatDay } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import { problemText } from '../problem.ts';
import { forgetRoutes } from '../use-route.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import type { ActionProps } from './action-props.ts';
import { ClosedDay } from './closed-day.tsx';

/** Track and stops of the shown route as its bus drove them in a lap of the page's day. */
export function FromLap({ route, day, isOpen, page, onPreview }: ActionProps) {
  const text = useRouteText();
  const common = useText().common;
  const id = useId();
  const { go } = useAddress();
  const { info, date } = page;
  const query = { workplaceId: info.id, date };
  const laps = useEndpoint(listDayLaps, { query }, { handled: true });
  const [chosen, setChosen] = useState<number>();
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
  useEffect(() => {
    onPreview(
      whole && {
        track: takes.track ? whole.track : [],
        stops: takes.stops
          ? whole.halts.map(({ latitude, longitude, start }) => ({
              latitude,
              longitude,
              name: formatMoment(Date.parse(start), info.timezone, 'HH:mm'),
              routeDirection: directionAt(whole.legs, start),
            }))
          : [],
      },
    );
    return () => onPreview(undefined);
  }, [whole, takes, info.timezone, onPreview]);

  const track = useAction(makeTrackFromLap, { handled: true });
  const stops = useAction(makeStopsFromLap, { handled: true });
  const isBusy = track.isPending || stops.isPending;
  const groupId = route?.groupId;
  const make = async () => {
    if (!lap || groupId === undefined) return;
    const body = { lapId: lap.lap_id, workplaceId: info.id, valid_from: day };
    try {
      if (takes.track) await track.mutateAsync({ params: { groupId }, body });
      if (takes.stops) await stops.mutateAsync({ body: { ...body, groupId } });
    } catch {
      // Said below by the action that failed; what was made before it stays.
      return;
    }
    showToast({ kind: 'done', text: text.generated });
    await forgetRoutes();
    go({ part: undefined, act: undefined });
  };
  const failure = laps.error ?? track.error ?? stops.error;

  if (laps.data && all.length === 0) return <p role="status">{text.noLaps}</p>;
  return (
    <div className={styles.form}>
      <div className={styles.field}>
        <label htmlFor={id}>
          {text.lap}, {formatDay(date)}
        </label>
        <select
          id={id}
          value={lap?.lap_id ?? ''}
          disabled={!lap}
          onChange={(event) => setChosen(Number(event.target.value))}
        >
          {all.map((one) => (
            <option key={one.lap_id} value={one.lap_id}>
              {text.lapName(one.number, clock(one.start), clock(one.end))}
              {one.incomplete ? ` · ${text.incompleteLap}` : ''}
            </option>
          ))}
        </select>
      </div>
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
      <p className={styles.note}>
        {route ? replacesText(route.group.name, formatDay(day)) : text.needsRoute}
      </p>
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
          disabled={!lap || groupId === undefined || !isOpen || !(takes.track || takes.stops)}
          onClick={() => void make()}
        >
          {text.generate}
        </Button>
      </div>
    </div>
  );

  function replacesText(name: string, from: string): string | undefined {
    if (takes.track && takes.stops) return text.replacesRoute(name, from);
    if (takes.track) return `${text.trackReplaced(name, from)} ${text.daysBefore}`;
    return takes.stops ? text.replacesStops(name, from) : undefined;
  }
  function clock(moment: string): string {
    return formatMoment(Date.parse(moment), info.timezone, 'HH:mm');
  }
}

function directionAt(
  legs: readonly { direction: 'FORWARD' | 'REVERSE'; start: string }[],
  moment: string,
): 'FORWARD' | 'REVERSE' {
  return legs.findLast(({ start }) => start <= moment)?.direction ?? 'FORWARD';
}
