import { addDays } from '@ridewatch/contract/day';

/** The days that a month's page shows: whole weeks from Monday on. */
export function daysOfPage(month: string): string[] {
  const first = `${month}-01`;
  const weekday = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const start = addDays(first, -weekday);
  const length = weekday + lastDayOf(month);
  return Array.from({ length: Math.ceil(length / 7) * 7 }, (_, index) => addDays(start, index));
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
