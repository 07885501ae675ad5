import type { Language } from '../../i18n/language.ts';

const LOCALES: Readonly<Record<Language, string>> = { ru_RU: 'ru-RU', en_US: 'en-GB' };

/** A day in words: `пятница, 20 ноября`. @param day `YYYY-MM-DD` */
export function dayInWords(day: string, language: Language): string {
  return format(day, language, { weekday: 'long', day: 'numeric', month: 'long' });
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

// Lists across buses show moments in Moscow; the library of zones would load for this alone.
const moscow = (form: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('ru-RU', { ...form, timeZone: 'Europe/Moscow' });
const [minute, full, day] = [
  moscow({ hour: '2-digit', minute: '2-digit' }),
  moscow({ day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' }),
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Moscow' }),
];

/** A moment in Moscow: `14:32`. @param moment ISO 8601 */
export const moscowTime = (moment: string): string => minute.format(Date.parse(moment));

/** The hour of a moment in Moscow, 0 to 23. @param moment ISO 8601 */
export const moscowHour = (moment: string): number => Number(moscowTime(moment).slice(0, 2));

/** A moment in Moscow with its day: `13.11 18:04`. @param moment ISO 8601 */
export const moscowMoment = (moment: string): string =>
  full.format(Date.parse(moment)).replace(',', '');

/** The day in Moscow, `YYYY-MM-DD`. @param momentMs ms since 1970 UTC */
export const moscowDay = (momentMs: number): string => day.format(momentMs);
