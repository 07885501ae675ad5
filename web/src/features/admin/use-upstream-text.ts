import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './upstream-texts-en.ts';
import { ru } from './upstream-texts-ru.ts';

/** The texts of systems to which records are passed on, in the current language. */
export const useUpstreamText = textsOf({ ru_RU: ru, en_US: en });
