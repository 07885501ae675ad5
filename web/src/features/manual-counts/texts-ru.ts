interface KeyHint {
  readonly keys: readonly string[];
  readonly action: string;
}

/** Russian texts of manual counts, and the type of the other languages. */
export const ru = {
  adults: 'Взрослые',
  kids: 'Дети',
  inOut: 'вх / вых',
  manual: {
    enteredAdult: 'Вошло взрослых, вручную',
    exitedAdult: 'Вышло взрослых, вручную',
    enteredKids: 'Вошло детей, вручную',
    exitedKids: 'Вышло детей, вручную',
  },
  confirm: 'Проверено, дальше',
  confirmed: '✓ Дальше',
  manualSaving: 'сохраняется…',
  manualSaved: 'сохранено',
  manualFailed: 'не сохранено',
  manualRetry: 'Сохранить ещё раз',
  hints: {
    watching: [
      { keys: ['Пробел'], action: 'пуск' },
      { keys: ['↑', '↓'], action: 'фрагмент' },
    ] as readonly KeyHint[],
    counting: [
      { keys: ['0–9'], action: 'число' },
      { keys: ['Tab'], action: 'поле' },
      { keys: ['Enter'], action: 'проверен, дальше' },
    ] as readonly KeyHint[],
    all: 'все клавиши',
  },
  /** A typed count has a fraction or a sign. */
  wholeOnly: 'целое число',
  otherCounted: (who: string, clock: string) =>
    `Фрагмент ${clock} тем временем посчитал(а) ${who}: показан этот подсчёт, ваш не записан. Если он неверен, введите свой ещё раз.`,
};
export type ManualCountsTexts = typeof ru;
