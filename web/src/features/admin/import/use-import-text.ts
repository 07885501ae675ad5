import { textsOf } from '../../../i18n/texts-of.ts';
import { en } from './import-texts-en.ts';
import { ru } from './import-texts-ru.ts';

/** The texts of loading a table in the current language. */
export const useImportText = textsOf({ ru_RU: ru, en_US: en });
