import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of a bus's day, and the type of the other languages. */
export const ru = {
  entered: 'Вошло',
  exited: 'Вышло',
  inside: 'В салоне',
  adultsAndKids: (adults: string, kids: string) => `взр.\u00a0${adults} · дет.\u00a0${kids}`,
  automatic: (count: string) => `счётчик: ${count}`,
  ofCapacity: (capacity: string, percent: string) =>
    `из\u00a0${capacity}\u00a0мест · ${percent}\u00a0%`,
  insideHint: 'Вошло минус вышло с начала круга; без кругов — с начала дня',
  chartTitle: 'День по часам',
  hour: 'Час',
  savePicture: 'Сохранить картинку',
  saveTable: 'Сохранить таблицу',
  timelineTitle: 'Записи',
  cameras: 'Камеры',
  fragments: (count: number) => `${count} ${ruForm(count, 'фрагмент', 'фрагмента', 'фрагментов')}`,
  sheet: 'Список фрагментов: выше, ниже',
  time: 'Время',
  duration: 'Длит.',
  camera: 'Камера',
  adults: 'Взрослые',
  kids: 'Дети',
  inOut: 'вх / вых',
  state: 'Статус',
  emptyTitle: 'За этот день записей нет',
  emptyText: 'Автобус не выходил на линию или ещё не прислал данные. Посмотрите другой день.',
  noDoorsTitle: 'Камер у дверей нет',
  noDoorsText: 'Пассажиров считают датчики, видео дверей этот автобус не пишет.',
  noCamerasTitle: 'Камеры не выбраны',
  noCamerasText: 'Выберите хотя бы одну камеру, чтобы увидеть фрагменты.',
  keysHint: 'Список клавиш: ?',
};
export type DayTexts = typeof ru;
