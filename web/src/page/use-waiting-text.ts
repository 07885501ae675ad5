import { textsOf } from '../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of a page that is not loaded, in the current language. */
export const useWaitingText = textsOf({ ru_RU: ru, en_US: en });
