import {
  type BusStatus,
  type Camera,
  findBusStatus,
  updateBusStatus,
} from '@ridewatch/contract/buses';
import { formatMoment } from '@ridewatch/contract/day';
import { cacheAnswer, useAction } from '../../calls/api.ts';
import { nowMs } from '../../core/clock.ts';
import { ReasonText } from '../../fragment/use-reason-text.ts';
import { Button } from '../../ui/button.tsx';
import { useLock } from '../../ui/use-lock.ts';
import styles from './service-screen.module.css';
import { useServiceText } from './use-service-text.ts';

interface CameraStatusProps {
  busId: number;
  camera: Camera;
  status: BusStatus | undefined;
  zone: string;
}

/** Says that a camera is offline, and offers to ask the unit for its state. */
export function CameraStatus({ busId, camera, status, zone }: CameraStatusProps) {
  const text = useServiceText();
  const locked = useLock();
  const asking = useAction(updateBusStatus, {
    onSuccess: (answer) => cacheAnswer(findBusStatus, { params: { busId } }, answer),
  });
  const said = status?.cameras.find(({ camera_id }) => camera_id === camera.id);
  const heardAt = said?.status_at;
  const update = status?.update;
  const isAsked = asking.isPending || update?.state === 'asked';
  // An old answer says nothing about the present.
  const isFresh = update && nowMs() - Date.parse(update.asked_at) < FRESH_MS;
  return (
    <section className={styles.offline} aria-label={text.cameraOffline}>
      <div>
        <strong>{text.cameraOffline}</strong>
        <p>
          {heardAt &&
            text.lastHeard(formatMoment(Date.parse(heardAt), zone, 'DD.MM.YYYY HH:mm:ss'))}
          {status && !heardAt && text.neverHeard}
        </p>
        <p role="status" className={styles.answer}>
          {isFresh && answerText(update)}
          {isFresh && update.state === 'failed' && (
            <>
              {' '}
              <ReasonText reason={update.reason} detail={update.detail} />
            </>
          )}
        </p>
      </div>
      <Button
        kind="primary"
        isBusy={isAsked}
        locked={locked}
        onClick={() => asking.mutate({ params: { busId } })}
      >
        {text.updateStatus}
      </Button>
    </section>
  );

  function answerText({ state }: NonNullable<BusStatus['update']>): string {
    if (state === 'asked') return text.asking;
    if (state === 'done') return text.stillOffline;
    return state === 'timed_out' ? text.timedOut : text.updateFailed;
  }
}

const FRESH_MS = 10 * 60_000;
