import { textsOf } from '../../../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of the first steps in the current language. */
export const useFirstStepsText = textsOf({ ru_RU: ru, en_US: en });
