import { formatMoment } from '@ridewatch/contract/day';
import { useEffect, useMemo, useRef } from 'react';
import { useText } from '../i18n/language.ts';
import styles from './day-map.module.css';
import type { MapHandle, MapLine } from './map-parts.ts';
import { MapView } from './map-view.tsx';
import { placeAt } from './place-at.ts';
import { useDayTrack } from './use-day-track.ts';
import { useMapText } from './use-map-text.ts';

interface DayMapProps {
  busId: number;
  /** Local day. */
  date: string;
  zone: string;
  /** The track grows, and its end is where the bus was last. */
  isToday: boolean;
  /** The text below the map, or in its place on a day without a track. */
  hint: { readonly title: string; readonly text: string };
}

/** The way of a bus on a day. */
export function DayMap({ busId, date, zone, isToday, hint }: DayMapProps) {
  const text = useMapText();
  const common = useText().common;
  const map = useRef<MapHandle>(null);
  const { answer, track } = useDayTrack(busId, date, isToday);
  const lines = useMemo(
    (): MapLine[] => [{ id: 'main', role: 'main', stretches: [{ places: track }] }],
    [track],
  );
  useEffect(() => {
    const lastMs = Date.parse(track.at(-1)?.time ?? '');
    const last = isToday ? placeAt(track, lastMs) : undefined;
    const name = text.busThen(formatMoment(lastMs, zone, 'HH:mm:ss'));
    map.current?.setVehicle(last ? { ...last, name, kind: 'video' } : null);
  }, [track, isToday, zone, text]);
  const isLoading = !answer.data && !answer.isError;
  return (
    <>
      {(isLoading || track.length > 0) && (
        <div className={styles.map} aria-busy={isLoading || undefined}>
          {track.length > 0 && (
            <MapView
              ref={map}
              names={{ ...text, retry: common.retry }}
              lines={lines}
              marks={[]}
              look={{ key: `${busId}/${date}`, places: track }}
            />
          )}
        </div>
      )}
      <div className={styles.hint} data-alone={(!isLoading && track.length === 0) || undefined}>
        <strong>{hint.title}</strong>
        <p>{hint.text}</p>
      </div>
    </>
  );
}
