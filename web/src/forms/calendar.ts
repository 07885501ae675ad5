import { addDays } from '@ridewatch/contract/day';

/** The weeks of a month's page, Monday to Sunday. */
export function weeksOfPage(month: string): string[][] {
  const first = `${month}-01`;
  const weekday = weekdayOf(first);
  const start = addDays(first, -weekday);
  const weeks = Math.ceil((weekday + lastDayOf(month)) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, index) => addDays(start, week * 7 + index)),
  );
}

/** The month (`YYYY-MM`) so many months away. */
export function addMonths(month: string, months: number): string {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

function lastDayOf(month: string): number {
  const [year = 1970, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

/**
 * The day that a key of the ARIA grid pattern selects: arrows move by a day or a week, Home and End to the ends of the
 * week, Page Up and Page Down by a month, with Shift by a year.
 * @returns undefined for other keys
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

/** The same day of another month, or the last day of a shorter month. */
export function sameDayOf(day: string, months: number): string {
  const month = addMonths(day.slice(0, 7), months);
  const date = Math.min(Number(day.slice(8)), lastDayOf(month));
  return `${month}-${String(date).padStart(2, '0')}`;
}

/** The day of the week, 0 for Monday. */
function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/**
 * Reads a day as people type it: `28.11.2026`, `28.11.26`, `28.11`, `281126`, `2026-11-28`.
 * @param today gives the year that is left out: the latest in which the day is not after `last`
 * @param last the last day that can be meant; any day unless given
 * @returns `YYYY-MM-DD`; undefined for a text that is no day of the calendar
 */
export function readTypedDay(text: string, today: string, last?: string): string | undefined {
  const typed = text.trim();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed);
  if (iso) return dayIn(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const parts =
    /^(\d{1,2})[./ -](\d{1,2})(?:[./ -](\d{2}|\d{4}))?$/.exec(typed) ??
    /^(\d{2})(\d{2})(\d{2}|\d{4})?$/.exec(typed);
  if (!parts) return undefined;
  const [, day, month, year] = parts;
  const whole = year?.length === 2 ? `20${year}` : year;
  if (whole !== undefined) return dayIn(Number(whole), Number(month), Number(day));
  const thisYear = Number(today.slice(0, 4));
  const inThis = dayIn(thisYear, Number(month), Number(day));
  const isMeant = inThis !== undefined && (last === undefined || inThis <= last);
  return isMeant ? inThis : dayIn(thisYear - 1, Number(month), Number(day));
}

function dayIn(year: number, month: number, day: number): string | undefined {
  const two = (part: number) => String(part).padStart(2, '0');
  const named = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const moment = new Date(`${named}T00:00:00Z`);
  return Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(named)
    ? undefined
    : named;
}
