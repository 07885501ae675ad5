import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of changes of several rows. */
export const ru = {
  title: 'Действия с выбранными строками',
  chosen: (count: string) => `Выбрано: ${count}`,
  most: (most: string) => `Больше ${most} строк сразу изменить нельзя`,
  clear: 'Снять выбор',
  done: (changed: number, of: number) =>
    changed === of
      ? `Изменено строк: ${changed}`
      : `Изменено строк: ${changed} из ${of}. Остальные такими и были`,
  refused: (name: string) => `Ничего не изменено: не подходит ${name}`,
  route: 'Маршрут с даты',
  noRoute: 'Пусто: автобусы останутся без маршрута',
  move: (count: number, text: string) =>
    `Изменить ${text} ${ruForm(count, 'автобус', 'автобуса', 'автобусов')}`,
  retire: 'Вывести из парка',
  retireText: (count: number, text: string) =>
    `${text} ${ruForm(count, 'автобус уйдёт', 'автобуса уйдут', 'автобусов уйдут')} из списков. Записи, видео, круги и деньги останутся, вернуть можно в любой день.`,
  giveBack: 'Вернуть в парк',
  enable: {
    users: { on: 'Включить', off: 'Отключить' },
    cameras: { on: 'Включить камеры', off: 'Не использовать' },
  },
};
