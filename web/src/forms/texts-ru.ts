import { formatNumber } from '../i18n/format.ts';
import { ruForm } from '../i18n/plural.ts';

/** Russian texts of form controls, and the type of the other languages. */
export const ru = {
  /** Messages about invalid fields (spec section 8). */
  problems: {
    required: 'Заполните поле',
    tooLong: (most: number) =>
      `Не длиннее ${most} ${ruForm(most, 'символа', 'символов', 'символов')}`,
    invisible: 'Есть невидимые символы',
    number: 'Введите число',
    wholeNumber: 'Введите целое число',
    atLeast: (least: number) => `Не меньше ${least}`,
    atMost: (most: number) => `Не больше ${most}`,
    between: (least: number, most: number) => `Число от ${least} до ${most}`,
    wholeBetween: (least: number, most: number) => `Целое число от ${least} до ${most}`,
    time: 'Нет такого времени',
    mail: 'Введите адрес почты',
  },

  typedDay: 'Дата цифрами',
  typedDayHint: 'дд.мм.гггг',
  presets: { yesterday: 'Вчера', lastWeek: 'Прошлая неделя', month: 'Месяц по вчера' },
  previousMonth: 'Предыдущий месяц',
  nextMonth: 'Следующий месяц',
  today: 'Сегодня',
  weekdays: ['Пн', 'Вт', 'Ср', 'Чт', 'Пт', 'Сб', 'Вс'] as readonly string[],
  locale: 'ru-RU',

  optionsOf: (label: string) => `Варианты: ${label}`,
  moreOptions: (count: number) => `И ещё ${formatNumber(count)}: наберите часть названия`,

  /** A list of things to tick. */
  pick: {
    allFound: 'Все найденные',
    nothing: 'Ничего не найдено',
    open: (name: string) => `Раскрыть: ${name}`,
    close: (name: string) => `Свернуть: ${name}`,
    partOf: (count: string, of: string) => `${count} из ${of}`,
  },

  chooseFile: 'Выбрать файл',
  otherFile: 'Другой файл',
  dropFile: 'или перетащите его сюда',
  uploading: (percent: number) => `Загружается: ${percent}\u00a0%`,
  readingFile: 'Файл читается…',
};
export type FormTexts = typeof ru;
