import type { Camera } from '@ridewatch/contract/buses';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './camera-selector.module.css';
import { useDayText } from './use-day-text.ts';

/** More cameras than this are shown as icons on a desktop (spec section 2). */
const MOST_NAMED = 2;

interface CameraSelectorProps {
  cameras: readonly Camera[];
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
}

/** Which recorded cameras the timeline and the list show. */
export function CameraSelector({ cameras, chosen, onChange }: CameraSelectorProps) {
  const text = useDayText();
  const isPhone = useIsPhone();
  const asIcons = !isPhone && cameras.length > MOST_NAMED;
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className={styles.cameras}>
      <legend>{text.cameras}</legend>
      {cameras.map((camera) => {
        const name = camera.status === 'offline' ? `${camera.name} ${text.offline}` : camera.name;
        return (
          <button
            key={camera.id}
            type="button"
            className={styles.camera}
            aria-pressed={chosen.has(camera.id)}
            aria-label={name}
            title={name}
            data-offline={camera.status === 'offline' || undefined}
            onClick={() => toggle(camera.id)}
          >
            <CameraIcon isOffline={camera.status === 'offline'} />
            {asIcons ? <span>{camera.door}</span> : <span>{name}</span>}
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
