import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './several-texts-en.ts';
import { ru } from './several-texts-ru.ts';

/** The texts of changes of several rows. */
export const useSeveralText = textsOf({ ru_RU: ru, en_US: en });
