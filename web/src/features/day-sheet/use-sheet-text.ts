import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of a bus's report and its printed day in the current language. */
export const useSheetText = textsOf({ ru_RU: ru, en_US: en });
