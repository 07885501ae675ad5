/** Russian texts of a timeline, and the type of the other languages. */
export const ru = {
  zoomIn: 'Ближе',
  zoomOut: 'Дальше',
  wholeDay: 'Весь день',
  laps: 'Круги',
  lapsFailed: 'Круги и остановки не загрузились',
  lap: (number: string) => `Круг ${number}`,
  keys: 'Шкала записей: плюс и минус меняют масштаб, Page Up и Page Down сдвигают, стрелки вверх и вниз выбирают фрагмент, влево и вправо — момент',
  kinds: {
    processed: 'готово',
    waiting: 'ожидает',
    error: 'ошибка',
    live: 'на регистраторе',
    deleted: 'удалено',
    cancelled: 'отменено',
  },
};
export type TimelineTexts = typeof ru;
