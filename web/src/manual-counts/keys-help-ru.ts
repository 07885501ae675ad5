/** Russian texts of the keys of a reviewer, and the type of the other languages. */
export const ru = {
  keysTitle: 'Клавиши',
  keys: [
    ['Пробел', 'воспроизвести / пауза'],
    ['← →', 'на 5 секунд'],
    ['Shift + ← →', 'на один кадр'],
    ['↑ ↓', 'предыдущий / следующий фрагмент'],
    ['< >', 'скорость'],
    ['F', 'во весь экран'],
    ['?', 'этот список'],
  ] as readonly (readonly [string, string])[],
  /** Further keys, for users with the edit right. */
  countKeys: [
    ['0–9', 'счёт вручную'],
    ['Tab', 'следующее поле'],
    ['Enter', 'проверено, следующий'],
  ] as readonly (readonly [string, string])[],
  /** Further keys on the page of a bus. */
  dayKeys: [['[ ]', 'предыдущий / следующий день']],
  searchKeys: [['/', 'поиск автобуса']] as readonly (readonly [string, string])[],
};
export type KeysTexts = typeof ru;
