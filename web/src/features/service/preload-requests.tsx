import { type BusStatus, type Camera, findBusStatus } from '@ridewatch/contract/buses';
import { formatMoment } from '@ridewatch/contract/day';
import { listPeriods } from '@ridewatch/contract/fragments';
import { cancelPreload } from '@ridewatch/contract/preload';
import { keyOf, queryClient, useAction } from '../../calls/api.ts';
import { ReasonText } from '../../fragment/use-reason-text.ts';
import { Button } from '../../ui/button.tsx';
import { useLock } from '../../ui/use-lock.ts';
import styles from './preload-bar.module.css';
import { type Span, timeOf } from './span.ts';
import { isOpen } from './use-bus-status.ts';
import { useServiceText } from './use-service-text.ts';

const MOST_SHOWN = 4;

interface PreloadRequestsProps {
  busId: number;
  camera: Camera;
  status: BusStatus | undefined;
  /** Start and end of the shown day. */
  bounds: Span;
  zone: string;
}

/** The requests to the registrar for a camera's day, with their progress. */
export function PreloadRequests(props: PreloadRequestsProps) {
  const { busId, camera, status, bounds, zone } = props;
  const text = useServiceText();
  const locked = useLock();
  const cancel = useAction(cancelPreload, {
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: [listPeriods.path] });
      void queryClient.invalidateQueries({ queryKey: keyOf(findBusStatus, { params: { busId } }) });
    },
  });
  const own = (status?.requests ?? []).filter(
    ({ camera_ids, start_time, end_time }) =>
      camera_ids.includes(camera.id) &&
      Date.parse(start_time) < bounds.endMs &&
      Date.parse(end_time) > bounds.startMs,
  );
  if (own.length === 0) return null;
  return (
    <ul className={styles.requests} aria-label={text.requests}>
      {own.slice(0, MOST_SHOWN).map((request) => {
        const { id, state, percent, reason, detail, camera_ids, waits_for, failed_try } = request;
        // Then nothing comes because of the failed attempt.
        const isStill = failed_try !== null && waits_for === 'unit';
        const range = [request.start_time, request.end_time]
          .map((time) => timeOf(Date.parse(time), zone))
          .join(' – ');
        return (
          <li key={id} data-state={state}>
            <span>
              {range}
              {camera_ids.length > 1 && `, ${text.ofCameras(camera_ids.length)}`}
            </span>
            {!isStill && (
              <span data-waits={waits_for}>
                {waits_for ? text.waits[waits_for] : text.requestStates[state]}
                {reason && (
                  <>
                    : <ReasonText reason={reason} detail={detail} />
                  </>
                )}
              </span>
            )}
            {failed_try && (
              <span data-waits="next_try">
                {text.tryFailed},{' '}
                {failed_try.next_at === null
                  ? text.askedAgain
                  : text.nextTry(formatMoment(Date.parse(failed_try.next_at), zone, 'HH:mm'))}
                : <ReasonText reason={failed_try.reason} detail={failed_try.detail} />
              </span>
            )}
            {request.total > 0 && <span>{text.come(request.here, request.total)}</span>}
            {isOpen(request) && (
              <>
                <progress max={100} value={percent} aria-label={range} />
                <span className={styles.percent}>{text.percent(percent)}</span>
                <Button
                  kind="quiet"
                  locked={locked}
                  isBusy={cancel.isPending && cancel.variables.params.requestId === id}
                  onClick={() => cancel.mutate({ params: { requestId: id } })}
                >
                  {text.cancel}
                </Button>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
