import { enForm } from '../../i18n/plural.ts';
import type { DiskTexts } from './disk-texts-ru.ts';

/** English texts of disks. */
export const en: DiskTexts = {
  disk: (percent) => `The disk is ${percent} % full`,
  free: (free, total) => `${free} of ${total} are free`,
  readAt: (machine, moment) => `${machine}, read at ${moment}`,
  daysLeft: (count) => `${count} ${enForm(count, 'day', 'days')} left`,
  steady: 'The disk does not fill',
  unknownPace: 'Days left: known after a day',
  yearsLeft: (years) => `More than ${years} ${enForm(years, 'year', 'years')} left`,
  until: (percent) => `until ${percent} %, when old video is deleted`,
  pace: 'at the pace of the last week',
  allVideo: 'all video',
  allVideoBeside: 'all video, in an object store',
  crowded:
    'To make room, a job deletes the oldest video, except what is kept whatever its age. If there is no other, or that job fails, the disk goes on filling.',
  crowdedBeside: 'The database and work files grow.',
  advice:
    "Shorten the retention of customers that can do with less, or VIDEO_DAYS for all, or add a larger disk: see the operator's guide that comes with the product (docs/install.md).",
  adviceBeside:
    "Shorten the retention of positions and files, or add a larger disk: see the operator's guide that comes with the product (docs/install.md).",
  toCustomers: 'Retention of customers',
  toJobs: 'Failed jobs: some may be those that would free the disk',
};
