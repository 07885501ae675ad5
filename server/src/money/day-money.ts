// The calculator's record of a day, what it counts, and its figures.
import type { CalculationType } from '@ridewatch/contract/bus-routes';
import type { DayRange } from '@ridewatch/contract/day';
import type { Calculation, CalculationEvent } from '@ridewatch/contract/day-calculation';
import {
  errorOfSum,
  hundredthsOf,
  percentOf,
  resultOf,
  roublesOf,
  salaryOf,
  takingsOf,
} from '@ridewatch/contract/money';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { Difference } from '../counts/effective.ts';
import { type DoorEvent, peopleIn } from '../counts/events.ts';
import { settingsOn } from '../days/bus-settings.ts';
import type { DayOfBus } from '../days/day-records.ts';
import { isEditPendingOn } from '../days/day-state.ts';

/** The values that people set. */
export interface DayValues {
  readonly fareKopecks: number;
  /** Salary, hundredths of a percent. */
  readonly hundredths: number;
  readonly cashlessKopecks: number;
  readonly event: CalculationEvent;
  /** ms since 1970 UTC; null: the day's start or end. */
  readonly shiftStartMs: number | null;
  readonly shiftEndMs: number | null;
  readonly driver: string | null;
  readonly handedInKopecks: number | null;
}

/** The record of a day, or what the day's first event would copy. */
export interface DayRecord extends DayValues, DayOfBus {
  readonly isStored: boolean;
  readonly version: number;
  readonly copiedFrom: string | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  /** Login. */
  readonly updatedBy: string | null;
}

interface Row {
  readonly day: string;
  readonly fare_kopecks: number;
  readonly salary_percent: string;
  readonly cashless_kopecks: number;
  readonly calculation_event: CalculationEvent;
  readonly shift_start: Date | null;
  readonly shift_end: Date | null;
  readonly driver: string | null;
  readonly handed_in_kopecks: number | null;
  readonly version: number;
  readonly copied_from: string | null;
  readonly created_at: Date | null;
  readonly updated_at: Date | null;
  readonly updated_by: number | null;
  readonly login: string | null;
}

/** The record of a day; for a day without one, what its first event would copy. */
export async function findDayRecord(db: Db, { busId, day }: DayOfBus): Promise<DayRecord> {
  const { rows } = await sql<Row>`
    select calculations.*, users.login from calculations left join users on users.id = updated_by
    where workplace_id = ${busId} and day <= ${day}::date order by day desc limit 1`.execute(db);
  const row = rows[0];
  if (row?.day === day) {
    return {
      ...copiedValues(row),
      busId,
      day,
      isStored: true,
      version: row.version,
      cashlessKopecks: row.cashless_kopecks,
      shiftStartMs: row.shift_start?.getTime() ?? null,
      shiftEndMs: row.shift_end?.getTime() ?? null,
      driver: row.driver,
      handedInKopecks: row.handed_in_kopecks,
      copiedFrom: row.copied_from,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      updatedBy: row.login,
    };
  }
  return {
    ...copiedValues(row),
    busId,
    day,
    isStored: false,
    version: 0,
    cashlessKopecks: 0,
    ...{ shiftStartMs: null, shiftEndMs: null, driver: null, handedInKopecks: null },
    copiedFrom: row?.day ?? null,
    ...{ createdAt: null, updatedAt: null, updatedBy: null },
  };
}

function copiedValues(
  row: Row | undefined,
): Pick<DayValues, 'fareKopecks' | 'hundredths' | 'event'> {
  return {
    fareKopecks: row?.fare_kopecks ?? 0,
    hundredths: row === undefined ? 0 : hundredthsOf(row.salary_percent),
    event: row?.calculation_event ?? 'ENTERED',
  };
}

/**
 * What tells cached answers about a day without data apart: the latest record of the bus up to the day, and its version.
 * @param day `YYYY-MM-DD`
 */
export async function findRecordTag(db: Db, { busId, day }: DayOfBus): Promise<string> {
  const { rows } = await sql<{ tag: string }>`
    select day || '/' || version as tag from calculations
    where workplace_id = ${busId} and day <= ${day}::date order by day desc limit 1`.execute(db);
  return rows[0]?.tag ?? '';
}

/** The part of a local day that its shift leaves. A shift that a later change of zone moved out of the day leaves nothing. */
export function shiftWithin(
  { shiftStartMs, shiftEndMs }: Pick<DayValues, 'shiftStartMs' | 'shiftEndMs'>,
  { startMs, endMs }: DayRange,
): DayRange {
  const fromMs = Math.min(Math.max(startMs, shiftStartMs ?? startMs), endMs);
  return { startMs: fromMs, endMs: Math.max(fromMs, Math.min(endMs, shiftEndMs ?? endMs)) };
}

/** Whether a moment (ms since 1970 UTC) lies in a half-open range. */
export function isIn({ startMs, endMs }: DayRange, timeMs: number): boolean {
  return timeMs >= startMs && timeMs < endMs;
}

/** The revenue of a stored lap. */
export interface LapTakings {
  readonly startMs: number;
  /** Null on a route whose revenue does not come from its price table. */
  readonly kopecks: number | null;
  readonly errorKopecks: number | null;
  readonly noPrice: number;
}

/** How a day's total comes about, and the laps that start on it. */
export interface DayTakings {
  readonly type: CalculationType;
  readonly laps: readonly LapTakings[];
  /** The laps lack an edit of what they are computed from. */
  readonly isPending: boolean;
}

