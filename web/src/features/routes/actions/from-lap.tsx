import { formatMoment } from '@ridewatch/contract/day';
import { Select } from '../../../forms/select.tsx';
import { formatDay } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { problemText } from '../problem.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './action-form.module.css';
import type { ActionProps } from './action-props.ts';
import { ClosedDay } from './closed-day.tsx';
import { LosesStops, Replacement } from './replacement.tsx';
import { useLapMaking } from './use-lap-making.ts';
import { type LapProposal, useLapProposal } from './use-lap-proposal.ts';

/** Makes the track and stops of the shown route from a lap of the page's day. */
export function FromLap(props: ActionProps) {
  const { route, day, isOpen, page } = props;
  const text = useRouteText();
  const common = useText().common;
  const proposal = useLapProposal(props);
  const making = useLapMaking(props, proposal);
  const { laps, all, lap, takes, replaces } = proposal;
  const failure = proposal.error ?? making.error;

  if (laps.data && all.length === 0) return <p role="status">{text.noLaps}</p>;
  return (
    <div className={styles.form}>
      <LapChoice proposal={proposal} zone={page.info.timezone} date={page.date} />
      {!route && <p className={styles.note}>{text.needsRoute}</p>}
      {route && replaces && (replaces.track || replaces.stops) && (
        <Replacement of={replaces} route={route.details.name} day={day} />
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
          isBusy={making.isBusy}
          disabled={!lap || !replaces || !isOpen || !(takes.track || takes.stops)}
          onClick={making.ask}
        >
          {text.generate}
        </Button>
      </div>
      {making.isAsking && route && replaces && (
        <LosesStops
          of={replaces}
          route={route.details.name}
          day={day}
          onYes={() => void making.make()}
          onNo={making.cancel}
        />
      )}
    </div>
  );
}

interface LapChoiceProps {
  proposal: LapProposal;
  zone: string;
  date: string;
}

/** Selects the lap, and the parts that the route takes from it. */
function LapChoice({ proposal, zone, date }: LapChoiceProps) {
  const text = useRouteText();
  const { all, lap, takes, setTakes } = proposal;
  const clock = (moment: string) => formatMoment(Date.parse(moment), zone, 'HH:mm');
  return (
    <>
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
        onChange={(lapId) => proposal.setChosen(Number(lapId))}
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
    </>
  );
}
