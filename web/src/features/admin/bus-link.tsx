import type { AdminBus } from '@ridewatch/contract/admin-buses';
import { stateIcons } from '../../buses/state-icons.tsx';
import { Ago } from '../../ui/ago.tsx';
import styles from './bus-link.module.css';
import type { AdminTexts } from './texts-ru.ts';
import { useAdminText } from './use-admin-text.ts';

/** Whether a bus moves, stands, is silent or off, and when its unit last sent anything. */
export function BusLink({ state, unit }: Pick<AdminBus, 'state' | 'unit'>) {
  const text = useAdminText();
  if (state === null) return <span className={styles.link}>{text.states.none}</span>;
  const Icon = stateIcons[state];
  return (
    <span className={styles.link} data-state={state}>
      <Icon />
      {text.states[state]}{' '}
      <small>{unit?.last_seen_at ? <Ago moment={unit.last_seen_at} /> : text.never}</small>
    </span>
  );
}

type Camera = AdminBus['cameras'][number];

/** The state of a camera of a bus; nobody knows it while the unit is silent or there is none. */
export const stateOfCamera = (
  { enabled, status }: Camera,
  { state }: Pick<AdminBus, 'state'>,
): keyof AdminTexts['cameraStates'] => {
  if (!enabled) return 'disabled';
  if (state === null) return 'noUnit';
  return state === 'silent' || state === 'off' ? 'silent' : (status ?? 'offline');
};

/** A dot a camera: full online, a struck ring offline, an empty ring while the unit is silent or it is not in use. */
export function CameraDots({ cameras, state }: Pick<AdminBus, 'cameras' | 'state'>) {
  const text = useAdminText();
  return (
    <span className={styles.dots}>
      {cameras.map((camera) => {
        const now = stateOfCamera(camera, { state });
        const label = `${camera.name}: ${text.cameraStates[now]}`;
        const shown = now === 'online' || now === 'offline' ? now : 'unknown';
        return (
          <i key={camera.id} role="img" aria-label={label} title={label} data-status={shown} />
        );
      })}
    </span>
  );
}
