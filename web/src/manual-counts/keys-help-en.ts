import type { KeysTexts } from './keys-help-ru.ts';

/** English texts of the keys of a reviewer. */
export const en: KeysTexts = {
  keysTitle: 'Keys',
  keys: [
    ['Space', 'play / pause'],
    ['← →', '5 seconds'],
    ['Shift + ← →', 'one frame'],
    ['↑ ↓', 'previous / next fragment'],
    ['< >', 'speed'],
    ['F', 'full screen'],
    ['?', 'this list'],
  ],
  countKeys: [
    ['0–9', 'count by hand'],
    ['Tab', 'next field'],
    ['Enter', 'reviewed, next'],
  ],
  dayKeys: [['[ ]', 'previous / next day']],
  searchKeys: [['/', 'search a bus']],
};
