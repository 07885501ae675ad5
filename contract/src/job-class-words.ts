import type { JobClass } from './news.ts';
import type { Words } from './words.ts';

/** The names of the classes of background work, as screens and mails say them. */
export const jobClassWords: Readonly<Record<JobClass, Words>> = {
  laps: ['круги', 'laps'],
  slow: ['круги долгих дней', 'laps of slow days'],
  past: ['круги прошлых дней', 'laps of past days'],
  video: ['видео', 'video'],
  merges: ['склейка видео', 'merging of video'],
  reports: ['отчёты', 'reports'],
  recalculation: ['пересчёт', 'recalculation'],
  sweeps: ['уборка', 'sweeps'],
  attention: ['оповещения', 'alerts'],
  schedule: ['ночные работы', 'nightly work'],
};
