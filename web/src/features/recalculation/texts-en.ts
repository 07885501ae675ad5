import type { RecalculationTexts } from './texts-ru.ts';

/** English texts of recounting. */
export const en: RecalculationTexts = {
  cameras: 'Cameras',
  from: 'From',
  to: 'To',
  fromTime: 'Time of the start',
  toTime: 'Time of the end',
  reload: 'Fetch the files again first',
  reloadHint: 'The bus sends the video once more: that takes long and costs traffic.',
  manualKept: 'Manual counts are kept.',
  start: 'Recalculate',
  noCameras: 'Choose at least one camera.',
  badRange: 'The end is before the start.',
  tooLong: '93 days at most.',
  last: 'Last recalculation',
  looking: 'Choosing the fragments…',
  progress: (done, total) => `${done} of ${total} recalculated`,
  nothing: 'There is nothing to recalculate in this time',
  failed: (count) => `failed: ${count}`,
};
