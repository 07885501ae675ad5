/** Russian texts of the map of a fragment, and the type of the other languages. */
export const ru = {
  map: 'Карта: стрелки двигают, плюс и минус меняют масштаб',
  zoomIn: 'Крупнее',
  zoomOut: 'Мельче',
  metres: 'м',
  kilometres: 'км',
  mapFailed: 'Карта не загрузилась.',
  mapUnable: 'Этот браузер не может нарисовать карту: в нём нет WebGL\u00a02.',
  mapWaits: 'Карта загружается…',
  busThen: (time: string) => `Автобус в ${time}`,
  noPlace: 'Где автобус был в это время, неизвестно.',
  trackFailed: 'Трек автобуса не загрузился.',
};
export type MapTexts = typeof ru;
