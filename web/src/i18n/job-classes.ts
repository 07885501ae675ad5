import type { JobClass } from '@ridewatch/contract/news';
import type { Language } from './language.ts';

/** The names of the classes of background work. */
export const jobClasses: Readonly<Record<Language, Readonly<Record<JobClass, string>>>> = {
  ru_RU: {
    laps: 'круги',
    slow: 'круги долгих дней',
    past: 'круги прошлых дней',
    video: 'видео',
    merges: 'склейка видео',
    reports: 'отчёты',
    recalculation: 'пересчёт',
    sweeps: 'уборка',
    attention: 'оповещения',
    schedule: 'ночные работы',
  },
  en_US: {
    laps: 'laps',
    slow: 'laps of slow days',
    past: 'laps of past days',
    video: 'video',
    merges: 'merging of video',
    reports: 'reports',
    recalculation: 'recalculation',
    sweeps: 'sweeps',
    attention: 'alerts',
    schedule: 'nightly work',
  },
};
