/** Russian texts of edits that are saved automatically, and the type of the other languages. */
export const ru = {
  saving: 'Сохраняется',
  saved: 'Сохранено',
  notSaved: 'Не сохранено',
  conflict: (theirs: string, own: string) =>
    `Другой пользователь уже записал «${theirs}»; ваше «${own}» не записано.`,
  writeOwn: 'Записать моё',
  leaveTheirs: 'Оставить чужое',
};
export type EditTexts = typeof ru;
