import { actionWords, sayAction } from '@ridewatch/contract/action-words';
import { currentLanguage } from '../../i18n/language.ts';
import type { Option } from './form-values.ts';

/** Names a command in the current language, or by its stored name if it has no words. */
export const actionName = (action: string): string => sayAction(action, currentLanguage());

/** The commands by name, in the order of the current language. */
export const actionOptions = (): readonly Option[] =>
  Object.keys(actionWords)
    .map((value) => ({ value, label: actionName(value) }))
    .sort((a, b) => a.label.localeCompare(b.label));
