import { addDays } from '@ridewatch/contract/day';

/** The weeks that a month's page shows, whole from Monday on. */
export function weeksOfPage(month: string): string[][] {
  const first = `${month}-01`;
  const weekday = weekdayOf(first);
  const start = addDays(first, -weekday);
  const weeks = Math.ceil((weekday + lastDayOf(month)) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, index) => addDays(start, week * 7 + index)),
  );
}

/** The month (`YYYY-MM`) that many months away. */
export function addMonths(month: string, months: number): string {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

function lastDayOf(month: string): number {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

/**
 * Where a key leads from a day of a calendar: along weeks with the arrows, to the ends of the week, to the same day of
 * another month, with Shift of another year.
 * @returns undefined for keys that lead nowhere
 */
export function dayAfterKey(
  day: string,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): string | undefined {
  const months = shiftKey ? 12 : 1;
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return addDays(day, -weekdayOf(day));
    case 'End':
      return addDays(day, 6 - weekdayOf(day));
    case 'PageUp':
      return sameDayOf(day, -months);
    case 'PageDown':
      return sameDayOf(day, months);
    default:
      return undefined;
  }
}

/** The same day that many months away; the last one of a month that is too short for it. */
export function sameDayOf(day: string, months: number): string {
  const month = addMonths(day.slice(0, 7), months);
  const date = Math.min(Number(day.slice(8)), lastDayOf(month));
  return `${month}-${String(date).padStart(2, '0')}`;
}

/** 0 for Monday. */
function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}
