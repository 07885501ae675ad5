import type { BusInfo } from '@ridewatch/contract/buses';
import { dayOf, formatMoment, momentOf } from '@ridewatch/contract/day';
import { MAX_RECALCULATION_MS, type Recalculation } from '@ridewatch/contract/recalculation';
import { useState } from 'react';
import { camerasInOrder } from '../../buses/order.ts';
import { nowMs } from '../../core/clock.ts';
import { DayField } from '../../forms/day-field.tsx';
import { TimeField } from '../../forms/time-field.tsx';
import { textsOf } from '../../i18n/texts-of.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './recalculate-form.module.css';
import { en } from './texts-en.ts';
import { type RecalculationTexts, ru } from './texts-ru.ts';
import { useRecalculation } from './use-recalculation.ts';

/** A moment in the bus's local time: `YYYY-MM-DD`, `HH:mm:ss`. */
interface DayTime {
  readonly day: string;
  readonly time: string;
}

const useRecalculationText = textsOf({ ru_RU: ru, en_US: en });

/** A form that recounts the fragments of a bus's cameras in a period; for administrators. */
export function RecalculateForm({ info }: { info: BusInfo }) {
  const text = useRecalculationText();
  const zone = info.timezone;
  const all = camerasInOrder(info);
  // A bus without doors has nothing to count; only its files can be fetched again.
  const [reload, setReload] = useState(all.every(({ live }) => live));
  // Fragments of service cameras are not counted, but can be fetched again.
  const offered = all.filter(({ live }) => reload || !live);
  const [left, setLeft] = useState<ReadonlySet<number>>(() => new Set());
  const [from, setFrom] = useState<DayTime>({ day: info.date, time: '00:00:00' });
  const [to, setTo] = useState<DayTime>({ day: info.date, time: '23:59:59' });
  const cameraId = all[0]?.id ?? 0;
  const { answer, latest, making } = useRecalculation(cameraId);
  const chosen = offered.filter(({ id }) => !left.has(id)).map(({ id }) => id);
  const fromMs = momentOf(`${from.day}T${from.time}`, zone);
  // The period includes the typed second.
  const toMs = momentOf(`${to.day}T${to.time}`, zone) + 1000;
  const problem = problemOf();
  const start = () =>
    making.mutate({
      params: { cameraId: chosen[0] ?? cameraId },
      body: {
        cameraIds: chosen,
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        reload,
      },
    });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <fieldset className={styles.cameras}>
        <legend>{text.cameras}</legend>
        {offered.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={!left.has(id)}
              onChange={() => setLeft((now) => toggled(now, id))}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <Bound label={text.from} name={text.fromTime} bound={from} info={info} onBound={setFrom} />
      <Bound label={text.to} name={text.toTime} bound={to} info={info} onBound={setTo} />
      <label className={styles.reload}>
        <input
          type="checkbox"
          checked={reload}
          onChange={(event) => setReload(event.target.checked)}
        />
        <span>
          {text.reload}
          <small>{text.reloadHint}</small>
        </span>
      </label>
      <p className={styles.note}>{text.manualKept}</p>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <Button
        kind="primary"
        type="submit"
        isBusy={making.isPending}
        disabled={problem !== undefined}
      >
        {text.start}
      </Button>
      <FailedRead answer={answer} what={text.last} />
      {latest && <Progress of={latest} text={text} zone={zone} />}
    </form>
  );

  function problemOf(): string | undefined {
    if (chosen.length === 0) return text.noCameras;
    if (!(toMs > fromMs)) return text.badRange;
    return toMs - fromMs > MAX_RECALCULATION_MS ? text.tooLong : undefined;
  }
}

interface BoundProps {
  label: string;
  /** Accessible name of the time field. */
  name: string;
  bound: DayTime;
  info: BusInfo;
  onBound: (bound: DayTime) => void;
}

function Bound({ label, name, bound, info, onBound }: BoundProps) {
  const today = dayOf(nowMs(), info.timezone);
  return (
    <div className={styles.bound}>
      <DayField
        label={label}
        day={bound.day}
        today={today}
        last={today}
        onDay={(day) => onBound({ ...bound, day })}
      />
      <TimeField name={name} time={bound.time} onTime={(time) => onBound({ ...bound, time })} />
    </div>
  );
}

interface ProgressProps {
  of: Recalculation;
  text: RecalculationTexts;
  zone: string;
}

function Progress({ of, text, zone }: ProgressProps) {
  const { state, total, done, failed } = of;
  const moment = (iso: string) => formatMoment(Date.parse(iso), zone, 'DD.MM HH:mm');
  const isLooking = state === 'running' && total === 0;
  const counted = total === 0 ? text.nothing : text.progress(done, total);
  return (
    <div className={styles.progress}>
      <span className={styles.note}>
        {text.last}: {moment(of.from)} – {moment(of.to)}
      </span>
      <progress
        aria-label={text.last}
        max={Math.max(total, 1)}
        {...(isLooking ? {} : { value: total === 0 ? 1 : done })}
      />
      <span role="status">
        {isLooking ? text.looking : counted}
        {failed > 0 && <em>, {text.failed(failed)}</em>}
      </span>
    </div>
  );
}

function toggled(before: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(before);
  if (!next.delete(id)) next.add(id);
  return next;
}
