import { useLanguage } from '../../i18n/language.ts';
import { en } from './texts-en.ts';
import { type ListTexts, ru } from './texts-ru.ts';

/** The texts of the bus list in the current language. */
export function useListText(): ListTexts {
  return useLanguage() === 'en_US' ? en : ru;
}
