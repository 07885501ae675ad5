import type { NewsTexts } from './texts-ru.ts';

export const en: NewsTexts = {
  news: 'News',
  faq: 'Questions and answers',
  none: 'No news yet',
  noneText: 'When there are some, the bell and the menu have a mark.',
  noQuestions: 'No questions yet',
  noQuestionsText: 'Answers to frequent questions will be here.',
  newsFailed: 'the news',
  faqFailed: 'the questions',
  loading: 'Loading...',
  mediaFailed: 'Loading error',
  unread: 'unread',
  newer: 'Newer',
  older: 'Older',
  page: (from, to, total) => `${from}–${to} of ${total}`,
  download: (name) => `Download ${name}`,
};
