import type { Language } from '../../i18n/language.ts';
import { offsetText, timeText } from '../../i18n/moment-text.ts';

const LOCALES: Readonly<Record<Language, string>> = { ru_RU: 'ru-RU', en_US: 'en-GB' };

/** A day in words: `пятница, 20 ноября`, or `пт, 20 ноября`. @param day `YYYY-MM-DD` */
export function dayInWords(
  day: string,
  language: Language,
  weekday: 'long' | 'short' = 'long',
): string {
  return format(day, language, { weekday, day: 'numeric', month: 'long' });
}

/** A day in short: `пт 13.11`. @param day `YYYY-MM-DD` */
export function shortDay(day: string, language: Language): string {
  const [, month, date] = day.split('-');
  return `${format(day, language, { weekday: 'short' })} ${date}.${month}`;
}

function format(day: string, language: Language, form: Intl.DateTimeFormatOptions): string {
  const named = new Intl.DateTimeFormat(LOCALES[language], { ...form, timeZone: 'UTC' });
  return named.format(Date.parse(`${day}T00:00:00Z`));
}

/**
 * The time of day of a moment with its zone: `14:32 UTC+10`.
 * @param moment ISO 8601
 * @param moscow what Moscow's zone is called
 */
export function zonedTime(moment: string, zone: string, moscow: string): string {
  const momentMs = Date.parse(moment);
  const name = zone === 'Europe/Moscow' ? moscow : offsetText(momentMs, zone);
  return `${timeText(momentMs, zone)} ${name}`;
}

/** The hour of a moment in a zone, 0 to 23. @param moment ISO 8601 */
export const hourIn = (moment: string, zone: string): number =>
  Number(timeText(Date.parse(moment), zone).slice(0, 2));
