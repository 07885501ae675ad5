import type { Bus } from '@ridewatch/contract/buses';
import { stateIcons } from '../../buses/state-icons.tsx';
import { Ago } from '../../ui/ago.tsx';
import type { BusFacts } from './bus-facts.ts';
import styles from './bus-parts.module.css';
import type { ListTexts } from './texts-ru.ts';

interface BusStateProps {
  bus: Bus;
  facts: BusFacts;
  own: ListTexts;
  /** When the figures were read. */
  madeAt: string | undefined;
}

/** Whether a bus moves, stands, is silent or off, and since when; before the figures, when its unit last sent anything. */
export function BusStateText({ bus, facts, own, madeAt }: BusStateProps) {
  const { state, figures } = facts;
  const { last_seen_at: seen } = bus;
  if (seen === null)
    return (
      <span className={styles.state}>
        <small>{bus.without_unit === null ? own.never : own.noUnit}</small>
      </span>
    );
  if (state === undefined || figures === undefined || madeAt === undefined) {
    return (
      <span className={styles.state}>
        <small>
          <Ago moment={seen} />
        </small>
      </span>
    );
  }
  const Icon = stateIcons[state];
  const since = state === 'silent' || state === 'off' ? seen : figures.moved_at;
  const detail =
    state === 'moving'
      ? figures.speed_kmh !== null && own.speed(figures.speed_kmh)
      : since !== null && own.lasting(Date.parse(madeAt) - Date.parse(since));
  return (
    <span className={styles.state} data-state={state} data-level={facts.silence}>
      <Icon />
      {own.states[state]} <small>{detail}</small>
    </span>
  );
}
