import { useLanguage } from '../../i18n/language.ts';
import { en } from './texts-en.ts';
import { type RouteTexts, ru } from './texts-ru.ts';

/** The texts of a bus's route in the current language; they load with its part of the page. */
export function useRouteText(): RouteTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
