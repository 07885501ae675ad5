import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './disk-texts-en.ts';
import { ru } from './disk-texts-ru.ts';

/** The texts of disks in the current language. */
export const useDiskText = textsOf({ ru_RU: ru, en_US: en });
