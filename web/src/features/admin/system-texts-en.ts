import { enForm } from '../../i18n/plural.ts';
import type { SystemTexts } from './system-texts-ru.ts';

/** English texts of jobs, days that could not be worked out, and storage. */
export const system: SystemTexts = {
  test: {
    title: 'Test mode',
    off: 'What the unit sends is counted.',
    on: (when) =>
      `In test since ${when}. Data are stored, and no count, lap, money or statistic has them.`,
    begin: 'Begin the test',
    release: 'Count it and end the test',
    releaseText:
      'All that the unit sent in the test is counted for its bus. Days are worked out anew.',
  },
  feed: {
    title: 'What the unit sends',
    listen: 'Listen for 15 minutes',
    until: (when) => `Kept until ${when}`,
    none: 'Nothing is kept yet. Begin to listen, and the last batches appear here.',
    waits: 'No batch yet.',
    bytes: (count) => `${count} bytes`,
    unread: 'The server could not read the batch, or it is too large.',
    answer: "The server's answer",
  },
  jobs: {
    none: 'Nothing waits or runs now.',
    task: 'Job',
    class: 'Class of work',
    attempts: 'Attempts',
    runAt: 'When',
    error: 'Error',
    retry: 'Run now',
    states: { failed: 'failed', retrying: 'tried again', waiting: 'waiting', running: 'running' },
    classes: {
      laps: 'laps',
      slow: 'laps of slow days',
      past: 'laps of past days',
      video: 'video',
      merges: 'merging of video',
      reports: 'reports',
      recalculation: 'recalculation',
      sweeps: 'sweeps',
      schedule: 'nightly work',
    },
    figures: (waiting, running, minutes) =>
      `${waiting} waiting, ${running} running${minutes > 0 ? `, the oldest ${minutes} min` : ''}`,
    failed: (count) => `${count} failed`,
  },
  days: {
    none: 'Every day is worked out.',
    date: 'Day',
    reason: 'Reason',
    reasons: { too_long: 'it took too long', too_large: 'too many data for a day' },
    failures: 'Attempts',
    lastTry: 'Last attempt',
    nextTry: 'Next attempt',
    withData: 'with new data of the unit',
    waits: 'waiting',
    stopped: 'not worked out',
    retry: 'Try again',
    open: 'Open the day',
  },
  storage: {
    video: 'Video',
    week: 'In a week',
    fragments: 'Fragments',
    oldest: 'Oldest',
    gib: (size) => `${size} GB`,
    mib: (size) => `${size} MB`,
    disk: (percent) => `The disk is ${percent} % full`,
    free: (free, total) => `${free} of ${total} are free`,
    daysLeft: (count) =>
      count === null ? 'No limit in sight' : `${count} ${enForm(count, 'day', 'days')} left`,
    until: (percent) => `until ${percent} %, when old video is deleted`,
    s3: 'video is in an object store',
    allVideo: 'all video',
  },
};
