import { useLanguage } from '../../i18n/language.ts';
import { en } from './texts-en.ts';
import { ru, type ServiceTexts } from './texts-ru.ts';

/** The texts of the cabin in the current language; they load with the screen. */
export function useServiceText(): ServiceTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
