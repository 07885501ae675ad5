import type { ru } from './news-texts-ru.ts';

const showing = { shown: 'shown', later: 'not shown yet', hidden: 'not shown' };

/** English texts of news and banners in the administration. */
export const en: typeof ru = {
  types: { NEWS: 'news', FAQ: 'question' },
  type: 'Kind',
  title: 'Title',
  text: 'Text',
  textHint: 'Addresses https://… become links.',
  active: 'Shown',
  from: 'Shown from',
  to: 'Until',
  days: 'Days',
  always: 'no limit',
  noDay: 'No date',
  state: 'Shown',
  showing: { NEWS: showing, FAQ: showing, message: showing },
  over: 'over',
  states: { true: 'on', false: 'off' },
  readers: 'Read by',
  noReaders: 'Nobody has read it yet.',
  laterReaders: 'Later',
  earlierReaders: 'Earlier',
  preview: 'As readers see it',
  file: 'Image or file',
  fileHint: 'JPEG, PNG, GIF and WebP are shown, others are downloaded. Up to 10 MB.',
  fileProblem: 'The file is larger than 10 MB, or empty',
  remove: 'Remove the file',
  delete: 'Delete',
  deleteNews: 'The news and its file disappear for everybody, and cannot be brought back.',
  deleteMessage: 'The banner and its file disappear for everybody, and cannot be brought back.',
  size: (size) => `${size} kB`,
};