/**
 * The revenue of a day's laps. A day with laps is of the type with which they were calculated, so that a bus that is
 * moved to another route afterwards keeps the money of its past days until somebody recalculates them.
 */
export async function findDayTakings(db: Db, { busId, day }: DayOfBus): Promise<DayTakings> {
  const { rows: laps } = await sql<LapTakings>`
    select (extract(epoch from start_time) * 1000)::bigint as "startMs", revenue_kopecks as kopecks,
      revenue_error_kopecks as "errorKopecks", no_price as "noPrice"
    from laps where workplace_id = ${busId} and day = ${day}::date order by number`.execute(db);
  const isPending = await isEditPendingOn(db, busId, day);
  if (laps.length === 0) return { type: await findTypeOn(db, { busId, day }), laps, isPending };
  const isEstimated = laps.some(({ kopecks }) => kopecks !== null);
  return { type: isEstimated ? 'CALCULATION' : 'FIXED', laps, isPending };
}

async function findTypeOn(db: Db, { busId, day }: DayOfBus): Promise<CalculationType> {
  const { rows } = await sql<{ type: CalculationType | null }>`
    select coalesce((select type_calculation from route_calculations
        where group_id = settings.group_id and valid_from <= ${day}::date
        order by valid_from desc limit 1), groups.type_calculation) as type
    from ${settingsOn(sql`${busId}::bigint`, sql`${day}::date`)} as settings
    left join route_groups as groups on groups.id = settings.group_id`.execute(db);
  return rows[0]?.type ?? 'FIXED';
}

/** People in one direction. */
export interface PeopleSum {
  /** Of the counter. */
  readonly automatic: number;
  /** Added by manual counts; negative where they remove people. */
  readonly corrections: number;
}

/** People in one direction at a moment. */
export interface PeopleAt extends PeopleSum {
  readonly timeMs: number;
}

/** The side of counts that the fare multiplies. */
export function sideOf(event: CalculationEvent): 'entered' | 'exited' {
  return event === 'ENTERED' ? 'entered' : 'exited';
}

/** The people whom a calculation counts, by moment: those of events, and the differences of manual counts. */
export function peopleAt(
  event: CalculationEvent,
  events: readonly DoorEvent[],
  differences: readonly Difference[],
): PeopleAt[] {
  const side = sideOf(event);
  return [
    ...events
      .filter(({ direction }) => direction === side)
      .map(({ timeMs, count }) => ({ timeMs, automatic: count, corrections: 0 })),
    ...differences.map(({ timeMs, [side]: changed }) => ({
      timeMs,
      automatic: 0,
      corrections: peopleIn(changed),
    })),
  ];
}

/** Sums people. */
export function sumOf(people: readonly PeopleSum[]): PeopleSum & { readonly count: number } {
  let [automatic, corrections] = [0, 0];
  for (const one of people) {
    automatic += one.automatic;
    corrections += one.corrections;
  }
  return { automatic, corrections, count: automatic + corrections };
}

/**
 * A calculation with its figures. FIXED: fare × people inside the shift. CALCULATION: the revenue of the laps that start
 * inside it, each whole.
 * @param people in the event's direction on the local day
 * @param day the bounds of the local day
 */
export function calculationOf(
  record: DayRecord,
  takings: DayTakings,
  people: readonly PeopleAt[],
  day: DayRange,
): Calculation {
  const shift = shiftWithin(record, day);
  const { count } = sumOf(people.filter(({ timeMs }) => isIn(shift, timeMs)));
  const all = sumOf(people.filter(({ timeMs }) => isIn(day, timeMs)));
  const isFixed = takings.type === 'FIXED';
  const laps = takings.laps.filter(({ startMs }) => isIn(shift, startMs));
  const total = isFixed
    ? takingsOf(record.fareKopecks, count)
    : laps.reduce((sum, { kopecks }) => sum + (kopecks ?? 0), 0);
  const salary = salaryOf(total, record.hundredths);
  const result = resultOf(total, salary, record.cashlessKopecks);
  const { handedInKopecks } = record;
  return {
    ...valuesOf(record),
    workplace_id: record.busId,
    date: record.day,
    stored: record.isStored,
    copied_from: record.copiedFrom,
    updated_at: record.updatedAt?.toISOString() ?? null,
    updated_by: record.updatedBy,
    type_calculation: takings.type,
    pending: !isFixed && takings.isPending,
    count,
    outside_shift: all.count - count,
    total: roublesOf(total),
    total_error: isFixed
      ? null
      : roublesOf(errorOfSum(laps.map(({ errorKopecks }) => errorKopecks ?? 0))),
    no_price: isFixed ? 0 : rounded(laps.reduce((sum, { noPrice }) => sum + noPrice, 0)),
    salary: roublesOf(salary),
    result: roublesOf(result),
    difference: handedInKopecks === null ? null : roublesOf(handedInKopecks - result),
  };
}

/** The values of a record as the API has them. */
export function valuesOf(values: DayValues) {
  const { shiftStartMs, shiftEndMs, handedInKopecks } = values;
  return {
    fare: roublesOf(values.fareKopecks),
    salary_percent: percentOf(values.hundredths),
    cashless: roublesOf(values.cashlessKopecks),
    calculation_event: values.event,
    shift_start: shiftStartMs === null ? null : new Date(shiftStartMs).toISOString(),
    shift_end: shiftEndMs === null ? null : new Date(shiftEndMs).toISOString(),
    driver: values.driver,
    handed_in: handedInKopecks === null ? null : roublesOf(handedInKopecks),
  };
}

/** A number of people with two decimals. */
export function rounded(people: number): number {
  return Math.round(people * 100) / 100;
}
