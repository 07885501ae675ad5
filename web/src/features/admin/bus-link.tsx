import type { AdminBus } from '@ridewatch/contract/admin-buses';
import { stateIcons } from '../../buses/state-icons.tsx';
import { Ago } from '../../ui/ago.tsx';
import styles from './bus-link.module.css';
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

/** A dot a camera: full online, a struck ring offline, an empty ring while the unit is silent or it is not in use. */
export function CameraDots({ cameras, state }: Pick<AdminBus, 'cameras' | 'state'>) {
  const text = useAdminText();
  const isSilent = state === null || state === 'silent' || state === 'off';
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
