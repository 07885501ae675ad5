import { enForm, ruForm } from '../../../i18n/plural.ts';
import { textsOf } from '../../../i18n/texts-of.ts';

// Not among the texts of the tab, whose first code has a budget.
const ru = {
  patterns: 'Варианты маршрута',
  add: 'Добавить вариант',
  name: 'Название варианта',
  nameTaken: 'Вариант с таким названием уже есть',
  sameStops: 'Вариант с такими остановками уже есть',
  changesLater:
    'Варианты меняются и позже: выберите более поздний день, с которого действуют изменения.',
  isDefault: 'основной',
  makeDefault: 'Сделать основным',
  remove: 'Удалить вариант',
  removeTitle: (name: string) => `Удалить вариант «${name}»?`,
  removeText: (day: string) =>
    `С\u00a0${day} круги больше не сравниваются с ним. Остановки и цены маршрута остаются.`,
  hint: 'Отметьте остановки, на которых останавливается вариант. Каждый круг получает тот вариант, который подходит лучше.',
  ownTrack: 'У варианта свой трек; с другими остановками он пойдёт по треку маршрута.',
  stopsOf: (count: number, all: number) =>
    `${count} из ${all} ${ruForm(all, 'остановки', 'остановок', 'остановок')}`,
  none: 'Снять все',
  all: 'Отметить все',
  twoStops: 'У варианта должно быть не меньше двух остановок.',
  unused: 'Нет ни в одном варианте.',
  goneTitle: 'Такого варианта нет',
  goneText: 'В показанный день маршрут его не имеет.',
  toDefault: 'К остановкам маршрута',
  failed: 'Варианты маршрута не загрузились',
  added: (name: string) => `Вариант «${name}» добавлен`,
};
const en: typeof ru = {
  patterns: 'Patterns of the route',
  add: 'Add a pattern',
  name: 'Name of the pattern',
  nameTaken: 'There is such a pattern already',
  sameStops: 'Another pattern has the same stops',
  changesLater: 'The patterns change later, too: choose a later day from which changes hold.',
  isDefault: 'default',
  makeDefault: 'Make it the default',
  remove: 'Remove the pattern',
  removeTitle: (name) => `Remove the pattern “${name}”?`,
  removeText: (day) =>
    `From\u00a0${day} on laps are not compared with it. Stops and prices of the route stay.`,
  hint: 'Check the stops that the pattern serves. Each lap gets the pattern that fits it best.',
  ownTrack: "The pattern has its own track; with other stops it will follow the route's.",
  stopsOf: (count, all) => `${count} of ${all} ${enForm(all, 'stop', 'stops')}`,
  none: 'Uncheck all',
  all: 'Check all',
  twoStops: 'A pattern has two stops at least.',
  unused: 'No pattern has it.',
  goneTitle: 'There is no such pattern',
  goneText: 'The route does not have it on the shown day.',
  toDefault: 'To the stops of the route',
  failed: 'The patterns could not be loaded',
  added: (name) => `Pattern “${name}” is added`,
};

/** The texts about patterns in the user's language. */
export const usePatternText = textsOf({ ru_RU: ru, en_US: en });
