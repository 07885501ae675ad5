import type { KeysTexts } from './texts-ru.ts';

/** English texts of the keys. */
export const en: KeysTexts = {
  title: 'Keys',
  guide: 'How this page works',
  all: 'Help',
  groups: {
    everywhere: [
      ['?', 'this list'],
      ['Tab', 'next control'],
      ['Esc', 'close what is open on top'],
    ],
    search: [['/', 'search']],
    rows: [['↑ ↓', 'list: previous / next row']],
    boxes: [['Shift + ↑ ↓', 'list: choose rows in a range, from a box']],
    watching: [
      ['Space', 'play / pause'],
      ['← →', '5 seconds'],
      ['Shift + ← →', 'one frame'],
      ['< >', 'speed'],
      ['F', 'full screen'],
    ],
    fragments: [['↑ ↓', 'previous / next fragment']],
    counting: [
      ['0–9', 'count by hand'],
      ['Tab', 'next field'],
      ['Enter', 'reviewed, next'],
    ],
    day: [['[ ]', 'previous / next day']],
    stops: [
      ['↑ ↓', 'previous / next stop'],
      ['Esc', 'clear the selected stop'],
    ],
    timeline: [
      ['+ −', 'timeline: zoom in / out'],
      ['Home End', 'timeline: start / end of the day'],
      ['PgUp PgDn', 'timeline: back / forward'],
    ],
    prices: [
      ['← ↑ → ↓', 'price table: another cell'],
      ['Ctrl + A', 'price table: select all'],
      ['Ctrl + Z', 'price table: undo'],
    ],
    chart: [
      ['← →', 'chart: another day'],
      ['Enter', 'chart: what is behind this point'],
    ],
  },
};
