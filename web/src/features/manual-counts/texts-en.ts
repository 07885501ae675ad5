import type { ManualCountsTexts } from './texts-ru.ts';

/** English texts of manual counts. */
export const en: ManualCountsTexts = {
  adults: 'Adults',
  kids: 'Kids',
  inOut: 'in / out',
  manual: {
    enteredAdult: 'Adults entered, by hand',
    exitedAdult: 'Adults exited, by hand',
    enteredKids: 'Children entered, by hand',
    exitedKids: 'Children exited, by hand',
  },
  confirm: 'Reviewed, next',
  confirmed: '✓ Next',
  manualSaving: 'saving…',
  manualSaved: 'saved',
  manualFailed: 'not saved',
  manualRetry: 'Save again',
  hints: {
    watching: [
      { keys: ['Space'], action: 'play' },
      { keys: ['↑', '↓'], action: 'fragment' },
    ],
    counting: [
      { keys: ['0–9'], action: 'number' },
      { keys: ['Tab'], action: 'field' },
      { keys: ['Enter'], action: 'reviewed, next' },
    ],
    all: 'all keys',
  },
  wholeOnly: 'whole number',
  otherCounted: (who, clock) =>
    `Fragment ${clock} was counted by ${who} meanwhile: that count is shown and yours was not saved. If it is wrong, type yours again.`,
};
