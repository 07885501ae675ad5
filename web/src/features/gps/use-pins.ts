import { type LapSummary, listLaps } from '@ridewatch/contract/laps';
import { useQueries } from '@tanstack/react-query';
import { keyOf } from '../../api.ts';
import type { MapLine } from '../../map/map-parts.ts';
import { call } from '../../request.ts';
import { useRoute } from './use-laps.ts';

/** What the address calls the track of the route. */
export const ROUTE = 'route';

/** The pinned tracks of the address: lap numbers, or the route. */
export function readPins(pin: string | undefined): string[] {
  return pin ? [...new Set(pin.split(','))] : [];
}

/** The lines of pinned tracks; the one that is shown anyway is left out. */
export function usePinnedLines(
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
