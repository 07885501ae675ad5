import type { AdminBus } from '@ridewatch/contract/admin-buses';
import { Ago } from '../../ui/ago.tsx';
import { drawn } from '../../ui/icons.tsx';
import styles from './bus-link.module.css';
import { useAdminText } from './use-admin-text.ts';

/** An arrow, a pause, a broken line. */
const icons = {
  moving: drawn('M19 4L4 12l7 1l1 7z'),
  standing: drawn('M9 6v12M15 6v12'),
  silent: drawn('M3 15l5-5l2 2M14 12l2 2l5-5M5 4l14 16'),
};

/** Whether a bus moves, stands or is silent, and when its unit last sent anything. */
export function BusLink({ state, unit }: Pick<AdminBus, 'state' | 'unit'>) {
  const text = useAdminText();
  if (state === null) return <span className={styles.link}>{text.states.none}</span>;
  const Icon = icons[state];
  return (
    <span className={styles.link} data-state={state}>
      <Icon />
      {text.states[state]}{' '}
      <small>{unit?.last_seen_at ? <Ago moment={unit.last_seen_at} /> : text.never}</small>
    </span>
  );
}

/** A dot a camera: full online, a struck ring offline, an empty ring while the bus is silent or it is not in use. */
export function CameraDots({ cameras, state }: Pick<AdminBus, 'cameras' | 'state'>) {
  const text = useAdminText();
  const isSilent = state === null || state === 'silent';
  return (
    <span className={styles.dots}>
      {cameras.map(({ id, name, enabled, status }) => {
        const now = enabled ? (status ?? 'offline') : 'disabled';
        const label = `${name}: ${text.cameraStates[now]}`;
        const shown = isSilent || !enabled ? 'unknown' : now;
        return <i key={id} role="img" aria-label={label} title={label} data-status={shown} />;
      })}
    </span>
  );
}
