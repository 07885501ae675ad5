import type { BusState } from '@ridewatch/contract/buses';
import {
  type BusPlace,
  listMapRoutes,
  listPlaces,
  MAP_ROUTES_KEPT_MS,
  type MapRoute,
  PLACES_REFRESH_MS,
} from '@ridewatch/contract/home';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { useText } from '../../i18n/language.ts';
import type { FleetBus, MapHandle, MapLine } from '../../map/map-parts.ts';
import { MapView } from '../../map/map-view.tsx';
import { useMapText } from '../../map/use-map-text.ts';
import { Choice } from '../../ui/choice.tsx';
import { drawn } from '../../ui/icons.tsx';
import { Popover } from '../../ui/popover.tsx';
import { inputOf } from './address.ts';
import { BusLinks, BusNotes } from './bus-notes.tsx';
import { customerSearch } from './customer-search.ts';
import styles from './fleet-map.module.css';
import { MapLegend } from './map-legend.tsx';
import { useFleetText } from './use-fleet-text.ts';

const STATES: readonly BusState[] = ['moving', 'standing', 'silent'];
const NOTHING: readonly never[] = [];
const ListIcon = drawn('M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01');

interface FleetMapProps {
  /** The customer whose buses are shown; all by default. */
  clientId: number | undefined;
  /** The state of the shown buses; another value shows all. */
  show: string | undefined;
  onShow: (show: BusState | undefined) => void;
  /** The picked bus. */
  busId: number | undefined;
  onPick: (busId: number | undefined) => void;
}

/** All visible buses on one map; they glide from place to place. */
export function FleetMap({ clientId, show, onShow, busId, onPick }: FleetMapProps) {
  const map = useRef<MapHandle>(null);
  const text = useFleetText();
  const names = useMapText();
  const common = useText().common;
  const places = useEndpoint(listPlaces, inputOf(clientId), {
    refetchInterval: PLACES_REFRESH_MS,
    staleTime: 0,
    isQuiet: () => true,
  });
  const routes = useEndpoint(listMapRoutes, inputOf(clientId), {
    staleTime: MAP_ROUTES_KEPT_MS,
  });
  const lines = useMemo(() => (routes.data?.items ?? NOTHING).map(lineOf), [routes.data]);
  const state = STATES.find((one) => one === show);
  const shown = useMemo(
    () =>
      (places.data?.items ?? NOTHING)
        .filter(([, , , , , one]) => state === undefined || one === state)
        .map(fleetBusOf),
    [places.data, state],
  );
  // Several buses at one place of the map; the address has room for one.
  const [several, setSeveral] = useState<readonly number[]>(NOTHING);
  useEffect(() => map.current?.setFleet(shown, busId), [shown, busId]);
  const notes = shown.filter(({ id }) =>
    several.length > 0 ? several.includes(id) : id === busId,
  );
  const pick = (ids: readonly number[]) => {
    setSeveral(ids.length > 1 ? ids : NOTHING);
    onPick(ids.length > 1 ? undefined : ids[0]);
  };
  return (
    <div className={styles.frame}>
      <MapView
        ref={map}
        names={{ ...names, map: text.map, retry: common.retry }}
        lines={lines}
        marks={NOTHING}
        look={{ key: `${clientId}/${state ?? 'all'}/${shown.length > 0}`, places: shown }}
        onPickBuses={pick}
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
          {shown.length > 0 && (
            <Popover label={text.listed} buttonClass={styles.listed} button={<ListIcon />}>
              {() => <BusLinks buses={shown} ofCustomer={customerSearch(clientId)} text={text} />}
            </Popover>
          )}
        </div>
        {notes.length === 0 && <MapLegend text={text} />}
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
        {places.data !== undefined && places.data.total > 0 && shown.length === 0 && (
          <p role="status" className={styles.note}>
            {text.noneShown}
          </p>
        )}
        {notes.length > 0 && (
          <BusNotes
            key={several.join(' ') || busId}
            buses={notes}
            ofCustomer={customerSearch(clientId)}
            onClose={() => pick(NOTHING)}
            text={text}
          />
        )}
      </MapView>
    </div>
  );
}

function fleetBusOf([id, latitude, longitude, course, speed, state]: BusPlace): FleetBus {
  return { id, latitude, longitude, course, speed, state };
}

function lineOf({ id, name, line }: MapRoute): MapLine {
  const places = line.map(([latitude, longitude]) => ({ latitude, longitude }));
  return { id: String(id), role: 'route', name, stretches: [{ places }] };
}
