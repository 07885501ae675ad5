import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);
dayjs.extend(timezone);

/** The zone of a bus without one, and of lists across buses. */
export const FALLBACK_ZONE = 'Europe/Moscow';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days of years with four digits lie within it, ms since 1970 UTC; nothing else is cached. */
const FAR_MS = Date.parse('9999-12-01T00:00:00Z');

export interface DayRange {
  /** First moment of the local day, ms since 1970 UTC. */
  startMs: number;
  /** First moment of the next local day, ms since 1970 UTC; a day has 23 to 25 hours. */
  endMs: number;
}

/** The calendar day `days` after `day`; pure calendar arithmetic, no zone. */
export function addDays(day: string, days: number): string {
  const moment = new Date(`${day}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

interface KnownDay extends Readonly<DayRange> {
  readonly day: string;
}

/** Cache of days by zone and day: computing one takes half a dozen zone conversions. */
const knownDays = new Map<string, KnownDay>();
const MOST_KNOWN = 5000;
/** The last day found in each zone. */
const lastDays = new Map<string, KnownDay>();

/** The local calendar day (`YYYY-MM-DD`) of a moment in a zone. */
export function dayOf(momentMs: number, zone: string): string {
  const last = lastDays.get(zone);
  if (last !== undefined && last.startMs <= momentMs && momentMs < last.endMs) return last.day;
  const known = findKnownDay(momentMs, zone);
  const day = known?.day ?? shownDay(momentMs, zone);
  if (Number.isFinite(momentMs)) lastDays.set(zone, known ?? knownDay(day, zone));
  return day;
}

// Moments in no order, of known days: a conversion for each would take half a millisecond.
function findKnownDay(momentMs: number, zone: string): KnownDay | undefined {
  if (!(Math.abs(momentMs) < FAR_MS)) return undefined;
  // A local day begins at most 14 h before the day of that name in UTC, and at most 12 h after.
  for (const shiftMs of [0, DAY_MS, -DAY_MS]) {
    const name = new Date(momentMs + shiftMs).toISOString().slice(0, 10);
    const known = knownDays.get(`${zone} ${name}`);
    if (known !== undefined && known.startMs <= momentMs && momentMs < known.endMs) return known;
  }
  return undefined;
}

/**
 * The half-open range of moments that make up a local day.
 * @param day `YYYY-MM-DD`
 * @param zone IANA name
 */
export function dayRange(day: string, zone: string): DayRange {
  const { startMs, endMs } = knownDay(day, zone);
  return { startMs, endMs };
}

/** The starts of the hours of a day, ms since 1970 UTC: 23 to 25, unless the bus changes its zone. */
export function hoursOf({ startMs, endMs }: DayRange): number[] {
  const count = Math.ceil((endMs - startMs) / HOUR_MS);
  return Array.from({ length: count }, (_, index) => startMs + index * HOUR_MS);
}

/** The offset of a zone at a moment, for people: `UTC+3`, `UTC+5:30`. */
export function offsetLabel(momentMs: number, zone: string): string {
  const minutes = dayjs(momentMs).tz(zone).utcOffset();
  const sign = minutes < 0 ? '−' : '+';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${sign}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`;
}

/**
 * The moment at which clocks of a zone show a wall time.
 * @param wallTime `YYYY-MM-DDTHH:mm:ss`, with or without three fractional digits
 * @returns ms since 1970 UTC: the first of two when the hour is repeated, the moment of or after the jump when it is
 *   skipped; NaN for an invalid time
 */
export function momentOf(wallTime: string, zone: string): number {
  const guess = dayjs.tz(wallTime, zone).valueOf();
  if (Number.isNaN(guess)) return guess;
  const shows = (ms: number): string => dayjs(ms).tz(zone).format('YYYY-MM-DDTHH:mm:ss');
  return shows(guess - HOUR_MS) === shows(guess) ? guess - HOUR_MS : guess;
}

/** A moment shown in a zone, in dayjs's pattern language (`HH:mm:ss`, `DD.MM.YYYY`). */
export function formatMoment(momentMs: number, zone: string, pattern: string): string {
  const minutes = knownOffset(momentMs, zone);
  const moment = dayjs(momentMs);
  return (minutes === undefined ? moment.tz(zone) : moment.utcOffset(minutes)).format(pattern);
}

// The library's conversion is slow, and a day of 24 hours has one offset: that of its midnight. A day that nobody asked
// for is not looked up, which would take several conversions.
function knownOffset(momentMs: number, zone: string): number | undefined {
  const known = findKnownDay(momentMs, zone);
  if (known === undefined || known.endMs - known.startMs !== DAY_MS) return undefined;
  const minutes = (Date.parse(`${known.day}T00:00:00Z`) - known.startMs) / 60_000;
  // The library takes numbers up to 16 for hours.
  return minutes === 0 || Math.abs(minutes) > 16 ? minutes : undefined;
}

function knownDay(day: string, zone: string): KnownDay {
  const key = `${zone} ${day}`;
  const known = knownDays.get(key);
  if (known !== undefined) return known;
  const startMs = firstMomentOf(day, zone);
  const endMs = firstMomentOf(addDays(day, 1), zone);
  if (knownDays.size >= MOST_KNOWN) knownDays.clear();
  const made = { day, startMs, endMs };
  knownDays.set(key, made);
  return made;
}

function shownDay(momentMs: number, zone: string): string {
  return dayjs(momentMs).tz(zone).format('YYYY-MM-DD');
}

// Where midnight does not exist (Beirut and Cairo spring forward at 00:00) the day begins at the first moment with its
// date; dayjs alone answers 23:00 of the day before.
function firstMomentOf(day: string, zone: string): number {
  const guess = dayjs.tz(`${day}T00:00:00`, zone).valueOf();
  if (shownDay(guess, zone) === day) {
    return shownDay(guess - 1, zone) === day ? guess - HOUR_MS : guess;
  }
  return guess + HOUR_MS;
}
