import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of reports in the current language. */
export const useReportText = textsOf({ ru_RU: ru, en_US: en });
