import { useLanguage } from '../i18n/language.ts';
import { en } from './texts-en.ts';
import { type MergeTexts, ru } from './texts-ru.ts';

/** The texts of merged files in the current language; they load with the dialog or the panel. */
export function useMergeText(): MergeTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
