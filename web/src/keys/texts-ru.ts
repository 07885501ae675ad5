/** Russian texts of the keys, and the type of the other languages. */
export const ru = {
  title: 'Клавиши',
  guide: 'Как устроена эта страница',
  all: 'Справка',
  groups: {
    everywhere: [
      ['?', 'этот список'],
      ['Tab', 'следующий элемент'],
      ['Esc', 'закрыть то, что открыто поверх'],
    ],
    search: [['/', 'поиск']],
    rows: [['↑ ↓', 'список: предыдущая / следующая строка']],
    boxes: [['Shift + ↑ ↓', 'список: выбрать строки подряд, с флажка']],
    watching: [
      ['Пробел', 'воспроизвести / пауза'],
      ['← →', 'на 5 секунд'],
      ['Shift + ← →', 'на один кадр'],
      ['< >', 'скорость'],
      ['F', 'во весь экран'],
    ],
    fragments: [['↑ ↓', 'предыдущий / следующий фрагмент']],
    counting: [
      ['0–9', 'подсчёт вручную'],
      ['Tab', 'следующее поле'],
      ['Enter', 'проверено, следующий'],
    ],
    day: [['[ ]', 'предыдущий / следующий день']],
    stops: [
      ['↑ ↓', 'предыдущая / следующая остановка'],
      ['Esc', 'снять выбор остановки'],
    ],
    timeline: [
      ['+ −', 'шкала: крупнее / мельче'],
      ['Home End', 'шкала: начало / конец дня'],
      ['PgUp PgDn', 'шкала: назад / вперёд'],
    ],
    prices: [
      ['← ↑ → ↓', 'таблица цен: другая ячейка'],
      ['Ctrl + A', 'таблица цен: выделить всё'],
      ['Ctrl + Z', 'таблица цен: отменить'],
    ],
    chart: [
      ['← →', 'график: другой день'],
      ['Enter', 'график: что за этой точкой'],
    ],
  } as const satisfies Readonly<Record<string, readonly (readonly [string, string])[]>>,
};

/** Groups of keys that are named together. */
export type KeyGroup = keyof typeof ru.groups;

export interface KeysTexts {
  readonly title: string;
  readonly guide: string;
  readonly all: string;
  /** The name of a key, and what it does. */
  readonly groups: Readonly<Record<KeyGroup, readonly (readonly [string, string])[]>>;
}
