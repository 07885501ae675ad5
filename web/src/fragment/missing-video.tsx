import type { Camera } from '@ridewatch/contract/buses';
import { canFetch } from '@ridewatch/contract/fragment-states';
import { type Fragment, fetchFragment } from '@ridewatch/contract/fragments';
import { useAction } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { deletedHint } from './deleted-hint.ts';
import styles from './fragment-panel.module.css';
import { isCancelled, stateHint, stateText } from './state-text.ts';
import { useFragmentText } from './use-fragment-text.ts';

interface MissingVideoProps {
  fragment: Fragment;
  /** If unknown, the server decides whether the unit can send. */
  camera: Camera | undefined;
  /** Shows only the state and the action, because something else is above. */
  isBrief: boolean;
  onChanged: () => void;
}

/** Says where a fragment's video is, and offers to fetch it. */
export function MissingVideo({ fragment, camera, isBrief, onChanged }: MissingVideoProps) {
  const text = useFragmentText();
  const fetching = useAction(fetchFragment, {
    onSettled: onChanged,
  });
  const { status, fail_reason } = fragment;
  const deleted = deletedHint(fragment, text);
  const isOffline = camera !== undefined && !(camera.enabled && camera.status === 'online');
  // The fragment's state allows a request, so 409 concerns its camera.
  const isRefused =
    fetching.error?.status === 409 && fetching.variables?.params.segmentId === fragment.id;
  return (
    <div className={styles.missing} data-brief={isBrief || undefined} role="status">
      <strong>{stateText(fragment, text, camera?.live)}</strong>
      <p>{deleted ?? stateHint(fragment, text, camera?.live)}</p>
      {fail_reason && !isCancelled(fragment) && <p className={styles.reason}>{fail_reason}</p>}
      {canFetch(status) && (
        <Button
          kind="primary"
          isBusy={fetching.isPending}
          disabled={isOffline}
          onClick={() => fetching.mutate({ params: { segmentId: fragment.id } })}
        >
          {status === 'DOWNLOAD_FAIL' ? text.fetchAgain : text.fetch}
        </Button>
      )}
      {canFetch(status) && (isOffline || isRefused) && (
        <p className={styles.reason}>{text.cameraOffline}</p>
      )}
    </div>
  );
}
