import type { Fragment } from '@ridewatch/contract/fragments';
import type { Lap } from '@ridewatch/contract/laps';
import type { Place } from './places.ts';

/** The fragments of a lap, and of each of its places. */
export interface LapFragments {
  /** By start. */
  readonly all: readonly Fragment[];
  of(place: Place): readonly Fragment[];
}

/** Selects the fragments of a lap from those of its day. */
export function fragmentsOfLap(fragments: readonly Fragment[], lap: Lap | undefined): LapFragments {
  const byStart = [...fragments].sort(
    (a, b) => Date.parse(a.start_time) - Date.parse(b.start_time) || a.id - b.id,
  );
  const placed = new Set(lap?.busStopDtoList.flatMap((stop) => stop.segments));
  const startMs = lap ? Date.parse(lap.start) : 0;
  const endMs = lap ? Date.parse(lap.end) : 0;
  const isOfLap = (fragment: Fragment) => {
    const momentMs = Date.parse(fragment.start_time);
    return placed.has(fragment.id) || (momentMs >= startMs && momentMs < endMs);
  };
  return {
    all: byStart.filter(isOfLap),
    of(place) {
      if (place.stop) {
        const ids = new Set(place.stop.segments);
        return byStart.filter(({ id }) => ids.has(id));
      }
      const { arrivalMs, departureMs } = place;
      if (arrivalMs === null || departureMs === null) return [];
      return byStart.filter(
        (fragment) =>
          Date.parse(fragment.start_time) < departureMs &&
          Date.parse(fragment.end_time) > arrivalMs,
      );
    },
  };
}

/** The fragment to show of a place's: the selected one, else the first with video, else the first. */
export function fragmentToShow(
  fragments: readonly Fragment[],
  chosenId: number | undefined,
): Fragment | undefined {
  return (
    fragments.find(({ id }) => id === chosenId) ??
    fragments.find(({ playback_uri }) => playback_uri !== null) ??
    fragments[0]
  );
}
