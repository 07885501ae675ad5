import type { EditTexts } from './texts-ru.ts';

/** English texts of edits that are saved automatically. */
export const en: EditTexts = {
  saving: 'Saving',
  saved: 'Saved',
  notSaved: 'Not saved',
  conflict: (theirs, own) => `Another user has set “${theirs}”; your “${own}” is not saved.`,
  writeOwn: 'Write mine',
  leaveTheirs: 'Leave theirs',
};
