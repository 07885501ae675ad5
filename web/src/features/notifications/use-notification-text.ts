import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of the notification panel in the current language; they load with it. */
export const useNotificationText = textsOf({ ru_RU: ru, en_US: en });
