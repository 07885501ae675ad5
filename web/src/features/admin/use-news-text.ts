import { currentLanguage } from '../../i18n/language.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './news-texts-en.ts';
import { ru } from './news-texts-ru.ts';

/** The texts of news and banners in the current language. */
export const useNewsText = textsOf({ ru_RU: ru, en_US: en });

/** The same for columns and forms, which are made anew when the language changes. */
export const newsText = () => (currentLanguage() === 'en_US' ? en : ru);
