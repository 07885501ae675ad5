import type { TrackPoint } from '@ridewatch/contract/laps';
import type { MapPlace } from './map-parts.ts';

/** A place and a direction, degrees clockwise from north. */
interface Whereabouts extends MapPlace {
  readonly direction: number | null;
}

/** The place of a bus at a moment, between the fixes around it; undefined outside of the track. */
export function placeAt(track: readonly TrackPoint[], momentMs: number): Whereabouts | undefined {
  let low = 0;
  let high = track.length - 1;
  const timeOf = (at: number) => Date.parse(track[at]?.time ?? '');
  if (high < 0 || momentMs < timeOf(0) || momentMs > timeOf(high)) return undefined;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (timeOf(middle) <= momentMs) low = middle;
    else high = middle;
  }
  const [from, to] = [track[low], track[high]];
  if (!from || !to) return undefined;
  const share = (momentMs - timeOf(low)) / Math.max(timeOf(high) - timeOf(low), 1);
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * share,
    longitude: from.longitude + (to.longitude - from.longitude) * share,
    direction: directionAt(track, low),
  };
}

// A shorter distance is noise of GPS, degrees.
const LEAST_WAY_DEGREES = 0.00008;

// A standing bus keeps the direction in which it came.
function directionAt(track: readonly TrackPoint[], at: number): number | null {
  const to = track[at + 1];
  for (let before = at; to && before >= 0; before -= 1) {
    const from = track[before];
    const direction = from ? bearing(from, to) : null;
    if (direction !== null) return direction;
  }
  return null;
}

function bearing(from: MapPlace, to: MapPlace): number | null {
  const north = to.latitude - from.latitude;
  const east = (to.longitude - from.longitude) * Math.cos((from.latitude * Math.PI) / 180);
  if (Math.hypot(north, east) < LEAST_WAY_DEGREES) return null;
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}
