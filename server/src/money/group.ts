// Sets fare, percent and event of a route's buses from a local day on: one transaction, in which nobody else changes
// these buses. A repeat changes nothing.
import type { GroupCalculation } from '@ridewatch/contract/calculation';
import { percentOf, roublesOf, salaryOf, takingsOf } from '@ridewatch/contract/money';
import { sql } from 'kysely';
import type { RouteRow } from '../access/route.ts';
import type { Editable } from '../access/visible.ts';
import { insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { inSnapshot } from '../core/db/snapshot.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { bumpAllDays } from '../days/bus-days.ts';
import { createDayRecords } from '../days/day-records.ts';
import { requestLaps } from '../days/due-laps.ts';
import { requestSettle } from '../days/unsettled.ts';
import { sideOf } from './day-money.ts';
import {
  type CountedDay,
  type GroupDay,
  type GroupValues,
  listDayCounts,
  listGroupBuses,
  listGroupDays,
} from './group-days.ts';
import { insertChanges, type MadeChange } from './history.ts';
import { type Editor, lockBuses } from './save.ts';

/** The values that a route's buses get, and from when. */
export interface GroupEdit {
  readonly from: string;
  readonly values: GroupValues;
  /** The number of days that the user saw in a preview; another number is a conflict. */
  readonly seenDays: number | undefined;
}

/**
 * Works out what a command would change; stores nothing.
 * @throws AppError invalid_request when it changes too many days
 */
export async function previewGroup(
  db: Db,
  viewer: Viewer,
  route: Editable<RouteRow>,
  { from, values }: GroupEdit,
): Promise<GroupCalculation> {
  return inSnapshot(db, async (tx) => {
    const question = { routeId: route.id, from };
    const busIds = await listGroupBuses(tx, viewer, question);
    const days = await listGroupDays(tx, busIds, question, values);
    return sumUp(days, await listDayCounts(tx, days), values);
  });
}

/**
 * Sets the values.
 * @param nowMs the present by the clock, ms since 1970 UTC
 * @returns what has changed
 * @throws AppError conflict with the new preview when another number of days would change than the user saw
 */
export async function setGroup(
  db: Db,
  viewer: Viewer,
  actor: Editor,
  route: Editable<RouteRow>,
  { from, values, seenDays }: GroupEdit,
  nowMs: number,
): Promise<GroupCalculation> {
  const question = { routeId: route.id, from };
  return db.transaction().execute(async (tx) => {
    const busIds = await listGroupBuses(tx, viewer, question);
    await lockBuses(tx, busIds);
    const days = await listGroupDays(tx, busIds, question, values);
    const sums = await listDayCounts(tx, days);
    const current = sumUp(days, sums, values);
    if (seenDays !== undefined && seenDays !== current.days && days.length > 0) {
      const message = `would change ${current.days} days of buses now, no longer ${seenDays}`;
      throw new AppError('conflict', message, { field: 'seen_days', current });
    }
    if (days.length === 0) return current;
    await createDayRecords(
      tx,
      days.filter(({ isStored }) => !isStored),
      nowMs,
    );
    await updateRecords(tx, days, values, { userId: actor.userId, nowMs });
    await insertChanges(
      tx,
      days.flatMap((day) => changesOf(day, values, { userId: actor.userId, nowMs })),
    );
    await insertAudit(tx, actor, {
      action: 'set_group_calculation',
      objectType: 'route_group',
      objectId: route.id,
      before: { total: current.total_before, salary: current.salary_before },
      after: {
        ...{ date_from: from, days: current.days, buses: current.buses },
        ...namedValues(values),
        ...{ total: current.total_after, salary: current.salary_after },
      },
    });
    // The revenue of laps depends on the event alone. Past days are a backlog, which the workers of today do not wait for.
    const estimated = new Set(days.filter((day, n) => isRecalculated(day, sums[n], values)));
    for (const [busId, own] of Map.groupBy(days, (day) => day.busId)) {
      // First, because it locks all of these days in their order.
      await requestSettle(
        tx,
        busId,
        own.map(({ day }) => day),
      );
      const recalculated = own.filter((day) => estimated.has(day)).map(({ day }) => day);
      await requestLaps(tx, busId, recalculated, { nowMs });
    }
    await bumpAllDays(tx, busIds, from);
    return current;
  });
}

function sumUp(
  days: readonly GroupDay[],
  sums: readonly CountedDay[],
  values: GroupValues,
): GroupCalculation {
  const totals = { before: 0, after: 0, salaryBefore: 0, salaryAfter: 0 };
  let recalculated = 0;
  for (const [n, day] of days.entries()) {
    const sum = sums[n];
    if (sum === undefined) throw new Error('A day has no sums.');
    const after = withValues(day, values);
    const [totalBefore, totalAfter] = [totalOf(day, sum), totalOf(after, sum)];
    totals.before += totalBefore;
    totals.after += totalAfter;
    totals.salaryBefore += salaryOf(totalBefore, day.hundredths);
    totals.salaryAfter += salaryOf(totalAfter, after.hundredths);
    if (isRecalculated(day, sum, values)) recalculated += 1;
  }
  // The first day of a bus on the route may have no records: it only carries the values to later days.
  const recorded = days.filter((_, n) => sums[n]?.hasRecords);
  const carrying = days.filter((_, n) => !sums[n]?.hasRecords);
  const ordered = recorded.map(({ day }) => day).sort();
  return {
    days: recorded.length,
    buses: new Set(recorded.map(({ busId }) => busId)).size,
    later_buses: new Set(carrying.map(({ busId }) => busId)).size,
    first_day: ordered[0] ?? null,
    last_day: ordered.at(-1) ?? null,
    total_before: roublesOf(totals.before),
    total_after: roublesOf(totals.after),
    salary_before: roublesOf(totals.salaryBefore),
    salary_after: roublesOf(totals.salaryAfter),
    recalculated_days: recalculated,
  };
}

function withValues(day: GroupDay, { fareKopecks, hundredths, event }: GroupValues): GroupDay {
  return {
    ...day,
    fareKopecks: fareKopecks ?? day.fareKopecks,
    hundredths: hundredths ?? day.hundredths,
    event: event ?? day.event,
  };
}

function isRecalculated(
  day: GroupDay,
  sum: CountedDay | undefined,
  { event }: GroupValues,
): boolean {
  return sum?.lapKopecks !== undefined && event !== undefined && event !== day.event;
}

function totalOf({ fareKopecks, event }: GroupDay, sum: CountedDay): number {
  return sum.lapKopecks ?? takingsOf(fareKopecks, sum[sideOf(event)]);
}

/** Values as the API has them. */
function namedValues({ fareKopecks, hundredths, event }: GroupValues) {
  return {
    ...(fareKopecks !== undefined && { fare: roublesOf(fareKopecks) }),
    ...(hundredths !== undefined && { salary_percent: percentOf(hundredths) }),
    ...(event !== undefined && { calculation_event: event }),
  };
}

function changesOf(
  day: GroupDay,
  values: GroupValues,
  by: { readonly userId: number; readonly nowMs: number },
): MadeChange[] {
  const had = namedValues(day);
  const has = namedValues(withValues(day, values));
  return (['fare', 'salary_percent', 'calculation_event'] as const).flatMap((field) => {
    const [before = null, after = null] = [had[field], has[field]];
    if (before === after) return [];
    const { busId, version } = day;
    const made = { version: version + 1, source: 'group', ...by } as const;
    return [{ busId, day: day.day, field, before, after, ...made }];
  });
}

async function updateRecords(
  tx: Tx,
  days: readonly GroupDay[],
  { fareKopecks, hundredths, event }: GroupValues,
  { userId, nowMs }: { readonly userId: number; readonly nowMs: number },
): Promise<void> {
  const percent = hundredths === undefined ? null : percentOf(hundredths);
  await sql`
    update calculations set version = version + 1,
      fare_kopecks = coalesce(${fareKopecks ?? null}::bigint, fare_kopecks),
      salary_percent = coalesce(${percent}::numeric, salary_percent),
      calculation_event = coalesce(${event ?? null}::text, calculation_event),
      updated_by = ${userId}, updated_at = ${new Date(nowMs)}
    from unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[])
      as changed (bus, changed_day)
    where workplace_id = bus and day = changed_day`.execute(tx);
}
