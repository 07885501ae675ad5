import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of a bus's day in the current language; they load with the screen, not before sign-in. */
export const useDayText = textsOf({ ru_RU: ru, en_US: en });
