import type { ImportKind } from '@ridewatch/contract/admin-import';
import { textsOf } from '../../../i18n/texts-of.ts';
import { en } from './import-texts-en.ts';
import { type ImportTexts, ru } from './import-texts-ru.ts';

/** The texts of loading a table in the current language. */
export const useImportText = textsOf({ ru_RU: ru, en_US: en });

/** Names a column of a table: the name of an object is the object itself. */
export function columnName(kind: ImportKind, column: string, text: ImportTexts): string {
  return (column === 'name' ? text.names[kind] : text.columns[column]) ?? column;
}
