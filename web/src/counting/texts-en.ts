import type { CountingTexts } from './texts-ru.ts';

/** English texts of counting by hand. */
export const en: CountingTexts = {
  adults: 'Adults',
  kids: 'Kids',
  inOut: 'in / out',
  manual: {
    enteredAdult: 'Adults entered, by hand',
    exitedAdult: 'Adults exited, by hand',
    enteredKids: 'Children entered, by hand',
    exitedKids: 'Children exited, by hand',
  },
  markReviewed: 'Reviewed',
  isReviewed: 'Reviewed ✓',
  manualSaving: 'saving…',
  manualSaved: 'saved',
  manualFailed: 'not saved',
  manualRetry: 'Save again',
  keysTitle: 'Keys',
  keys: [
    ['Space', 'play / pause'],
    ['← →', '5 seconds'],
    ['Shift + ← →', 'one frame'],
    ['↑ ↓', 'previous / next fragment'],
    ['< >', 'speed'],
    ['F', 'full screen'],
    ['0–9', 'count by hand'],
    ['Enter', 'reviewed, next'],
    ['?', 'this list'],
  ],
  dayKeys: [
    ['[ ]', 'previous / next day'],
    ['/', 'search a bus'],
  ],
};
