// The calculator's record of a day, what it counts, and its figures.

import type { DayRange } from '@ridewatch/contract/day';
import type { Calculation, CalculationEvent } from '@ridewatch/contract/day-calculation';
import {
  errorOfSum,
  hundredthsOf,
  percentOf,
  resultOf,
  roublesOf,
  salaryOf,
} from '@ridewatch/contract/money';
import { roundTo } from '@ridewatch/contract/round';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { DayOfBus } from '../days/bus-days.ts';
import { isEditPendingOn } from '../days/day-state.ts';
import { peopleOf } from '../figures/hours.ts';
import type { DayFigures } from '../figures/one-day.ts';

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
 * Finds what tells cached answers about a day without data apart: the latest record of the bus up to the day, and its
 * version.
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

/** The side of counts that the fare multiplies. */
export function sideOf(event: CalculationEvent): 'entered' | 'exited' {
  return event === 'ENTERED' ? 'entered' : 'exited';
}

/** The calculation of a bus's local day with its figures. */
export async function calculationOn(
  db: Db,
  question: DayOfBus,
  figures: DayFigures,
): Promise<Calculation> {
  // Laps that are being computed lack an edit.
  const isPending = figures.isByLaps && (await isEditPendingOn(db, question.busId, question.day));
  return calculationOf(await findDayRecord(db, question), figures, isPending);
}

function calculationOf(record: DayRecord, figures: DayFigures, isPending: boolean): Calculation {
  const { isByLaps, kopecks: total, people } = figures;
  const side = sideOf(record.event);
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
    type_calculation: isByLaps ? 'CALCULATION' : 'FIXED',
    pending: isPending,
    count: peopleOf(people, side).count,
    outside_shift: people[`${side}Outside`],
    total: roublesOf(total),
    total_error: isByLaps ? roublesOf(errorOfSum(figures.lapErrors)) : null,
    no_price: roundTo(figures.noPriceMilli / 1000, 2),
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
