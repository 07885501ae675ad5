import { hoursOf } from '@ridewatch/contract/day';
import type { Count, DaySegments, HourTraffic, Segment } from '@ridewatch/contract/segments';
import { assignEvents, differenceOf } from '../counts/assign.ts';
import type { Db } from '../db.ts';
import { findLoadAt } from '../laps/queries.ts';
import {
  type FragmentRow,
  listEvents,
  listFragments,
  type Signing,
  segmentOf,
  type UnitEvent,
} from './queries.ts';

export interface DayQuestion {
  readonly workplaceId: number;
  readonly date: string;
  readonly timezone: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly countPassengersInside: boolean;
  /** The unit that sits in the bus now; it has a row even on a day without data. */
  readonly unitId: number | null;
}

interface Difference {
  readonly unitId: number;
  readonly timeMs: number;
  readonly entered: Count;
  readonly exited: Count;
}

/** A bus's local day: totals, hours and fragments, all from the raw events and the layer of manual counts. */
export async function buildDay(
  db: Db,
  question: DayQuestion,
  signing: Signing,
): Promise<DaySegments> {
  const { workplaceId, startMs, endMs } = question;
  const rows = await listFragments(db, { workplaceId }, startMs, endMs);
  // A fragment that runs over midnight has the events behind it too.
  const untilMs = Math.max(endMs, ...rows.map((row) => row.endMs));
  const fromMs = Math.min(startMs, ...rows.map((row) => row.startMs));
  const events = await listEvents(db, workplaceId, fromMs, untilMs);
  const assigned = assignEvents(rows, events);
  const own = rows.filter((row) => row.startMs >= startMs);
  const segments = own.map((row) => segmentOf(row, assigned.get(row.id) ?? [], signing));
  const ofDay = events.filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs);
  const differences = own.flatMap((row, index) => differencesOf(row, segments[index]));

  const units = new Set([...ofDay, ...own].map(({ unitId }) => unitId));
  if (question.unitId !== null) units.add(question.unitId);
  const hours = hoursOf(question.date, question.timezone);
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
  const entered = effective('entered', ofDay, differences);
  const exited = effective('exited', ofDay, differences);
  return {
    workplace_id: workplaceId,
    date: question.date,
    timezone: question.timezone,
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    ...totalsOf(ofDay, differences),
    entered,
    exited,
    inside: question.countPassengersInside
      ? ((await findLoadAt(db, workplaceId, endMs)) ?? sumOf(entered) - sumOf(exited))
      : null,
    devices: perUnit.map(({ totals }) => totals),
    events: perUnit.map((unit) => unit.hours),
    segments,
  };
}

// What manual counts add to the automatic ones, booked at the fragment's start.
function differencesOf(row: FragmentRow, segment: Segment | undefined): Difference[] {
  if (segment === undefined) return [];
  const { entered, exited } = differenceOf(row, segment);
  const same = [entered, exited].every(({ adult, kids }) => adult === 0 && kids === 0);
  return same ? [] : [{ unitId: row.unitId, timeMs: row.startMs, entered, exited }];
}

function sumOf({ adult, kids }: Count): number {
  return adult + kids;
}

function automatic(direction: 'entered' | 'exited', events: readonly UnitEvent[]): Count {
  const count = { adult: 0, kids: 0 };
  for (const event of events) {
    if (event.direction === direction) {
      count[event.passenger === 'adult' ? 'adult' : 'kids'] += event.count;
    }
  }
  return count;
}

function effective(
  direction: 'entered' | 'exited',
  events: readonly UnitEvent[],
  differences: readonly Difference[],
): Count {
  const count = automatic(direction, events);
  for (const difference of differences) {
    count.adult += difference[direction].adult;
    count.kids += difference[direction].kids;
  }
  return count;
}

function totalsOf(events: readonly UnitEvent[], differences: readonly Difference[]) {
  return {
    totalEntered: sumOf(automatic('entered', events)),
    totalExited: sumOf(automatic('exited', events)),
    totalEnteredManual: sumOf(effective('entered', events, differences)),
    totalExitedManual: sumOf(effective('exited', events, differences)),
  };
}

function hourlyOf(
  hours: readonly number[],
  events: readonly UnitEvent[],
  differences: readonly Difference[],
): HourTraffic[] {
  const rows = hours.map((hourMs) => ({
    start_time: new Date(hourMs).toISOString(),
    entered: 0,
    exited: 0,
  }));
  const rowAt = (timeMs: number) => rows[hours.findLastIndex((hourMs) => hourMs <= timeMs)];
  for (const { timeMs, direction, count } of events) {
    const row = rowAt(timeMs);
    if (row !== undefined) row[direction] += count;
  }
  for (const { timeMs, entered, exited } of differences) {
    const row = rowAt(timeMs);
    if (row === undefined) continue;
    row.entered += sumOf(entered);
    row.exited += sumOf(exited);
  }
  return rows;
}
