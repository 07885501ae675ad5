import { type LapSummary, listLaps } from '@ridewatch/contract/laps';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { keyOf } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import type { MapLine } from '../../map/map-parts.ts';
import { useAddress } from '../../page/use-address.ts';
import type { GpsAddress } from './address.ts';
import { useRoute } from './use-laps.ts';

/** The id of the route's track in the address. */
export const ROUTE = 'route';

/** The call that reads a pinned track. */
export interface PinRead {
  readonly id: string;
  readonly answer: Pick<UseQueryResult, 'isError' | 'isFetching' | 'data' | 'refetch'>;
}

/**
 * The pinned tracks.
 * @param shown the id of the shown track: a lap's number, or the route
 * @returns `lines`: those that are read; `reads`: the calls of all of them
 */
export function usePins(laps: readonly LapSummary[], shown: string) {
  const { info, date } = useBusPage();
  const { search, note } = useAddress<GpsAddress>();
  const pins = readPins(search.pin);
  const { lines, reads } = usePinnedLines(info, date, laps, pins, shown);
  const unpin = (id: string) => setPins(pins.filter((one) => one !== id));
  const setPins = (next: readonly string[]) => note({ pin: next.join(',') || undefined });
  return {
    lines,
    reads,
    unpin,
    isPinned: pins.includes(shown),
    setPinned: (on: boolean) => (on ? setPins([...pins, shown]) : unpin(shown)),
  };
}

/** Reads the pinned tracks of the address: lap numbers, or the route. */
function readPins(pin: string | undefined): string[] {
  return pin ? [...new Set(pin.split(','))] : [];
}

/** The pinned tracks without the shown one: their lines, and the calls that read them. */
function usePinnedLines(
  bus: { id: number; group: { id: number } | null },
  date: string,
  laps: readonly LapSummary[],
  pins: readonly string[],
  shown: string,
): { lines: MapLine[]; reads: PinRead[] } {
  const hasRoute = pins.includes(ROUTE) && shown !== ROUTE && bus.group !== null;
  const route = useRoute(bus.group?.id, date, hasRoute);
  const ids = laps
    .filter(({ number }) => pins.includes(String(number)) && String(number) !== shown)
    .map(({ number, lap_id }) => ({ id: String(number), lapId: lap_id }));
  const inputs = ids.map(({ lapId }) => ({ query: { workplaceId: bus.id, date, lapId } }));
  const answers = useQueries({
    queries: inputs.map((input) => ({
      queryKey: keyOf(listLaps, input),
      queryFn: ({ signal }: { signal: AbortSignal }) => call(listLaps, { ...input, signal }),
    })),
  });
  const reads = answers.map((answer, at): PinRead => ({ id: ids[at]?.id ?? '', answer }));
  const lines = answers.flatMap(({ data }): MapLine[] => {
    const lap = data?.items[0];
    return lap
      ? [{ id: String(lap.number), role: 'pinned', stretches: [{ places: lap.track }] }]
      : [];
  });
  if (!hasRoute) return { lines, reads };
  if (route.track)
    lines.unshift({ id: ROUTE, role: 'pinned', stretches: [{ places: route.track }] });
  return { lines, reads: [{ id: ROUTE, answer: route.answer }, ...reads] };
}
