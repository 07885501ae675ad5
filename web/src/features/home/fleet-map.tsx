import type { BusState } from '@ridewatch/contract/buses';
import { type BusPlace, listPlaces, PLACES_REFRESH_MS } from '@ridewatch/contract/home';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useEndpoint } from '../../api.ts';
import { useBuses } from '../../buses/use-buses.ts';
import { useText } from '../../i18n/language.ts';
import type { FleetBus } from '../../map/map-parts.ts';
import { type MapHandle, MapView } from '../../map/map-view.tsx';
import { useMapText } from '../../map/use-map-text.ts';
import { Choice } from '../../ui/choice.tsx';
import styles from './fleet-map.module.css';
import type { HomeTexts } from './texts-ru.ts';

const STATES: readonly BusState[] = ['moving', 'standing', 'silent'];
const NOTHING: readonly never[] = [];

interface FleetMapProps {
  /** The state of the shown buses; another value shows all. */
  show: string | undefined;
  onShow: (show: BusState | undefined) => void;
  text: HomeTexts;
}

/** All visible buses on one map; they glide from place to place. */
export function FleetMap({ show, onShow, text }: FleetMapProps) {
  const map = useRef<MapHandle>(null);
  const names = useMapText();
  const common = useText().common;
  const places = useEndpoint(
    listPlaces,
    {},
    { refetchInterval: PLACES_REFRESH_MS, staleTime: 0, isQuiet: () => true },
  );
  const state = STATES.find((one) => one === show);
  const shown = useMemo(
    () =>
      (places.data?.items ?? NOTHING)
        .filter(([, , , , , one]) => state === undefined || one === state)
        .map(fleetBusOf),
    [places.data, state],
  );
  const [chosen, setChosen] = useState<number>();
  useEffect(() => map.current?.setFleet(shown, chosen), [shown, chosen]);
  const bus = shown.find(({ id }) => id === chosen);
  return (
    <section className={styles.frame} aria-label={text.map}>
      <MapView
        ref={map}
        names={{ ...names, map: text.map, retry: common.retry }}
        lines={NOTHING}
        marks={NOTHING}
        look={{ key: `${state ?? 'all'}/${shown.length > 0}`, places: shown }}
        onPick={(id) => setChosen(Number(id))}
      >
        <div className={styles.filter}>
          <Choice
            label={text.mapShow}
            value={state ?? 'all'}
            options={[
              { value: 'all', label: text.all },
              ...STATES.map((value) => ({ value, label: text.filters[value] })),
            ]}
            onChange={(next) => onShow(STATES.find((one) => one === next))}
          />
        </div>
        {places.isError && (
          <p role="status" className={styles.note}>
            {text.placesFailed}
          </p>
        )}
        {places.data?.total === 0 && (
          <p role="status" className={styles.note}>
            {text.noPlaces}
          </p>
        )}
        {bus && <BusNote bus={bus} text={text} />}
      </MapView>
    </section>
  );
}

function fleetBusOf([id, latitude, longitude, course, speed, state]: BusPlace): FleetBus {
  return { id, latitude, longitude, course, speed, state };
}

// The name comes from the list of buses, which its screen needs, too.
function BusNote({ bus, text }: { bus: FleetBus; text: HomeTexts }) {
  const { sections } = useBuses();
  const known = sections
    ?.flatMap(({ routes }) => routes)
    .flatMap(({ buses, name }) => buses.map((one) => ({ ...one, route: name })))
    .find(({ id }) => id === bus.id);
  if (!known) return null;
  return (
    <div className={styles.bus} role="status">
      <strong>{known.name}</strong> <span>{known.route}</span>
      <small>
        {text.states[bus.state]}
        {bus.state === 'moving' && bus.speed !== null && ` · ${text.speed(bus.speed)}`}
      </small>
      <Link to="/bus/$busId" params={{ busId: String(bus.id) }}>
        {text.toBus}
      </Link>
    </div>
  );
}
