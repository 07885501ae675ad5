import { useLanguage } from '../i18n/language.ts';
import { en } from './texts-en.ts';
import { type PageTexts, ru } from './texts-ru.ts';

/** The texts of a bus's page in the current language; they load with the screen, not before sign-in. */
export function usePageText(): PageTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
