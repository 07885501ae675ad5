// Records that are kept aside are in no bus yet. Until they are placed, they are those of the customer to whom the bus
// belonged in which their unit sat when they arrived: a unit goes on to other customers, and they stay with it.
import { type RawBuilder, sql } from 'kysely';
import { listOwnPeriods } from '../../access/own-days.ts';
import { findKnownUnit } from '../../access/unit-assignments.ts';
import type { Db } from '../../core/db/db.ts';
import type { KnownUnit, Viewer } from '../../core/viewer.ts';

/** A period, ms since 1970 UTC; the end is excluded, and both may be infinite. */
interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Whether a row of `aside_records` of a unit arrived while the unit was the user's: on an own day of its bus, or since it is
 * a spare one.
 */
export async function arrivedVisibly(
  db: Db,
  viewer: Viewer,
  unitId: number,
): Promise<RawBuilder<boolean>> {
  if (viewer.clientIds === 'all') return sql<boolean>`true`;
  const periods = await listPeriods(db, viewer, await findKnownUnit(db, unitId));
  const ends = (end: keyof Period): string[] => periods.map((period) => momentOf(period[end]));
  return sql<boolean>`exists (
    select from unnest(${ends('startMs')}::timestamptz[], ${ends('endMs')}::timestamptz[]) as own (start_at, end_at)
    where received_at >= start_at and received_at < end_at)`;
}

async function listPeriods(db: Db, viewer: Viewer, unit: KnownUnit | undefined): Promise<Period[]> {
  if (unit === undefined) return [];
  const { busId, assignedFromMs, pastAssignments } = unit;
  const present = { startMs: assignedFromMs, endMs: Number.POSITIVE_INFINITY };
  const inBuses = pastAssignments.map((one) => ({
    busId: one.busId,
    period: { startMs: one.fromMs, endMs: one.untilMs },
  }));
  if (busId !== null) inBuses.push({ busId, period: present });
  const ids = [...new Set(inBuses.map((one) => one.busId))];
  const own = await listOwnPeriods(db, viewer, ids);
  const periods = inBuses.flatMap((one) =>
    (own.get(one.busId) ?? []).map((days) => ({
      startMs: Math.max(days.startMs, one.period.startMs),
      endMs: Math.min(days.endMs, one.period.endMs),
    })),
  );
  return busId === null ? [present, ...periods] : periods;
}

function momentOf(ms: number): string {
  if (Number.isFinite(ms)) return new Date(ms).toISOString();
  return ms < 0 ? '-infinity' : 'infinity';
}
