import type { Camera } from '@ridewatch/contract/buses';
import styles from './service-screen.module.css';
import { useServiceText } from './use-service-text.ts';

interface CameraChoiceProps {
  cameras: readonly Camera[];
  chosenId: number;
  onChoose: (id: number) => void;
}

/** Which camera of the cabin is shown, where there is more than one. */
export function CameraChoice({ cameras, chosenId, onChoose }: CameraChoiceProps) {
  const text = useServiceText();
  if (cameras.length < 2) return null;
  return (
    <fieldset className={styles.cameras}>
      <legend>{text.cameras}</legend>
      {cameras.map((camera) => {
        const isOffline = camera.status === 'offline';
        return (
          <button
            key={camera.id}
            type="button"
            className={styles.camera}
            aria-pressed={camera.id === chosenId}
            data-offline={isOffline || undefined}
            onClick={() => onChoose(camera.id)}
          >
            {isOffline ? `${camera.name} ${text.offline}` : camera.name}
          </button>
        );
      })}
    </fieldset>
  );
}
