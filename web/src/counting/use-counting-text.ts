import { useLanguage } from '../i18n/language.ts';
import { en } from './texts-en.ts';
import { type CountingTexts, ru } from './texts-ru.ts';

/** The texts of counting by hand in the current language. */
export function useCountingText(): CountingTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
