import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './aside-texts-en.ts';
import { ru } from './aside-texts-ru.ts';

/** The texts of records without a time in the current language. */
export const useAsideText = textsOf({ ru_RU: ru, en_US: en });
