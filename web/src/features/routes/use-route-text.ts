import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of a bus's route in the current language; they load with the tab. */
export const useRouteText = textsOf({ ru_RU: ru, en_US: en });
