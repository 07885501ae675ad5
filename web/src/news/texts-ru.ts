/** Russian texts of news and questions, and the type of the other languages. */
export const ru = {
  news: 'Новости',
  faq: 'Вопросы и ответы',
  none: 'Новостей пока нет',
  noneText: 'Когда они появятся, рядом с колокольчиком и в меню загорится отметка.',
  noQuestions: 'Вопросов пока нет',
  noQuestionsText: 'Ответы на частые вопросы появятся здесь.',
  newsFailed: 'Новости не загрузились. Проверьте связь и повторите.',
  faqFailed: 'Вопросы не загрузились. Проверьте связь и повторите.',
  loading: 'Загрузка…',
  failed: 'Ошибка загрузки',
  unread: 'не прочитано',
  newer: 'Новее',
  older: 'Старее',
  page: (from: number, to: number, total: number) => `${from}–${to} из ${total}`,
  download: (name: string) => `Скачать ${name}`,
};
export type NewsTexts = typeof ru;
