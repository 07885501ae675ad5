import type { RouteStop } from '@ridewatch/contract/routes';
import { useMemo, useSyncExternalStore } from 'react';
import { createStoredValue } from '../../../core/stored-value.ts';
import { type FieldRules, fieldProblem } from '../../../forms/field-problem.ts';
import { useFormText } from '../../../forms/use-form-text.ts';
import type { PriceBook } from './price-book.ts';
import { readPrice } from './price-text.ts';
import { fillFromZones, placesOf } from './zones.ts';

const ZONE: FieldRules = { isRequired: true, number: { least: 1, most: 99, isWhole: true } };

interface Zoning {
  /** Zone by classifier, as typed. */
  readonly zones: Readonly<Record<string, string>>;
  /** Price by the number of zones minus one, as typed. */
  readonly costs: readonly string[];
}

// Zones only help to fill the table; the server stores the table alone. The browser stores the last input for the next
// time.
const storedZonings = createStoredValue<Readonly<Record<string, Zoning>>>(
  'ridewatch.zones',
  (raw) => (typeof raw === 'object' && raw !== null ? { ...raw } : {}),
);

/**
 * The zones of a route's stops and the prices by zones, as typed, and the prices of rides that follow from them.
 * @param stops in the order of travel; prices are made for rides among them
 * @param onlyEmpty fill only rides without a price
 */
export function useZoning(
  routeId: number,
  stops: readonly RouteStop[],
  book: PriceBook,
  onlyEmpty: boolean,
) {
  const { problems } = useFormText();
  const all = useSyncExternalStore(storedZonings.subscribe, storedZonings.get);
  const { zones, costs } = all[routeId] ?? { zones: {}, costs: [] };
  const change = (next: Partial<Zoning>) =>
    storedZonings.set({ ...storedZonings.get(), [routeId]: { zones, costs, ...next } });
  const places = useMemo(() => placesOf(stops), [stops]).map(({ classifierId, name }) => {
    const typed = zones[classifierId] ?? '1';
    const problem = fieldProblem(typed, ZONE, problems);
    const zone = problem === undefined ? Number(typed) : undefined;
    return { classifierId, name, typed, zone, problem };
  });
  const known = new Map(
    places.flatMap(({ classifierId, zone }): [number, number][] =>
      zone === undefined ? [] : [[classifierId, zone]],
    ),
  );
  const span = known.size > 0 ? Math.max(...known.values()) - Math.min(...known.values()) + 1 : 1;
  const prices = Array.from({ length: span }, (_, index) => ({
    zones: index + 1,
    typed: costs[index] ?? '',
    cost: readPrice(costs[index] ?? ''),
  }));
  const zoneProblem = places.find(({ problem }) => problem !== undefined)?.problem;
  const hasBadPrice = prices.some(({ cost }) => cost === undefined);
  const filled =
    zoneProblem !== undefined || hasBadPrice
      ? []
      : fillFromZones(
          stops,
          known,
          prices.map(({ cost }) => cost ?? null),
        ).filter(({ from, to, cost }) => {
          const before = book.cellOf(from, to).cost;
          return onlyEmpty ? before === null : before !== cost;
        });
  return {
    places,
    prices,
    /** The first problem of a zone. */
    zoneProblem,
    hasBadPrice,
    /** The prices that differ from the table. */
    filled,
    setZone: (classifierId: number, typed: string) =>
      change({ zones: { ...zones, [classifierId]: typed } }),
    /** Starts the next zone at a place: raises its zone and those of all later places by one. */
    raise: (from: number) => {
      const raised = places
        .slice(from)
        .map(({ classifierId, zone }) => [classifierId, String((zone ?? 1) + 1)]);
      change({ zones: { ...zones, ...Object.fromEntries(raised) } });
    },
    setCost: (zoneCount: number, typed: string) => {
      const next = prices.map((price) => price.typed);
      next[zoneCount - 1] = typed;
      change({ costs: next });
    },
  };
}
