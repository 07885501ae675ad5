import { addDays } from '@ridewatch/contract/day';
import type { HaltStat } from '@ridewatch/contract/laps';

interface StatRow {
  /** Counts by hour, and the sum as the last cell. */
  readonly cells: readonly number[];
}

/** Passengers by hour: a row for each weekday, and one for all. */
export interface StatTable {
  /** Local hours `HH:mm`, from the first to the last with passengers. */
  readonly hours: readonly string[];
  readonly rows: readonly StatRow[];
  /** The largest cell of a weekday, at least 1. */
  readonly greatest: number;
}

/** Makes a table of the answers for the seven weekdays. */
export function statTable(
  days: readonly (readonly HaltStat[])[],
  side: 'entered' | 'exited',
): StatTable {
  const all = days.flat();
  const busy = all.filter(({ entered, exited }) => entered + exited > 0).map(({ from }) => from);
  const [first, last] = [busy.toSorted().at(0), busy.toSorted().at(-1)];
  if (first === undefined || last === undefined) return { hours: [], rows: [], greatest: 1 };
  const hours = [...new Set([...all.map(({ from }) => from), ...between(first, last)])]
    .filter((hour) => hour >= first && hour <= last)
    .sort();
  const rowOf = (items: readonly HaltStat[]): StatRow => {
    const cells = hours.map((hour) =>
      items.filter(({ from }) => from === hour).reduce((sum, item) => sum + item[side], 0),
    );
    return { cells: [...cells, cells.reduce((sum, cell) => sum + cell, 0)] };
  };
  const rows = days.map(rowOf);
  return {
    hours,
    rows: [...rows, rowOf(all)],
    greatest: Math.max(1, ...rows.flatMap(({ cells }) => cells.slice(0, -1))),
  };
}

/** The day so many months earlier, or the last day of a shorter month: 31 May less 3 is 28 or 29 February. */
export function monthsBefore(day: string, months: number): string {
  const [year = 2000, month = 1, date = 1] = day.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10);
  const next = new Date(Date.UTC(year, month - months, 1)).toISOString().slice(0, 10);
  const wanted = addDays(first, date - 1);
  return wanted < next ? wanted : addDays(next, -1);
}

function between(first: string, last: string): string[] {
  const hour = (clock: string) => Number(clock.slice(0, 2));
  return Array.from(
    { length: hour(last) - hour(first) + 1 },
    (_, at) => `${String(hour(first) + at).padStart(2, '0')}:00`,
  );
}
