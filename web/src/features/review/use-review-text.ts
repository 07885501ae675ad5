import { useLanguage } from '../../i18n/language.ts';
import { en } from './texts-en.ts';
import { type ReviewTexts, ru } from './texts-ru.ts';

/** The texts of the queue in the current language. */
export function useReviewText(): ReviewTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
