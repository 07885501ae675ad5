import { formatNumber } from '../../i18n/format.ts';
import { enForm } from '../../i18n/plural.ts';
import type { HomeTexts } from './texts-ru.ts';

/** English texts of the home page. */
export const en: HomeTexts = {
  title: 'Home',
  today: (day) => `Today, ${day}`,
  compared: (time, day) => `at ${time}, against ${day} at this hour`,
  comparedShort: (time, day) => `${time} · ${day} at this hour`,
  moscow: 'Moscow time',
  zones: 'Each bus counts by its own local time.',
  figures: 'Figures of the day',
  entered: 'Entered',
  exited: 'Exited',
  revenue: 'Revenue',
  inside: 'Inside now',
  was: (value) => `was ${value}`,
  places: (percent) => `${formatNumber(percent)}\u00a0% of places`,
  buses: 'Buses',
  states: {
    moving: () => 'moving',
    standing: () => 'standing',
    silent: () => 'silent',
    off: () => 'off',
  },
  review: 'Waiting for review',
  reviewed: (count) => `${formatNumber(count)} reviewed today`,
  doReview: 'Review',
  oldest: (moment) => `the oldest: ${moment}`,
  attention: 'Needs attention',
  groups: { faulty: 'Faulty', money: 'Money and counts', line: 'On the line' },
  toList: 'to the list',
  toSettings: 'Set up alerts',
  showAll: 'all',
  more: (count) => `and ${formatNumber(count)} more`,
  calm: 'All is well: nothing needs attention.',
  fragments: (count) => `${formatNumber(count)} ${enForm(count, 'fragment', 'fragments')}`,
  wait: 'waiting for review',
  customer: 'Whose day',
  allCustomers: 'All customers',
  busCount: (count) => `${formatNumber(count)} ${enForm(count, 'bus', 'buses')}`,
  part: (complete, all) =>
    `${formatNumber(complete)} of ${formatNumber(all)} ${enForm(all, 'bus', 'buses')}`,
  incomplete: (count) =>
    `The figures are not complete yet: ${formatNumber(count)} ${enForm(count, 'bus sends records late or is', 'buses send records late or are')} being recounted.`,
  hours: 'By hour',
  hour: 'Hour',
  now: 'today',
  map: 'Buses on the map',
  noBuses: 'No buses yet',
  noBusesText: 'Once there are some, this is the day: who got on and off, revenue, the map.',
  failed: 'The figures of the day did not load.',
};
