// Hours of the clock. Where the offset of a zone changes within an hour (Lord Howe by half an hour, Chatham at a quarter to
// three) an hour of the clock has other lengths, and the later hours begin at other moments of the day.
import {
  changeBetween,
  type DayRange,
  dayOf,
  dayRange,
  formatMoment,
  offsetLabel,
  offsetOf,
} from './day.ts';

const HOUR_MS = 3_600_000;

/** Cache of hours by zone and range: finding them takes fifty conversions. */
const knownHours = new Map<string, readonly number[]>();
const MOST_KNOWN = 2000;

/**
 * The starts of the hours of the clock in a range of moments, ms since 1970 UTC, ascending: its first moment, each full
 * hour, and each change of the offset. An hour that a change repeats is there twice.
 */
export function hoursOf({ startMs, endMs }: Readonly<DayRange>, zone: string): readonly number[] {
  const key = `${zone} ${startMs} ${endMs}`;
  const known = knownHours.get(key);
  if (known !== undefined) return known;
  const starts: number[] = [];
  for (let ms = startMs; ms < endMs; ms = hourEndOf(ms, zone)) starts.push(ms);
  if (knownHours.size >= MOST_KNOWN) knownHours.clear();
  knownHours.set(key, starts);
  return starts;
}

/** The end of the hour of the clock in which a moment is, ms since 1970 UTC: the next full hour, or a change of the offset. */
export function hourEndOf(momentMs: number, zone: string): number {
  const offset = offsetOf(momentMs, zone);
  const past = (momentMs + offset) % HOUR_MS;
  const fullMs = momentMs + HOUR_MS - (past < 0 ? past + HOUR_MS : past);
  return offsetOf(fullMs - 1, zone) === offset ? fullMs : changeBetween(momentMs, fullMs, zone);
}

// Does the clock show the hour of a moment with another offset, too, on the same day?
function isRepeated(momentMs: number, zone: string): boolean {
  const day = dayRange(dayOf(momentMs, zone), zone);
  if (day.endMs - day.startMs <= 24 * HOUR_MS) return false;
  const hourOf = (ms: number): string => formatMoment(ms, zone, 'HH');
  return hoursOf(day, zone).some(
    (ms) => hourOf(ms) === hourOf(momentMs) && offsetOf(ms, zone) !== offsetOf(momentMs, zone),
  );
}

/** The start of an hour of the clock, for tables: `08:00`, with its offset where the day repeats it: `02:00 UTC+2`. */
export function hourStartName(startMs: number, zone: string): string {
  return `${formatMoment(startMs, zone, 'HH:mm')}${offsetIfRepeated(startMs, zone)}`;
}

/** ` UTC+2` in an hour of the clock that the day repeats, else nothing. @param momentMs ms since 1970 UTC */
export function offsetIfRepeated(momentMs: number, zone: string): string {
  return isRepeated(momentMs, zone) ? ` ${offsetLabel(momentMs, zone)}` : '';
}

/**
 * The hour of the clock that begins at a moment, for people: `08:00–09:00`, with its offset where the day repeats it:
 * `02:00–03:00 UTC+2`.
 */
export function hourName(startMs: number, zone: string): string {
  const from = formatMoment(startMs, zone, 'HH:mm');
  // As the clock shows the end before it is changed.
  const to = formatMoment(hourEndOf(startMs, zone) + offsetOf(startMs, zone), 'UTC', 'HH:mm');
  return `${from}–${to}${offsetIfRepeated(startMs, zone)}`;
}
