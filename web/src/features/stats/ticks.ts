// How ticks are called, and how the scale beside them is divided.
import { type DaySpan, type StatTick, spanOf, weekdayOf } from '@ridewatch/contract/stat-ticks';
import { formatDay } from '../../i18n/format.ts';
import type { StatsTexts } from './texts-ru.ts';

const SATURDAY = 6;

/** A label of the axis, in one line or two. */
interface TickLabel {
  readonly main: string;
  readonly below?: string;
  readonly isWeekend: boolean;
}

const isLoneDay = ({ dateFrom, dateTo }: DaySpan, tick: StatTick): boolean =>
  tick !== 'day' && dateFrom === dateTo;

/** The label of a tick below the axis: `20` and the weekday, `Nov` and the year, or the year. */
export function tickLabel(span: DaySpan, tick: StatTick, text: StatsTexts): TickLabel {
  const { dateFrom } = span;
  const year = dateFrom.slice(0, 4);
  if (isLoneDay(span, tick)) {
    return { main: formatDay(dateFrom).slice(0, 5), below: year, isWeekend: false };
  }
  if (tick === 'year') return { main: year, isWeekend: false };
  if (tick === 'month') {
    return { main: inWords(dateFrom, text, { month: 'short' }), below: year, isWeekend: false };
  }
  const weekday = weekdayOf(dateFrom);
  const isFirst = dateFrom.endsWith('-01');
  return {
    main: isFirst ? formatDay(dateFrom).slice(0, 5) : String(Number(dateFrom.slice(8))),
    below: text.weekday[weekday - 1] ?? '',
    isWeekend: weekday >= SATURDAY,
  };
}

/** The name of a tick in a tooltip: `Wed, 18.11.2026`, `November 2026`, `2026`; days if it is only a part of these. */
export function tickTitle(span: DaySpan, tick: StatTick, text: StatsTexts): string {
  const { dateFrom, dateTo } = span;
  if (tick === 'day') return `${text.weekday[weekdayOf(dateFrom) - 1]}, ${formatDay(dateFrom)}`;
  const whole = spanOf(tick, dateFrom);
  if (whole.dateFrom !== dateFrom || whole.dateTo !== dateTo) return daysText(span);
  if (tick === 'year') return dateFrom.slice(0, 4);
  return inWords(dateFrom, text, { month: 'long', year: 'numeric' });
}

/** The name of a tick in the head of a table: `20.11`, `11.2026`, `2026`; `20.11.2026` for one day of a month or year. */
export function tickName(span: DaySpan, tick: StatTick): string {
  const day = formatDay(span.dateFrom);
  if (isLoneDay(span, tick)) return day;
  return { day: day.slice(0, 5), month: day.slice(3), year: day.slice(6) }[tick];
}

/** As `tickName`, for narrow columns: of days only the first and those that begin a month name it. */
export function shortTickName(span: DaySpan, tick: StatTick, at: number): string {
  const name = tickName(span, tick);
  const isShort = tick === 'day' && at > 0 && !span.dateFrom.endsWith('-01');
  return isShort ? name.slice(0, 2) : name;
}

/** Days as text: `01.11.2026 – 20.11.2026`. */
export function daysText({ dateFrom, dateTo }: DaySpan): string {
  if (dateFrom === dateTo) return formatDay(dateFrom);
  return `${formatDay(dateFrom)} – ${formatDay(dateTo)}`;
}

/** A day in words, with the parts that are named; `LLLL` names of months begin with a capital. */
export function inWords(
  day: string,
  { locale }: StatsTexts,
  parts: Intl.DateTimeFormatOptions,
): string {
  const words = new Date(`${day}T00:00:00Z`)
    .toLocaleDateString(locale, { ...parts, timeZone: 'UTC' })
    .replace(/\s+г\.$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Neighbouring ticks with silent hours. */
interface SilentRun {
  readonly first: number;
  readonly last: number;
  readonly hours: number;
}

/** Neighbouring ticks in which units were silent. */
export function silentRuns(silence: readonly number[]): SilentRun[] {
  const runs: SilentRun[] = [];
  for (const [at, hours] of silence.entries()) {
    if (hours === 0) continue;
    const run = runs.at(-1);
    if (run?.last === at - 1) {
      runs[runs.length - 1] = { ...run, last: at, hours: run.hours + hours };
    } else runs.push({ first: at, last: at, hours });
  }
  return runs;
}
