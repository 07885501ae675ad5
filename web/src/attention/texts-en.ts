import type { AttentionTexts } from './texts-ru.ts';

const units = { s: 's', min: 'min', h: 'h', d: 'd' };
const span = ({ count, unit }: Parameters<AttentionTexts['silent']>[0]) =>
  `${count} ${units[unit]}`;

export const en: AttentionTexts = {
  titles: { disk_full: "The server's disk", queue_starved: 'Background work' },
  silent: (time) => `sends nothing for ${span(time)}`,
  offline: (camera, time) => `${camera} offline for ${span(time)}`,
  imbalance: (percent, entered, exited) =>
    `entered and exited differ by ${percent} %: ${entered} / ${exited}`,
  mergeFailed: (camera, period, reason) => `${camera}, ${period} was not merged: ${reason}`,
  disk: (percent) => `${percent} % full`,
  queue: (name, time, waiting) => `${name}: waits for ${span(time)}, jobs: ${waiting}`,
  failures: {
    cancelled: 'cancelled',
    no_video: 'no video is left',
    no_space: 'no room is left',
    failed: 'the files could not be joined',
  },
  classes: {
    laps: 'laps',
    slow: 'laps of slow days',
    past: 'laps of past days',
    video: 'video',
    merges: 'merges',
    reports: 'reports',
    recalculation: 'recalculation',
    sweeps: 'sweeps',
    attention: 'alerts',
    schedule: 'nightly work',
  },
};
