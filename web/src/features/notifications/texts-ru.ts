import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of the notification panel, and the type of the other languages. */
export const ru = {
  readAll: 'Прочитать всё',
  attention: 'Внимание',
  merges: 'Склейки видео',
  mergesKept: (days: number) => `хранятся ${days} ${ruForm(days, 'день', 'дня', 'дней')}`,
  reports: 'Отчёты',
  news: 'Новости',
  unread: (count: number) => `непрочитанных: ${count}`,
  unreadMark: 'не прочитано',
  all: 'все',
  /** Spoken names of the links named `all`. */
  allCauses: 'все, что требует внимания',
  allReports: 'все отчёты',
  allNews: 'все новости',
  /** Rows that the panel has no room for. */
  more: (count: number) => `и ещё ${count}`,
  none: 'На сегодня новостей нет.',
};
export type NotificationTexts = typeof ru;
