import type { BusState } from '@ridewatch/contract/buses';
import type { Home } from '@ridewatch/contract/home';
import { Link } from '@tanstack/react-router';
import { stateIcons } from '../../buses/state-icons.tsx';
import { formatNumber } from '../../i18n/format.ts';
import styles from './figures.module.css';
import type { HomeTexts } from './texts-ru.ts';

const ORDER: readonly BusState[] = ['moving', 'standing', 'silent'];

/** How many buses move, stand and are silent, as one bar and as numbers that lead to these buses. */
export function BusStates({ states, text }: { states: Home['buses']; text: HomeTexts }) {
  const all = ORDER.reduce((sum, state) => sum + states[state], 0);
  return (
    <section className={styles.states} aria-label={text.buses}>
      <Link to="/buses" className={styles.label}>
        {text.buses} <span>{formatNumber(all)}</span>
      </Link>
      <span className={styles.bar} aria-hidden="true">
        {ORDER.map((state) => (
          <i key={state} data-state={state} style={{ flexGrow: states[state] }} />
        ))}
      </span>
      <ul>
        {ORDER.map((state) => {
          const Icon = stateIcons[state];
          return (
            <li key={state}>
              <Link to="/buses" search={{ show: state }} data-state={state}>
                <Icon />
                <b>{formatNumber(states[state])}</b> {text.states[state]}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
