import type { BusStatus, Camera } from '@ridewatch/contract/buses';
import { findBusStatus } from '@ridewatch/contract/buses';
import { listPeriods } from '@ridewatch/contract/fragments';
import { preloadRange } from '@ridewatch/contract/preload';
import { useId, useState } from 'react';
import { keyOf, queryClient, useAction } from '../../calls/api.ts';
import { nowMs } from '../../core/clock.ts';
import { TimeField } from '../../forms/time-field.tsx';
import { useUnaskedText } from '../../fragment/use-unasked-text.ts';
import { clockText } from '../../player/clock-text.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import styles from './preload-bar.module.css';
import { PreloadRequests } from './preload-requests.tsx';
import { momentAt, refusalOf, type Span, timeOf } from './span.ts';
import { isOpen, presentOf } from './use-bus-status.ts';
import { useServiceText } from './use-service-text.ts';

interface PreloadBarProps {
  busId: number;
  camera: Camera;
  /** All cameras of the bus. */
  cameras: readonly Camera[];
  status: BusStatus | undefined;
  span: Span | undefined;
  onSpan: (span: Span | undefined) => void;
  /** The shown local day, with its start and end. */
  date: string;
  bounds: Span;
  zone: string;
}

/** Requests a range from the registrar, of one camera or of all. */
export function PreloadBar(props: PreloadBarProps) {
  const { busId, camera, cameras, status, span, onSpan, date, bounds, zone } = props;
  const text = useServiceText();
  const unaskedText = useUnaskedText(zone);
  const id = useId();
  const locked = useLock();
  const asking = useAction(preloadRange, {
    onSuccess: ({ items, requests, unasked }) => {
      // A new object makes the list scroll there again.
      onSpan(span && { ...span });
      // Show the new state of the requested fragments at once.
      void queryClient.invalidateQueries({ queryKey: [listPeriods.path] });
      void queryClient.invalidateQueries({
        queryKey: keyOf(findBusStatus, { params: { busId } }),
      });
      const asked = items.filter(
        (one) => one.status === 'DOWNLOADING_FROM_TASK' || one.status === 'LOADING',
      );
      const isRange = requests.some(isOpen);
      const said = asked.length > 0 ? text.requested(asked.length) : undefined;
      const here = unasked.length > 0 ? text.restIsHere : text.nothingNew;
      const done = said ?? (isRange ? text.requestedRange : here);
      showToast({ kind: 'done', text: done });
    },
  });
  // One end was typed, the other is still missing.
  const [half, setHalf] = useState<Partial<Span>>({});
  const present = presentOf(status, nowMs());
  const refusal = refusalOf(span, [camera], present);
  const refusalOfAll = refusalOf(span, cameras, present);
  const deviceId = status?.deviceId ?? null;
  const isForAll = asking.variables !== undefined && 'deviceId' in asking.variables.body;
  const isOwn = isForAll || asking.variables?.body.cameraId === camera.id;
  const unasked = ((isOwn && asking.data?.unasked) || []).filter(
    ({ start_time, end_time }) =>
      Date.parse(start_time) < bounds.endMs && Date.parse(end_time) > bounds.startMs,
  );
  const range = span && {
    startTime: new Date(span.startMs || 0).toISOString(),
    endTime: new Date(span.endMs || 0).toISOString(),
  };
  const type = (end: 'startMs' | 'endMs', time: string) => {
    const ms = momentAt(date, time, zone);
    const typed: Partial<Span> = { ...half, ...span, [end]: ms };
    const { startMs, endMs } = typed;
    const isWhole = startMs !== undefined && endMs !== undefined;
    setHalf(isWhole ? {} : typed);
    if (isWhole) onSpan({ startMs, endMs });
  };
  const field = (label: string, end: 'startMs' | 'endMs') => {
    const ms = (span ?? half)[end];
    return (
      <TimeField
        label={label}
        time={ms === undefined ? '' : timeOf(ms, zone)}
        describedBy={id}
        onTime={(time) => type(end, time)}
      />
    );
  };
  const lengthS = span ? (span.endMs - span.startMs) / 1000 : 0;
  const isEmpty = refusal === 'empty';
  return (
    <section className={styles.bar} aria-label={text.preload}>
      <header className={styles.head}>
        <h2>{text.preload}</h2>
        <p id={id} role="status" className={styles.note} data-problem={refusal && !isEmpty}>
          {refusal && <strong>{text.refusals[refusal]}</strong>}{' '}
          {(!refusal || isEmpty) && text.preloadHint}
        </p>
      </header>
      <div className={styles.line}>
        <div className={styles.fields}>
          {field(text.from, 'startMs')}
          {field(text.to, 'endMs')}
          {lengthS > 0 && <span className={styles.length}>{clockText(lengthS)}</span>}
          {span && (
            <Button kind="quiet" onClick={() => onSpan(undefined)}>
              {text.clear}
            </Button>
          )}
        </div>
        <div className={styles.actions}>
          <Button
            kind="primary"
            isBusy={asking.isPending && !isForAll}
            locked={locked}
            disabled={refusal !== undefined || asking.isPending}
            aria-describedby={id}
            onClick={() => range && asking.mutate({ body: { cameraId: camera.id, ...range } })}
          >
            {text.fromCamera}
          </Button>
          {cameras.length > 1 && deviceId !== null && (
            <Button
              isBusy={asking.isPending && isForAll}
              locked={locked}
              disabled={refusalOfAll !== undefined || asking.isPending}
              aria-describedby={id}
              onClick={() => range && asking.mutate({ body: { deviceId, ...range } })}
            >
              {text.fromAll}
            </Button>
          )}
        </div>
      </div>
      <div role="status" className={styles.unasked}>
        {unasked.map((part) => (
          <p key={part.start_time}>{unaskedText(part)}</p>
        ))}
      </div>
      <PreloadRequests busId={busId} camera={camera} status={status} bounds={bounds} zone={zone} />
    </section>
  );
}
