// Words that the server writes, into mails and files, and screens say as well.
import type { ReportLanguage } from './reports.ts';

/** A text in both languages: Russian, English. */
export type Words = readonly [ru: string, en: string];

/** Gives a text in a language. */
export function wordIn(language: ReportLanguage, [ru, en]: Words): string {
  return language === 'ru_RU' ? ru : en;
}
