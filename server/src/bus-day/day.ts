import { leastOf, mostOf } from '@ridewatch/contract/extremes';
import type { DayFragments } from '@ridewatch/contract/fragments';
import type { Db } from '../core/db/db.ts';
import { assignEvents } from '../counts/assign.ts';
import { differencesOf } from '../counts/effective.ts';
import { peopleIn } from '../counts/events.ts';
import { listFragments } from '../counts/fragments.ts';
import { effectiveOf, hourlyOf, totalsOf } from '../counts/sums.ts';
import { hoursOfDay, listZoneSpans } from '../days/bus-days.ts';
import { SLACK_MS } from '../laps/engine/people/attribute.ts';
import { findLoadAt, listVisits } from '../laps/visits.ts';
import {
  calculationOf,
  findDayRecord,
  findDayTakings,
  isIn,
  peopleAt,
  shiftWithin,
} from '../money/day-money.ts';
import { fragmentOf, listEventsUpTo, type Signing } from './fragment-answers.ts';
import { stopNames } from './stop-names.ts';

export interface DayQuestion {
  readonly busId: number;
  readonly date: string;
  readonly timezone: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly countPassengersInside: boolean;
  readonly hasCalculator: boolean;
  /** The bus's present unit; it has a row even on a day without data. */
  readonly unitId: number | null;
  /** False: another customer's day, which answers like one without data. */
  readonly isOwn: boolean;
  /** Routes whose stops are not named. */
  readonly hiddenRoutes: readonly number[];
}

/**
 * A bus's local day: totals, hours and fragments, from the raw events and the manual counts, and its calculation. The
 * shift cuts totals and hours; fragments and people inside stay whole.
 * @throws AppError too_large for a day with more than one call reads
 */
export async function buildDay(
  db: Db,
  question: DayQuestion,
  signing: Signing,
): Promise<DayFragments> {
  const { busId, startMs, endMs } = question;
  if (!question.isOwn) return emptyDay(question);
  const rows = await listFragments(db, { busId }, startMs, endMs, 'date');
  // A fragment that runs past midnight also has the events after it.
  const untilMs = Math.max(
    endMs,
    mostOf(rows, (row) => row.endMs),
  );
  const fromMs = Math.min(
    startMs,
    leastOf(rows, (row) => row.startMs),
  );
  const events = await listEventsUpTo(db, busId, fromMs, untilMs, 'date');
  const assigned = assignEvents(rows, events);
  const own = rows.filter((row) => row.startMs >= startMs);
  const visits = await listVisits(db, question, startMs - SLACK_MS, untilMs + SLACK_MS);
  const stops = stopNames(own, visits, assigned);
  const segments = own.map((row) => {
    const stop = stops.get(row.id);
    const answer = fragmentOf(row, assigned.get(row.id) ?? [], signing);
    return stop === undefined ? answer : { ...answer, stop };
  });
  const allOfDay = events.filter(({ timeMs }) => isIn(question, timeMs));
  const allDifferences = differencesOf(own, assigned);
  const record = await findDayRecord(db, { busId, day: question.date });
  const shift = shiftWithin(record, question);
  const ofDay = allOfDay.filter(({ timeMs }) => isIn(shift, timeMs));
  const differences = allDifferences.filter(({ timeMs }) => isIn(shift, timeMs));

  const units = new Set([...allOfDay, ...own].map(({ unitId }) => unitId));
  if (question.unitId !== null) units.add(question.unitId);
  const hours = hoursOfDay(await listZoneSpans(db, busId), question);
  const perUnit = [...units]
    .sort((a, b) => a - b)
    .map((unitId) => {
      const mine = ofDay.filter((event) => event.unitId === unitId);
      const changed = differences.filter((difference) => difference.unitId === unitId);
      return {
        totals: { deviceId: unitId, ...totalsOf(mine, changed) },
        hours: { device_id: unitId, events: hourlyOf(hours, mine, changed) },
      };
    });
  const { entered, exited } = effectiveOf(ofDay, differences);
  const whole = effectiveOf(allOfDay, allDifferences);
  const calculation = question.hasCalculator
    ? calculationOf(
        record,
        await findDayTakings(db, { busId, day: question.date }),
        peopleAt(record.event, allOfDay, allDifferences),
        question,
      )
    : null;
  return {
    ...headOf(question),
    ...totalsOf(ofDay, differences),
    entered,
    exited,
    inside: question.countPassengersInside
      ? ((await findLoadAt(db, busId, endMs)) ?? peopleIn(whole.entered) - peopleIn(whole.exited))
      : null,
    calculation,
    devices: perUnit.map(({ totals }) => totals),
    events: perUnit.map((unit) => unit.hours),
    segments,
  };
}

function headOf({ busId, date, timezone, startMs, endMs }: DayQuestion) {
  return {
    workplace_id: busId,
    date,
    timezone,
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
  };
}

function emptyDay(question: DayQuestion): DayFragments {
  const { entered, exited } = effectiveOf([], []);
  return {
    ...headOf(question),
    ...totalsOf([], []),
    ...{ entered, exited, inside: question.countPassengersInside ? 0 : null, calculation: null },
    ...{ devices: [], events: [], segments: [] },
  };
}
