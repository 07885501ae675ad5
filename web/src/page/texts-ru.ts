/** Russian texts of a page that is not loaded, and the type of the other languages. */
export const ru = {
  failedTitle: 'Не удалось загрузить день',
  serverFailed: 'На сервере ошибка. Повторите немного позже.',
  failedText: 'Сервер не ответил. Проверьте связь и повторите.',
};
export type WaitingTexts = typeof ru;
