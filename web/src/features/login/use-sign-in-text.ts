import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

/** The texts of the second factor and of links for a new password, which sign-in does not load. */
export const useSignInText = textsOf({ ru_RU: ru, en_US: en });
