import { leastOf, mostOf } from '@ridewatch/contract/extremes';
import type { DayFragments, HourTraffic } from '@ridewatch/contract/fragments';
import type { Db } from '../core/db/db.ts';
import { assignEvents } from '../counts/assign.ts';
import { listEventsUpTo } from '../counts/day-events.ts';
import { listFragments } from '../counts/fragments.ts';
import { type HourPeople, type HourSum, NO_PEOPLE } from '../counts/hours.ts';
import { hoursOfDay, listZoneSpans, sourceAt, type ZoneSpan } from '../days/bus-days.ts';
import { peopleOf, sumPeople } from '../figures/hours.ts';
import { findDayFigures } from '../figures/one-day.ts';
import { SLACK_MS } from '../laps/engine/people/attribute.ts';
import { findLoadAt, listVisits } from '../laps/stops-and-loads.ts';
import { calculationOn } from '../money/day-money.ts';
import { fragmentOf, type Signing } from './fragment-answers.ts';
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
  /** Whether one of its units can tell children apart. */
  readonly unitsTellChildren: boolean;
  /** False: another customer's day, which answers like one without data. */
  readonly isOwn: boolean;
  /** Routes whose stops are not named. */
  readonly hiddenRoutes: readonly number[];
}

/**
 * A bus's local day: its figures, its calculation, and its fragments with their events. The shift cuts totals and hours;
 * fragments and people inside stay whole.
 * @param db reads one snapshot, so that fragments and totals are of the same events
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
  const figures = await findDayFigures(db, { busId, day: question.date, startMs, endMs });
  const { people } = figures;
  const units = new Set([...figures.hours, ...own].map(({ unitId }) => unitId));
  if (question.unitId !== null) units.add(question.unitId);
  const spans = await listZoneSpans(db, busId);
  const hours = hoursOfDay(spans, question);
  const perUnit = [...units]
    .sort((a, b) => a - b)
    .map((unitId) => ({ unitId, hours: figures.hours.filter((hour) => hour.unitId === unitId) }));
  return {
    ...headOf(question),
    ...totalsOf(people),
    entered: { adult: people.enteredAdults, kids: people.enteredKids },
    exited: { adult: people.exitedAdults, kids: people.exitedKids },
    tells_children: tellsChildren(question, spans),
    inside: question.countPassengersInside
      ? ((await findLoadAt(db, busId, endMs)) ?? rawLoadOf(people))
      : null,
    calculation: question.hasCalculator
      ? await calculationOn(db, { busId, day: question.date }, figures)
      : null,
    devices: perUnit.map((unit) => ({ deviceId: unit.unitId, ...totalsOf(sumPeople(unit.hours)) })),
    events: perUnit.map((unit) => ({
      device_id: unit.unitId,
      events: hourlyOf(hours, unit.hours),
    })),
    segments,
  };
}

/** People by the counter, and with manual counts. */
function totalsOf(people: HourPeople) {
  const [entered, exited] = [peopleOf(people, 'entered'), peopleOf(people, 'exited')];
  return {
    totalEntered: entered.automatic,
    totalExited: exited.automatic,
    totalEnteredManual: entered.count,
    totalExitedManual: exited.count,
  };
}

// Programs that count in video see who is a child.
const tellsChildren = (
  { startMs, endMs, unitsTellChildren }: DayQuestion,
  spans: readonly ZoneSpan[],
): boolean =>
  unitsTellChildren || [startMs, endMs - 1].some((ms) => sourceAt(spans, ms) === 'video');

function hourlyOf(hours: readonly number[], sums: readonly HourSum[]): HourTraffic[] {
  const sumAt = new Map(sums.map((sum) => [sum.hourMs, sum]));
  return hours.map((hourMs) => {
    const sum = sumAt.get(hourMs) ?? NO_PEOPLE;
    return {
      start_time: new Date(hourMs).toISOString(),
      entered: peopleOf(sum, 'entered').count,
      exited: peopleOf(sum, 'exited').count,
    };
  });
}

// Counts who got on and off on the day, also outside the shift.
function rawLoadOf(people: HourPeople): number {
  const entered = peopleOf(people, 'entered').count + people.enteredOutside;
  return entered - peopleOf(people, 'exited').count - people.exitedOutside;
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
  const nobody = { adult: 0, kids: 0 };
  return {
    ...headOf(question),
    ...totalsOf(NO_PEOPLE),
    ...{ entered: nobody, exited: nobody, tells_children: true },
    ...{ inside: question.countPassengersInside ? 0 : null, calculation: null },
    ...{ devices: [], events: [], segments: [] },
  };
}
