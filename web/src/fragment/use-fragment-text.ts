import { useLanguage } from '../i18n/language.ts';
import { en } from './texts-en.ts';
import { type FragmentTexts, ru } from './texts-ru.ts';

/** The texts of a fragment and its video in the current language; they load with the screen, not before sign-in. */
export function useFragmentText(): FragmentTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
