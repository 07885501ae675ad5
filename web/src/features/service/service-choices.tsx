import type { Camera } from '@ridewatch/contract/buses';
import { CameraChips } from '../../fragment/camera-chips.tsx';
import { Choice } from '../../ui/choice.tsx';
import styles from './service-screen.module.css';
import { useServiceText } from './use-service-text.ts';

interface ServiceChoicesProps {
  cameras: readonly Camera[];
  camera: Camera;
  isLive: boolean;
  onCamera: (camera: Camera) => void;
  onLive: (isLive: boolean) => void;
}

/** Selects the camera, and its recordings or its live video. */
export function ServiceChoices({ cameras, camera, isLive, onCamera, onLive }: ServiceChoicesProps) {
  const text = useServiceText();
  return (
    <div className={styles.choices}>
      {cameras.length > 1 && (
        <CameraChips
          label={text.cameras}
          cameras={cameras}
          isChosen={({ id }) => id === camera.id}
          onPress={onCamera}
        />
      )}
      <Choice
        label={text.show}
        value={isLive ? 'live' : 'records'}
        options={[
          { value: 'records', label: text.records },
          { value: 'live', label: text.live },
        ]}
        onChange={(value) => onLive(value === 'live')}
      />
    </div>
  );
}
