import { hoursOf } from '@ridewatch/contract/day';
import { leastOf, mostOf } from '@ridewatch/contract/extremes';
import type { DayFragments } from '@ridewatch/contract/fragments';
import type { Db } from '../core/db/db.ts';
import { assignEvents } from '../counts/assign.ts';
import { differencesOf } from '../counts/effective.ts';
import { peopleIn } from '../counts/events.ts';
import { listFragments } from '../counts/fragments.ts';
import { effectiveOf, hourlyOf, totalsOf } from '../counts/sums.ts';
import { SLACK_MS } from '../laps/engine/people/attribute.ts';
import { findLoadAt, listVisits } from '../laps/queries.ts';
import { fragmentOf, listEventsUpTo, type Signing } from './queries.ts';
import { stopNames } from './stop-names.ts';

export interface DayQuestion {
  readonly busId: number;
  readonly date: string;
  readonly timezone: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly countPassengersInside: boolean;
  /** The bus's present unit; it has a row even on a day without data. */
  readonly unitId: number | null;
}

/**
 * A bus's local day: totals, hours and fragments, from the raw events and the manual counts.
 * @throws AppError too_large for a day with more than one call reads
 */
export async function buildDay(
  db: Db,
  question: DayQuestion,
  signing: Signing,
): Promise<DayFragments> {
  const { busId, startMs, endMs } = question;
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
  const visits = await listVisits(db, busId, startMs - SLACK_MS, untilMs + SLACK_MS);
  const stops = stopNames(own, visits, assigned);
  const segments = own.map((row) => {
    const stop = stops.get(row.id);
    const answer = fragmentOf(row, assigned.get(row.id) ?? [], signing);
    return stop === undefined ? answer : { ...answer, stop };
  });
  const ofDay = events.filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs);
  const differences = differencesOf(own, assigned);

  const units = new Set([...ofDay, ...own].map(({ unitId }) => unitId));
  if (question.unitId !== null) units.add(question.unitId);
  const hours = hoursOf(question);
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
  return {
    workplace_id: busId,
    date: question.date,
    timezone: question.timezone,
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    ...totalsOf(ofDay, differences),
    entered,
    exited,
    inside: question.countPassengersInside
      ? ((await findLoadAt(db, busId, endMs)) ?? peopleIn(entered) - peopleIn(exited))
      : null,
    devices: perUnit.map(({ totals }) => totals),
    events: perUnit.map((unit) => unit.hours),
    segments,
  };
}
