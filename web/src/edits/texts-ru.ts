/** Russian texts of edits that are saved by themselves; the shape that the other language must have. */
export const ru = {
  saving: 'Сохраняется',
  saved: 'Сохранено',
  notSaved: 'Не сохранено',
};
export type EditTexts = typeof ru;
