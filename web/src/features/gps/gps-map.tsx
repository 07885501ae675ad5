import { formatMoment } from '@ridewatch/contract/day';
import type { Lap } from '@ridewatch/contract/laps';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useText } from '../../i18n/language.ts';
import type { MapHandle, MapLine, MapLook, MapPlace } from '../../map/map-parts.ts';
import { MapView } from '../../map/map-view.tsx';
import { placeAt } from '../../map/place-at.ts';
import type { Playhead } from '../../player/playhead.ts';
import styles from './gps-map.module.css';
import { marksOf } from './map-marks.ts';
import { LiveNote, PinNotes, type TrackColour, TrackColours } from './map-notes.tsx';
import type { Place } from './places.ts';
import { fullBus, stretchesByLoad, stretchesBySpeed } from './track.ts';
import { useGpsText } from './use-gps-text.ts';
import type { useLive } from './use-live.ts';
import type { usePins } from './use-pins.ts';

interface GpsMapProps {
  busName: string;
  zone: string;
  /** Identifies the view; the map moves when it changes. */
  viewKey: string;
  lap: Lap | undefined;
  /** The shown track if it is not a lap's. */
  track: readonly MapPlace[];
  pins: Pick<ReturnType<typeof usePins>, 'lines' | 'reads' | 'unpin'>;
  places: readonly Place[];
  chosen: Place | undefined;
  onChoose: (place: Place) => void;
  colour: TrackColour;
  onColour: (colour: TrackColour) => void;
  /** Capacity of the bus; 0 if unknown. */
  seats: number;
  live: ReturnType<typeof useLive> | undefined;
  playhead: Playhead;
}

/** Zoom on a selected stop (spec section 9). */
const STOP_ZOOM = 15;

/** The map of a lap or a route, with its colours and pinned tracks. */
export function GpsMap(props: GpsMapProps) {
  const { lap, track, pins, places, chosen, zone, colour, seats, live, playhead, busName } = props;
  const text = useGpsText();
  const common = useText().common;
  const map = useRef<MapHandle>(null);
  const [follows, setFollows] = useState(true);
  const pinned = pins.lines;
  const full = fullBus(lap?.max_passengers ?? 0, seats);
  const lines = useMemo((): MapLine[] => {
    const stretches = () => {
      if (!lap) return [{ places: track }];
      if (colour === 'speed') return stretchesBySpeed(lap.track);
      if (colour === 'load') return stretchesByLoad(lap.track, lap.busStopDtoList, full);
      return [{ places: lap.track }];
    };
    return [...pinned, { id: 'main', role: 'main', stretches: stretches() }];
  }, [lap, track, pinned, colour, full]);
  const marks = useMemo(
    () => marksOf(places, chosen?.key, zone, text),
    [places, chosen?.key, zone, text],
  );
  const look = useMemo((): MapLook => {
    if (chosen) return { key: `${props.viewKey}/${chosen.key}`, places: [chosen], zoom: STOP_ZOOM };
    const way = lap?.track ?? track;
    return { key: props.viewKey, places: way.length > 1 ? way : places };
  }, [chosen, props.viewKey, lap, track, places]);

  const position = live?.position;
  useEffect(() => {
    const show = () => {
      const { momentMs } = playhead;
      const then = momentMs === null || !lap ? undefined : placeAt(lap.track, momentMs);
      if (then && momentMs !== null) {
        const name = text.busThen(formatMoment(momentMs, zone, 'HH:mm:ss'));
        map.current?.setVehicle({ ...then, name, kind: 'video' });
        return;
      }
      if (!position || position.latitude === null || position.longitude === null) {
        map.current?.setVehicle(null);
        return;
      }
      map.current?.setVehicle({
        latitude: position.latitude,
        longitude: position.longitude,
        direction: position.direction,
        name: text.busHere(busName, text.state[position.state]),
        kind: position.state === 'silent' ? 'faded' : 'live',
      });
    };
    show();
    return playhead.subscribe(show);
  }, [position, lap, playhead, text, zone, busName]);

  return (
    <section className={styles.frame} aria-label={text.mapShort}>
      <MapView
        ref={map}
        names={{ ...text, retry: common.retry }}
        lines={lines}
        tail={live?.tail}
        marks={marks}
        chosenId={chosen?.key}
        look={look}
        follows={live !== undefined && follows && !chosen}
        onGrab={() => setFollows(false)}
        onPick={(id) => {
          const place = places.find(({ key }) => key === id);
          if (place) props.onChoose(place);
        }}
      >
        <div className={styles.upper}>
          {lap && <TrackColours colour={colour} full={full} onColour={props.onColour} />}
          <PinNotes pins={pins.reads} onUnpin={pins.unpin} />
        </div>
        {live && (
          <LiveNote
            answer={live.answer}
            position={position}
            follows={follows && !chosen}
            onFollow={chosen ? undefined : () => setFollows(!follows)}
          />
        )}
      </MapView>
    </section>
  );
}
