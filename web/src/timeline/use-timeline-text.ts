import { useLanguage } from '../i18n/language.ts';
import { en } from './texts-en.ts';
import { ru, type TimelineTexts } from './texts-ru.ts';

/** The texts of a timeline in the current language. */
export function useTimelineText(): TimelineTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
