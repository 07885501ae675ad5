import type { TimelineTexts } from './texts-ru.ts';

/** English texts of a timeline. */
export const en: TimelineTexts = {
  zoomIn: 'Closer',
  zoomOut: 'Farther',
  wholeDay: 'Whole day',
  laps: 'Laps',
  lapsFailed: 'Laps and stops did not load',
  lap: (number) => `Lap ${number}`,
  keys: 'Timeline of recordings: plus and minus zoom, Page Up and Page Down move, up and down choose a fragment, left and right a moment',
  kinds: {
    processed: 'ready',
    waiting: 'waiting',
    error: 'failed',
    live: 'on the registrar',
    deleted: 'deleted',
    cancelled: 'cancelled',
  },
};
