import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of merged videos in the current language; they load with the dialog or the panel. */
export const useMergeText = textsOf({ ru_RU: ru, en_US: en });
