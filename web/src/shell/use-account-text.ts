import { textsOf } from '../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of a user's account in the current language; they load with the menu of the user, not before sign-in. */
export const useAccountText = textsOf({ ru_RU: ru, en_US: en });
