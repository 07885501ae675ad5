import type { Camera } from '@ridewatch/contract/buses';
import { canFetch } from '@ridewatch/contract/fragment-states';
import { type Fragment, fetchFragment } from '@ridewatch/contract/fragments';
import { useAction } from '../calls/api.ts';
import { Button } from '../ui/button.tsx';
import { useLock } from '../ui/use-lock.ts';
import styles from './fragment-panel.module.css';
import { useFragmentText } from './use-fragment-text.ts';

export interface FetchButtonProps {
  fragment: Fragment;
  /** If unknown, the server decides whether the unit can send. */
  camera: Camera | undefined;
  onChanged: () => void;
}

/** Asks the registrar for a fragment's video, or says why it cannot be asked; nothing if there is nothing to fetch. */
export function FetchButton({ fragment, camera, onChanged }: FetchButtonProps) {
  const text = useFragmentText();
  const locked = useLock();
  const fetching = useAction(fetchFragment, {
    onSettled: onChanged,
  });
  const { status } = fragment;
  if (!canFetch(status)) return null;
  const isOffline = camera !== undefined && !(camera.enabled && camera.status === 'online');
  // The fragment's state allows a request, so 409 concerns its camera.
  const isRefused =
    fetching.error?.status === 409 && fetching.variables?.params.segmentId === fragment.id;
  return (
    <>
      <Button
        kind="primary"
        isBusy={fetching.isPending}
        locked={locked}
        disabled={isOffline}
        onClick={() => fetching.mutate({ params: { segmentId: fragment.id } })}
      >
        {status === 'DOWNLOAD_FAIL' || fragment.video ? text.fetchAgain : text.fetch}
      </Button>
      {(isOffline || isRefused) && <p className={styles.reason}>{text.cameraOffline}</p>}
    </>
  );
}
