import { useLanguage } from '../../i18n/language.ts';
import { en } from './texts-en.ts';
import { type DayTexts, ru } from './texts-ru.ts';

/** The texts of a bus's day in the current language; they load with the screen, not before sign-in. */
export function useDayText(): DayTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
