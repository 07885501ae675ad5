// Values of a calculation as people type them and as the API has them. Money stays integer kopecks or text.
import type { saveCalculation } from '@ridewatch/contract/calculation';
import { dayRange, momentOf } from '@ridewatch/contract/day';
import type { Calculation, CalculationEvent } from '@ridewatch/contract/day-calculation';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import {
  MAX_AMOUNT_KOPECKS,
  MAX_FARE_KOPECKS,
  MAX_HUNDREDTHS,
  readAmount,
  roublesOf,
} from '@ridewatch/contract/money';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import type { FormTexts } from '../../forms/texts-ru.ts';
import { readTypedTime } from '../../forms/typed-time.ts';
import { amountText, percentText } from './money-text.ts';
import { boundText } from './shift-text.ts';
import type { CalculatorTexts } from './texts-ru.ts';

/** The fields of the calculator; the shift has two inputs. */
export const fields = [
  'fare',
  'salary_percent',
  'cashless',
  'shift',
  'calculation_event',
  'driver',
  'handed_in',
] as const;
export type Field = (typeof fields)[number];

/** Values by their names in the API. */
export type SentValues = Partial<
  Omit<BodyOf<typeof saveCalculation>, 'workplaceId' | 'date' | 'seen' | 'unanswered'>
>;

/** The content of a field. */
export interface Typed {
  readonly text: string;
  /** The second input of the shift. */
  readonly end?: string;
  /** The values to send; empty if the text is wrong. */
  readonly sent: SentValues;
  /** The problem of the text. */
  readonly problem?: string | undefined;
}

/** The messages about wrong texts. */
export type Problems = FormTexts['problems'] & Pick<CalculatorTexts, 'decimals' | 'shiftOrder'>;

/** Whether two values are equal, so that nothing needs saving. A wrong text equals no other one. */
export function isSameTyped(a: Typed, b: Typed): boolean {
  if (a.problem !== undefined || b.problem !== undefined) return a === b;
  return JSON.stringify(a.sent) === JSON.stringify(b.sent);
}

/**
 * Gives what a field shows of a stored calculation.
 * @param zone of the bus
 */
export function typedOf(field: Field, stored: Calculation, zone: string): Typed {
  switch (field) {
    case 'fare':
      return { text: amountText(stored.fare), sent: { fare: stored.fare } };
    case 'salary_percent':
      return {
        text: percentText(stored.salary_percent),
        sent: { salary_percent: stored.salary_percent },
      };
    case 'cashless':
      return { text: amountText(stored.cashless), sent: { cashless: stored.cashless } };
    case 'calculation_event':
      return eventTyped(stored.calculation_event);
    case 'driver':
      return { text: stored.driver ?? '', sent: { driver: stored.driver } };
    case 'handed_in':
      return {
        text: stored.handed_in === null ? '' : amountText(stored.handed_in),
        sent: { handed_in: stored.handed_in },
      };
    case 'shift':
      return {
        text: boundText(stored.shift_start, stored.date, zone),
        end: boundText(stored.shift_end, stored.date, zone),
        sent: { shift_start: stored.shift_start, shift_end: stored.shift_end },
      };
  }
}

/** The chosen event. */
export function eventTyped(event: CalculationEvent): Typed {
  return { text: event, sent: { calculation_event: event } };
}

type LineField = Exclude<Field, 'shift' | 'calculation_event'>;

/** Reads the text of a field; the limits are those of the specification, sections 5 and 8. */
export function readTyped(field: LineField, text: string, problems: Problems): Typed {
  const typed = text.trim();
  if (typed.length > MAX_TEXT_LENGTH) {
    return { text, sent: {}, problem: problems.tooLong(MAX_TEXT_LENGTH) };
  }
  if (field === 'driver') return { text, sent: { driver: typed === '' ? null : typed } };
  const limits = amountLimits[field];
  const kopecks = readAmount(typed.replace('%', ''));
  if (kopecks === null) {
    if (field === 'cashless') return { text, sent: { cashless: '0.00' } };
    if (field === 'handed_in') return { text, sent: { handed_in: null } };
    return { text, sent: {}, problem: problems.required };
  }
  const problem = problemOf(typed, kopecks, limits, problems);
  if (problem !== undefined || kopecks === undefined) return { text, sent: {}, problem };
  return { text, sent: { [field]: roublesOf(kopecks) } };
}

const amountLimits = {
  fare: { least: 0, most: MAX_FARE_KOPECKS },
  salary_percent: { least: 0, most: MAX_HUNDREDTHS },
  cashless: { least: 1 - MAX_AMOUNT_KOPECKS, most: MAX_AMOUNT_KOPECKS - 1 },
  handed_in: { least: 0, most: MAX_AMOUNT_KOPECKS - 1 },
} as const;

function problemOf(
  typed: string,
  kopecks: number | undefined,
  { least, most }: { least: number; most: number },
  problems: Problems,
): string | undefined {
  if (kopecks === undefined) {
    return /^[-−\s\d\u00a0]*[.,]\d{3,}\D*$/.test(typed) ? problems.decimals : problems.number;
  }
  if (kopecks >= least && kopecks <= most) return undefined;
  // The limits are whole roubles, or a kopeck less; a float is exact enough for the message.
  return kopecks < least
    ? problems.atLeast(Math.ceil(least / 100))
    : problems.atMost(Math.floor(most / 100));
}

const MINUTE_MS = 60_000;

/**
 * Reads both times of the shift. An empty one is the start or the end of the day, as are 00:00 and 24:00.
 * @param stored its times are kept where the text is the same, because an hour may occur twice. Those with seconds, which
 *   earlier versions stored, become whole minutes
 */
export function readShift(
  texts: { readonly start: string; readonly end: string },
  stored: Typed,
  { date, zone }: { readonly date: string; readonly zone: string },
  problems: Problems,
): Typed {
  const { startMs, endMs } = dayRange(date, zone);
  const read = (text: string, old: string | undefined, oldMoment: string | null | undefined) => {
    const isWhole = !oldMoment || Date.parse(oldMoment) % MINUTE_MS === 0;
    if (text === old && isWhole) return oldMoment ?? null;
    const typed = text.trim();
    if (typed === '' || isDaysEnd(typed)) return null;
    const time = readTypedTime(typed);
    if (time === undefined) return undefined;
    return time === '00:00:00' ? null : new Date(momentOf(`${date}T${time}`, zone)).toISOString();
  };
  const shift_start = read(texts.start, stored.text, stored.sent.shift_start);
  const shift_end = read(texts.end, stored.end, stored.sent.shift_end);
  const both = { text: texts.start, end: texts.end };
  if (shift_start === undefined || shift_end === undefined) {
    return { ...both, sent: {}, problem: problems.time };
  }
  if (isDaysEnd(texts.start.trim())) return { ...both, sent: {}, problem: problems.shiftOrder };
  const [fromMs, toMs] = [
    shift_start === null ? startMs : Date.parse(shift_start),
    shift_end === null ? endMs : Date.parse(shift_end),
  ];
  if (toMs <= fromMs) return { ...both, sent: {}, problem: problems.shiftOrder };
  return { ...both, sent: { shift_start, shift_end } };
}

const isDaysEnd = (typed: string): boolean => /^24[:. ]?00$/.test(typed);
