import { formatMoment } from '@ridewatch/contract/day';
import type { MapMark } from '../../map/map-parts.ts';
import { type Place, placeName } from './places.ts';
import type { GpsTexts } from './texts-ru.ts';

/** Makes marks of the places, with their counts; the selected one has its name. */
export function marksOf(
  places: readonly Place[],
  chosenKey: string | undefined,
  zone: string,
  text: Pick<GpsTexts, 'pause' | 'stop'>,
): MapMark[] {
  return places.map((place) => {
    const { key, kind, entered, exited, arrivalMs, latitude, longitude } = place;
    const name = placeName(place, text);
    const counts = [
      ...(entered > 0 ? [{ text: `+${entered}`, tone: 'entered' as const }] : []),
      ...(exited > 0 ? [{ text: `−${exited}`, tone: 'exited' as const }] : []),
    ];
    const said = [
      name,
      ...counts.map((count) => count.text),
      arrivalMs === null ? '' : formatMoment(arrivalMs, zone, 'HH:mm'),
    ];
    return {
      id: key,
      latitude,
      longitude,
      shape: kind,
      name: said.filter(Boolean).join(', '),
      notes: key === chosenKey ? [{ text: name, tone: 'plain' as const }, ...counts] : counts,
      weight: entered + exited,
    };
  });
}
