import { useLanguage } from '../../i18n/language.ts';
import { en } from './texts-en.ts';
import { type GpsTexts, ru } from './texts-ru.ts';

/** The texts of the GPS tab in the current language. */
export function useGpsText(): GpsTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
