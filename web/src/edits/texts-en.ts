import type { EditTexts } from './texts-ru.ts';

/** English texts of edits that are saved by themselves. */
export const en: EditTexts = {
  saving: 'Saving',
  saved: 'Saved',
  notSaved: 'Not saved',
};
