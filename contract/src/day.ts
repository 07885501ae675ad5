import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);

/** The zone of a bus without one, and of lists across buses. */
export const FALLBACK_ZONE = 'Europe/Moscow';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days of years with four digits lie within it, ms since 1970 UTC; nothing else is cached. */
const FAR_MS = Date.parse('9999-12-01T00:00:00Z');
/** The last moment of a Date, ms since 1970 UTC. */
const FURTHEST_MS = 8.64e15;
const CLOCK: Intl.DateTimeFormatOptions = {
  ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
  ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' },
};

export interface DayRange {
  /** First moment of the local day, ms since 1970 UTC. */
  startMs: number;
  /** First moment of the next local day, ms since 1970 UTC; a day has 23 to 25 hours, of a zone that skips it none. */
  endMs: number;
}

/** The calendar day `days` after `day`; pure calendar arithmetic, no zone. */
export function addDays(day: string, days: number): string {
  const moment = new Date(`${day}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

/** The number of days of a range, both ends included; 0 or less of a reversed one. */
export function countDays(dateFrom: string, dateTo: string): number {
  return Math.round((Date.parse(dateTo) - Date.parse(dateFrom)) / 86_400_000) + 1;
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

/** The offset of a zone at a moment, for people: `UTC+3`, `UTC+5:30`. */
export function offsetLabel(momentMs: number, zone: string): string {
  const minutes = Math.round(offsetOf(momentMs, zone) / 60_000);
  const sign = minutes < 0 ? '−' : '+';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${sign}${hours}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`;
}

/**
 * The moment at which clocks of a zone show a wall time.
 * @param wallTime `YYYY-MM-DDTHH:mm:ss`, with or without three fractional digits
 * @returns ms since 1970 UTC: the first of two when the time is repeated, the moment of or after the jump when it is
 *   skipped; NaN for an invalid time
 */
export function momentOf(wallTime: string, zone: string): number {
  const wallMs = Date.parse(`${wallTime}Z`);
  if (Number.isNaN(wallMs)) return wallMs;
  const [first, later] = momentsOf(wallMs, zone);
  return first ?? later ?? wallMs - offsetOf(wallMs - DAY_MS, zone);
}

// The moments at which clocks show a wall time: none, one, or two. A day has at most one change of the offset.
function momentsOf(wallMs: number, zone: string): number[] {
  const offsets = new Set([wallMs - DAY_MS, wallMs + DAY_MS].map((ms) => offsetOf(ms, zone)));
  return [...offsets]
    .map((offset) => wallMs - offset)
    .filter((ms) => ms + offsetOf(ms, zone) === wallMs)
    .sort((a, b) => a - b);
}

/** A moment shown in a zone, in dayjs's pattern language without offsets (`HH:mm:ss`, `DD.MM.YYYY`). */
export function formatMoment(momentMs: number, zone: string, pattern: string): string {
  return dayjs
    .utc(momentMs + (knownOffset(momentMs, zone) ?? offsetOf(momentMs, zone)))
    .format(pattern);
}

// A day of 24 hours has one offset: that of its midnight.
function knownOffset(momentMs: number, zone: string): number | undefined {
  const known = findKnownDay(momentMs, zone);
  if (known === undefined || known.endMs - known.startMs !== DAY_MS) return undefined;
  return Date.parse(`${known.day}T00:00:00Z`) - known.startMs;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * The offset of a zone from UTC at a moment, ms; clocks east of Greenwich are ahead.
 * @param momentMs ms since 1970 UTC; NaN for none
 * @throws RangeError for an unknown zone
 */
export function offsetOf(momentMs: number, zone: string): number {
  // A moment that no date has.
  if (!(Math.abs(momentMs) <= FURTHEST_MS)) return Number.NaN;
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...CLOCK, timeZone: zone });
  clocks.set(zone, clock);
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = clock
    .format(momentMs)
    .split(/\D+/)
    .map(Number);
  // Date.UTC takes years before 100 for those of the last century.
  const wall = new Date(0).setUTCFullYear(year, month - 1, day) + hour * HOUR_MS;
  return wall + minute * 60_000 + second * 1000 - Math.floor(momentMs / 1000) * 1000;
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
  return dayjs.utc(momentMs + offsetOf(momentMs, zone)).format('YYYY-MM-DD');
}

// If midnight is shown twice, the day begins with the first one, unless the day before goes on between them. Where it
// does not exist (Beirut and Cairo spring forward at 00:00) the day begins at the jump.
function firstMomentOf(day: string, zone: string): number {
  const wallMs = Date.parse(`${day}T00:00:00Z`);
  const midnights = momentsOf(wallMs, zone);
  const found = midnights.findLast((ms) => shownDay(ms - 1, zone) < day);
  return found ?? changeBetween(wallMs - DAY_MS, wallMs + DAY_MS, zone);
}

/**
 * The moment between two at which the offset of a zone changes, found by halving.
 * @param fromMs ms since 1970 UTC, of the former offset
 * @param toMs ms since 1970 UTC, of the new one
 */
export function changeBetween(fromMs: number, toMs: number, zone: string): number {
  const offset = offsetOf(fromMs, zone);
  let [before, after] = [fromMs, toMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetOf(middle, zone) === offset) before = middle;
    else after = middle;
  }
  return after;
}
