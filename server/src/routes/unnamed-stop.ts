import type { Language } from '../core/http/language.ts';

/** The name of a nameless stop. */
export function unnamedStop(number: number, language: Language): string {
  return `${language === 'ru' ? 'Остановка' : 'Stop'} ${number}`;
}
