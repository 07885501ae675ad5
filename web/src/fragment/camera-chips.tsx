import type { Camera } from '@ridewatch/contract/buses';
import { Icon } from '../ui/icons.tsx';
import styles from './camera-chips.module.css';
import { useFragmentText } from './use-fragment-text.ts';

interface CameraChipsProps {
  label: string;
  cameras: readonly Camera[];
  isChosen: (camera: Camera) => boolean;
  /** Shows the number of the door, and the name as a tooltip. */
  asIcons?: boolean;
  onPress: (camera: Camera) => void;
}

/** The cameras of a bus as toggle buttons. */
export function CameraChips(props: CameraChipsProps) {
  const { label, cameras, isChosen, asIcons = false, onPress } = props;
  const text = useFragmentText();
  return (
    <fieldset className={styles.cameras}>
      <legend className="visually-hidden">{label}</legend>
      {cameras.map((camera) => {
        const isOffline = camera.status === 'offline';
        const name = isOffline ? `${camera.name} ${text.offlineSuffix}` : camera.name;
        return (
          <button
            key={camera.id}
            type="button"
            aria-pressed={isChosen(camera)}
            aria-label={name}
            title={name}
            data-offline={isOffline || undefined}
            onClick={() => onPress(camera)}
          >
            <CameraIcon isOffline={isOffline} />
            <span>{asIcons ? camera.door : name}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

function CameraIcon({ isOffline }: { isOffline: boolean }) {
  return (
    <Icon>
      <path d="M3 7h12v10H3zM15 11l6-3v8l-6-3" />
      {isOffline && <path d="M3 3l18 18" />}
    </Icon>
  );
}
