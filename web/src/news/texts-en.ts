import type { NewsTexts } from './texts-ru.ts';

export const en: NewsTexts = {
  news: 'News',
  faq: 'Questions and answers',
  none: 'No news yet',
  noneText: 'When there is some, the bell and the menu show a mark.',
  noQuestions: 'No questions yet',
  noQuestionsText: 'Answers to frequent questions will be here.',
  newsFailed: 'The news did not load. Check the connection and try again.',
  faqFailed: 'The questions did not load. Check the connection and try again.',
  loading: 'Loading...',
  failed: 'Loading error',
  unread: 'unread',
  newer: 'Newer',
  older: 'Older',
  page: (from, to, total) => `${from}–${to} of ${total}`,
  download: (name) => `Download ${name}`,
};
