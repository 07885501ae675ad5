import type { DayChange } from '@ridewatch/contract/lap-recalculation';
import type { Db } from '../../core/db/db.ts';
import type { DayOfBus } from '../../days/bus-days.ts';
import { estimateOf } from '../rows.ts';
import type { ComputedDay } from './computed-day.ts';
import type { DayDifference } from './store-day.ts';

/** The figures of a stored day. */
export interface DayFigures {
  readonly laps: number;
  /** Null where the day has no estimate. */
  readonly revenueKopecks: number | null;
}

/** The figures of a stored day. */
export async function findFigures(db: Db, { busId, day }: DayOfBus): Promise<DayFigures> {
  return db
    .selectFrom('laps')
    .select(({ fn, cast }) => [
      fn.countAll<number>().as('laps'),
      // A sum of bigints is a numeric, which the driver returns as text.
      cast<number | null>(fn.sum('revenue_kopecks'), 'bigint').as('revenueKopecks'),
    ])
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
}

/**
 * The change of a recalculated day.
 * @param before the stored figures
 * @returns undefined when nothing changed
 */
export function changeOf(
  { day }: DayOfBus,
  before: DayFigures,
  computed: ComputedDay,
  difference: DayDifference,
): DayChange | undefined {
  if (!difference.isAny) return undefined;
  const revenues = computed.laps.flatMap(({ revenueKopecks }) => revenueKopecks ?? []);
  const after = revenues.length === 0 ? null : revenues.reduce((sum, one) => sum + one, 0);
  const sameFigures = before.laps === computed.laps.length && before.revenueKopecks === after;
  if (sameFigures && isUnderWay(computed, difference)) return undefined;
  return {
    date: day,
    laps_before: before.laps,
    laps_after: computed.laps.length,
    revenue_before: estimateOf(before.revenueKopecks),
    revenue_after: estimateOf(after),
  };
}

// A bus on the road always has newer data than the stored; its day is updated anyway.
function isUnderWay({ laps }: ComputedDay, { laps: changed }: DayDifference): boolean {
  return laps.some(({ open }) => open) && changed.every(({ lap }) => lap.open);
}
