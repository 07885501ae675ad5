/** Russian texts of recounting, and the type of the other languages. */
export const ru = {
  cameras: 'Камеры',
  from: 'С',
  to: 'По',
  fromTime: 'Время начала',
  toTime: 'Время конца',
  reload: 'Сначала загрузить файлы заново',
  reloadHint: 'Автобус пришлёт видео ещё раз: это долго и тратит трафик.',
  manualKept: 'Ручной подсчёт сохранится.',
  start: 'Пересчитать',
  noCameras: 'Выберите хотя бы одну камеру.',
  badRange: 'Конец раньше начала.',
  tooLong: 'Не больше 93 дней.',
  last: 'Последний пересчёт',
  looking: 'Отбираем фрагменты…',
  progress: (done: number, total: number) => `Пересчитано ${done} из ${total}`,
  nothing: 'За это время пересчитывать нечего',
  failed: (count: number) => `не удалось: ${count}`,
};
export type RecalculationTexts = typeof ru;
