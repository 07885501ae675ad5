import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of the cabin in the current language; they load with the screen. */
export const useServiceText = textsOf({ ru_RU: ru, en_US: en });
