import { formatMoment } from '@ridewatch/contract/day';
import { useEffect, useMemo, useRef } from 'react';
import { useText } from '../i18n/language.ts';
import type { Playhead } from '../player/playhead.ts';
import { Button } from '../ui/button.tsx';
import styles from './fragment-map.module.css';
import type { MapHandle, MapLine } from './map-parts.ts';
import { MapView } from './map-view.tsx';
import { placeAt } from './place-at.ts';
import { useDayTrack } from './use-day-track.ts';
import { useMapText } from './use-map-text.ts';

interface FragmentMapProps {
  busId: number;
  /** Local day of the fragment. */
  date: string;
  zone: string;
  startMs: number;
  endMs: number;
  playhead: Playhead;
}

/** Time around the fragment for which the track is shown, so that the street is recognizable, ms. */
const AROUND_MS = 120_000;

/** A map of where the bus was during a fragment; the vehicle follows the video. */
export function FragmentMap({ busId, date, zone, startMs, endMs, playhead }: FragmentMapProps) {
  const text = useMapText();
  const common = useText().common;
  const map = useRef<MapHandle>(null);
  const { answer, track } = useDayTrack(busId, date, false);
  const near = useMemo(
    () =>
      track.filter(({ time }) => {
        const ms = Date.parse(time);
        return ms >= startMs - AROUND_MS && ms <= endMs + AROUND_MS;
      }),
    [track, startMs, endMs],
  );
  const lines = useMemo((): MapLine[] => {
    return [{ id: 'main', role: 'main', stretches: [{ places: near }] }];
  }, [near]);
  useEffect(() => {
    const show = () => {
      const { momentMs } = playhead;
      const isWithin = momentMs !== null && momentMs >= startMs && momentMs <= endMs;
      const shownMs = isWithin ? momentMs : startMs;
      const then = placeAt(track, shownMs);
      const name = text.busThen(formatMoment(shownMs, zone, 'HH:mm:ss'));
      map.current?.setVehicle(then ? { ...then, name, kind: 'video' } : null);
    };
    show();
    return playhead.subscribe(show);
  }, [track, playhead, startMs, endMs, zone, text]);
  if (answer.data && near.length === 0) return <p className={styles.note}>{text.noPlace}</p>;
  if (answer.isError && !answer.data) {
    return (
      <div className={styles.note} role="alert">
        <p>{text.trackFailed}</p>
        <Button onClick={() => void answer.refetch()}>{common.retry}</Button>
      </div>
    );
  }
  if (!answer.data) return <div className={styles.note} aria-busy="true" />;
  return (
    <MapView
      ref={map}
      names={{ ...text, retry: common.retry }}
      lines={lines}
      marks={[]}
      look={{ key: `${date}/${startMs}`, places: near }}
    />
  );
}
