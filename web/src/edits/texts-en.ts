import type { EditTexts } from './texts-ru.ts';

/** English texts of edits that are saved automatically. */
export const en: EditTexts = {
  saving: 'Saving',
  saved: 'Saved',
  notSaved: 'Not saved',
};
