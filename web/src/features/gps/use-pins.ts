import { type LapSummary, listLaps } from '@ridewatch/contract/laps';
import { useQueries } from '@tanstack/react-query';
import { keyOf } from '../../api.ts';
import { useAddress } from '../../bus-page/use-address.ts';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import type { MapLine } from '../../map/map-parts.ts';
import { call } from '../../request.ts';
import type { GpsAddress } from './address.ts';
import { useRoute } from './use-laps.ts';

/** The id of the route's track in the address. */
export const ROUTE = 'route';

/**
 * The pinned tracks.
 * @param shown the id of the shown track: a lap's number, or the route
 */
export function usePins(laps: readonly LapSummary[], shown: string) {
  const { info, date } = useBusPage();
  const { search, note } = useAddress<GpsAddress>();
  const pins = readPins(search.pin);
  const lines = usePinnedLines(info, date, laps, pins, shown);
  const unpin = (id: string) => setPins(pins.filter((one) => one !== id));
  const setPins = (next: readonly string[]) => note({ pin: next.join(',') || undefined });
  return {
    lines,
    unpin,
    isPinned: pins.includes(shown),
    setPinned: (on: boolean) => (on ? setPins([...pins, shown]) : unpin(shown)),
  };
}

/** Reads the pinned tracks of the address: lap numbers, or the route. */
function readPins(pin: string | undefined): string[] {
  return pin ? [...new Set(pin.split(','))] : [];
}

/** The lines of the pinned tracks, without the shown one. */
function usePinnedLines(
  bus: { id: number; group: { id: number } | null },
  date: string,
  laps: readonly LapSummary[],
  pins: readonly string[],
  shown: string,
): MapLine[] {
  const route = useRoute(bus.group?.id, date, pins.includes(ROUTE) && shown !== ROUTE);
  const pinned = laps.filter(({ number }) => pins.includes(String(number)));
  const inputs = pinned
    .filter(({ number }) => String(number) !== shown)
    .map(({ lap_id }) => ({ query: { workplaceId: bus.id, date, lapId: lap_id } }));
  const answers = useQueries({
    queries: inputs.map((input) => ({
      queryKey: keyOf(listLaps, input),
      queryFn: ({ signal }: { signal: AbortSignal }) => call(listLaps, { ...input, signal }),
    })),
  });
  const lines = answers.flatMap(({ data }): MapLine[] => {
    const lap = data?.items[0];
    return lap
      ? [{ id: String(lap.number), role: 'pinned', stretches: [{ places: lap.track }] }]
      : [];
  });
  const track = shown === ROUTE ? undefined : route.track;
  if (!pins.includes(ROUTE) || !track) return lines;
  return [{ id: ROUTE, role: 'pinned', stretches: [{ places: track }] }, ...lines];
}
