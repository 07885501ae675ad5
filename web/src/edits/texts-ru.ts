/** Russian texts of edits that are saved automatically, and the type of the other languages. */
export const ru = {
  saving: 'Сохраняется',
  saved: 'Сохранено',
  notSaved: 'Не сохранено',
};
export type EditTexts = typeof ru;
