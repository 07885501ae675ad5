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
