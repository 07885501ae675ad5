import { textsOf } from '../../../i18n/texts-of.ts';

const ru = {
  turnAt: 'Где автобус разворачивается',
  turnNowhere: 'Нигде: маршрут кольцевой',
  turnHere: (stop: string) => `Развернуть здесь: ${stop}`,
  farthest: (stop: string) => `${stop} (самая дальняя)`,
  told: (stop: string) => `${stop} (в файле дважды)`,
  stopNumber: (number: number) => `Остановка ${number}`,
};

const en: typeof ru = {
  turnAt: 'Where buses turn back',
  turnNowhere: 'Nowhere: a circular route',
  turnHere: (stop) => `Turn here: ${stop}`,
  farthest: (stop) => `${stop} (the farthest)`,
  told: (stop) => `${stop} (twice in the file)`,
  stopNumber: (number) => `Stop ${number}`,
};

/** Texts of turning a loop back; they load with the choice of the stop. */
export const useTurnText = textsOf({ ru_RU: ru, en_US: en });
