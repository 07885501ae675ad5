/** Russian texts of the notification panel, and the type of the other languages. */
export const ru = {
  readAll: 'Прочитать всё',
  attention: 'Внимание',
  merges: 'Склейки видео',
  mergesKept: 'хранятся несколько дней',
  reports: 'Отчёты',
  news: 'Новости',
  unread: (count: number) => `непрочитанных: ${count}`,
  unreadMark: 'не прочитано',
  all: 'все',
  /** Rows that the panel has no room for. */
  more: (count: number) => `и ещё ${count}`,
  none: 'На сегодня новостей нет.',
};
export type NotificationTexts = typeof ru;
