import { BOARD_KEPT_MS, BOARD_REFRESH_MS, listBoard } from '@ridewatch/contract/board';
import type { BusState } from '@ridewatch/contract/buses';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { stateIcons } from '../../buses/state-icons.tsx';
import { useBuses } from '../../buses/use-buses.ts';
import { useEndpoint } from '../../calls/api.ts';
import { useText } from '../../i18n/language.ts';
import type { FleetBus } from '../../map/map-parts.ts';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import styles from './bus-notes.module.css';
import type { CustomerSearch } from './customer-search.ts';
import type { FleetTexts } from './use-fleet-text.ts';

/** Most buses in a list over the map; the bus list has all. */
const MOST_LISTED = 200;

interface BusNotesProps {
  /** Never empty. */
  buses: readonly FleetBus[];
  /** Of the chosen customer, for the link to more buses. */
  ofCustomer: CustomerSearch;
  onClose: () => void;
  text: FleetTexts;
}

/** The buses at a pressed place of the map: one with its route and speed, several as a list. Esc closes them. */
export function BusNotes({ buses, ofCustomer, onClose, text }: BusNotesProps) {
  const [only] = buses;
  const { common } = useText();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) onClose();
  });
  // Also while the focus is elsewhere: another press on the map takes it.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const label = buses.length > 1 ? text.here(buses.length) : text.map;
  return (
    <section ref={panel} className={styles.panel} aria-label={label} tabIndex={-1}>
      <header className={styles.head}>
        {buses.length > 1 ? <strong>{label}</strong> : only && <Bus bus={only} text={text} />}
        <IconButton label={common.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      {buses.length > 1 && <BusLinks buses={buses} ofCustomer={ofCustomer} text={text} />}
    </section>
  );
}

/** Buses by name, each with a link to its page. */
export function BusLinks({ buses, ofCustomer, text }: Omit<BusNotesProps, 'onClose'>) {
  const known = useKnown();
  const named = buses
    .map(({ id, state }) => ({ id, state, ...known.get(id) }))
    .sort((a, b) => collator.compare(a.name ?? '', b.name ?? ''));
  const more = named.length - MOST_LISTED;
  return (
    <ul className={styles.list}>
      {named.slice(0, MOST_LISTED).map(({ id, state, name, route }) => (
        <li key={id}>
          <Link to="/bus/$busId" params={{ busId: String(id) }}>
            <State state={state} />
            <strong>{name ?? id}</strong> <small>{route}</small>
            <small>{text.states[state](1)}</small>
          </Link>
        </li>
      ))}
      {more > 0 && (
        <li>
          <Link to="/buses" search={ofCustomer}>
            {text.moreBuses(more)}
          </Link>
        </li>
      )}
    </ul>
  );
}

interface BusProps {
  bus: FleetBus;
  text: FleetTexts;
}

/** The picked bus: its route, speed, place on its lap, and load. */
function Bus({ bus: { id, state, speed }, text }: BusProps) {
  const bus = useKnown().get(id);
  const board = useEndpoint(
    listBoard,
    {},
    { staleTime: BOARD_KEPT_MS, refetchInterval: BOARD_REFRESH_MS },
  );
  const figures = board.data?.items.find((one) => one.id === id);
  const lap = figures?.lap ?? null;
  return (
    <div className={styles.bus} role="status">
      <strong>{bus?.name ?? id}</strong> {bus?.route && <span>{bus.route}</span>}
      <small>
        <State state={state} /> {text.states[state](1)}
        {state === 'moving' && speed !== null && ` · ${text.speed(speed)}`}
      </small>
      {lap !== null && <small>{text.onLap(lap.number, lap.next, lap.stop)}</small>}
      {figures && figures.inside !== null && (
        <Load inside={figures.inside} places={figures.places} text={text} />
      )}
      <Link to="/bus/$busId" params={{ busId: String(id) }} className={styles.open}>
        {text.toBus}
      </Link>
    </div>
  );
}

interface LoadProps {
  inside: number;
  /** Null where unknown. */
  places: number | null;
  text: FleetTexts;
}

function Load({ inside, places, text }: LoadProps) {
  const percent = places === null || places === 0 ? undefined : Math.round((100 * inside) / places);
  return (
    <small className={styles.load}>
      {text.insideNow(inside)}
      {percent !== undefined && places !== null && (
        <>
          <i style={{ '--load': `${Math.min(100, percent)}%` } as CSSProperties} />
          {text.load(percent, places)}
        </>
      )}
    </small>
  );
}

function State({ state }: { state: BusState }) {
  const Icon = stateIcons[state];
  return (
    <i className={styles.state} data-state={state}>
      <Icon />
    </i>
  );
}

const collator = new Intl.Collator('ru', { numeric: true });

/** Names come from the list of buses, which its screen needs, too. */
function useKnown() {
  const { sections } = useBuses();
  return useMemo(() => {
    const routes = sections?.flatMap((section) => section.routes) ?? [];
    const named = routes.flatMap(({ buses, name: route }) =>
      buses.map(({ id, name }) => [id, { name, route }] as const),
    );
    return new Map(named);
  }, [sections]);
}
