import type { ReviewTexts } from './texts-ru.ts';

/** English texts of the review queue. */
export const en: ReviewTexts = {
  figures: 'the number of reviews',
  title: 'To review',
  ofAll: 'Fragments of all customers',
  doneToday: (done, of) => `You reviewed ${done} of ${of} today`,
  newer: (count) => `${count} more at the head of the queue`,
  toNewest: 'To the head of the queue',
  reviewers: 'Who reviewed today',
  queue: 'Queue: Moscow time',
  inView: (people) => `up to ${people} people in view`,
  reviewedBy: (who) => `Reviewed by ${who}`,
  openDay: "Open the bus's day",
  emptyTitle: 'Everything is reviewed',
  emptyText:
    'There are no fragments whose counts need a look right now. New ones appear here by themselves.',
  endTitle: 'The end of the queue',
  endText: (left) =>
    left === 0
      ? 'Nothing else waits for review.'
      : `${left} ${left === 1 ? 'fragment is' : 'fragments are'} left: skipped, or new since you began.`,
  failedTitle: 'The queue could not be loaded',
  failedText: 'Check the connection and try again. What was typed is not lost.',
  noRightTitle: 'Not everybody may review counts',
  noRightText: 'Your account has no right to change counts. An administrator grants it.',
  fragmentFailed: 'The fragment could not be loaded.',
};
