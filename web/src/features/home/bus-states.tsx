import type { BusState } from '@ridewatch/contract/buses';
import type { Home } from '@ridewatch/contract/home';
import { Link } from '@tanstack/react-router';
import { stateIcons } from '../../buses/state-icons.tsx';
import { formatNumber } from '../../i18n/format.ts';
import styles from './bus-states.module.css';
import type { CustomerSearch } from './customer-search.ts';
import figures from './figures.module.css';
import type { HomeTexts } from './texts-ru.ts';

/** The states of buses that are in service. */
const ORDER: readonly BusState[] = ['moving', 'standing', 'silent'];

/** Letters for which a cell of usual width has room. */
const MOST_LETTERS = 22;

interface BusStatesProps {
  states: Home['buses'];
  /** The key of the bus list's address that names the chosen customer. */
  ofCustomer: CustomerSearch;
  text: HomeTexts;
}

/** How many buses move, stand, are silent and are off, as one bar and as numbers that lead to these buses. */
export function BusStates({ states, ofCustomer, text }: BusStatesProps) {
  const all = Object.values(states).reduce((sum, count) => sum + count, 0);
  const letters = ORDER.map((state) => `${states[state]} ${text.states[state](states[state])}`);
  const numberOf = (state: BusState) => {
    const Icon = stateIcons[state];
    return (
      <Link to="/buses" search={{ show: state, ...ofCustomer }} data-state={state}>
        <Icon />
        <b>{formatNumber(states[state])}</b> <span>{text.states[state](states[state])}</span>
      </Link>
    );
  };
  return (
    <section className={`${figures.cell} ${styles.states}`} data-states aria-label={text.buses}>
      <p>
        <Link to="/buses" search={ofCustomer} className={figures.label}>
          {text.buses} <span>{formatNumber(all)}</span>
        </Link>
        {states.off > 0 && numberOf('off')}
      </p>
      <span className={styles.bar} aria-hidden="true">
        {[...ORDER, 'off' as const].map((state) => (
          <i key={state} data-state={state} style={{ flexGrow: states[state] }} />
        ))}
      </span>
      <ul data-long={letters.join('').length > MOST_LETTERS || undefined}>
        {ORDER.map((state) => (
          <li key={state}>{numberOf(state)}</li>
        ))}
      </ul>
    </section>
  );
}
