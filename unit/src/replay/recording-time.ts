import { addDays, dayOf, dayRange, momentOf } from '@ridewatch/contract/day';

/**
 * Parses a time of a recording.
 * @param text ISO 8601 or `YYYY-MM-DD HH:mm:ss`; without an offset it is local, unless the column's name ends in `_utc`
 * @param column the column's name
 * @param zone IANA zone of local times
 * @returns ms since 1970 UTC; NaN for an invalid time
 */
export function readTime(text: string, column: string, zone: string): number {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/.exec(
    text.trim(),
  );
  if (match === null) return Number.NaN;
  const [, day = '', clock = '', fraction = '', offset] = match;
  const seconds = clock.length === 5 ? `${clock}:00` : clock;
  const wallTime = `${day}T${seconds}.${`${fraction}000`.slice(0, 3)}`;
  // A date like 2026-02-30 would roll over to March.
  if (Number.isNaN(Date.parse(`${wallTime}Z`)) || addDays(day, 0) !== day) return Number.NaN;
  if (offset !== undefined) {
    const colon =
      offset === 'Z' || offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
    return Date.parse(wallTime + colon);
  }
  return column.toLowerCase().endsWith('_utc')
    ? Date.parse(`${wallTime}Z`)
    : momentOf(wallTime, zone);
}

/**
 * Moves a moment to another day, at the same time since midnight.
 * @param firstDay the local day that becomes `toDay`; other days keep their distance to it
 */
export function shiftTo(momentMs: number, zone: string, firstDay: string, toDay: string): number {
  const day = dayOf(momentMs, zone);
  const sinceMidnightMs = momentMs - dayRange(day, zone).startMs;
  const days = Math.round((Date.parse(toDay) - Date.parse(firstDay)) / 86_400_000);
  return dayRange(addDays(day, days), zone).startMs + sinceMidnightMs;
}
