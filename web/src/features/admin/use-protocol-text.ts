import { currentLanguage } from '../../i18n/language.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import { en } from './protocol-texts-en.ts';
import { ru } from './protocol-texts-ru.ts';

const texts = { ru_RU: ru, en_US: en };

/** The texts of units that do not speak the unit interface, in the current language. */
export const useProtocolText = textsOf(texts);

/** The same for values that are no components: sections, whose texts are read when a row is rendered. */
export const protocolText = () => texts[currentLanguage()];
