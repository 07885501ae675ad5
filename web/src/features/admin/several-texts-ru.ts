import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of changes of several rows. */
export const ru = {
  title: 'Действия с выбранными строками',
  chosen: (count: string) => `Выбрано: ${count}`,
  most: (most: string) =>
    `Больше ${most} строк сразу изменить нельзя. Меняйте по частям: отберите строки фильтром и выберите снова`,
  clear: 'Снять выбор',
  done: (changed: number, of: number) =>
    changed === of
      ? `Изменено строк: ${changed}`
      : `Изменено строк: ${changed} из ${of}. Остальные такими и были`,
  refused: (name: string) => `Ничего не изменено: не подходит ${name}`,
  would: (count: number, of: number) => {
    const change = ruForm(count, 'Изменится', 'Изменятся', 'Изменятся');
    if (of === 1) return `${change} выбранная строка`;
    if (count === of) return `Изменятся все выбранные: ${of}`;
    const others = of - count === 1 ? 'ещё одна такая и есть' : 'остальные такие и есть';
    return `${change} ${count} ${ruForm(count, 'строка', 'строки', 'строк')} из ${of}, ${others}`;
  },
  nothing: 'Ничего не изменится: все выбранные уже такие.',
  andMore: (count: string) => `и ещё ${count}`,
  next: 'Далее',
  change: (count: number, text: string) =>
    `Изменить ${text} ${ruForm(count, 'строку', 'строки', 'строк')}`,
  route: 'Маршрут с даты',
  noRoute: 'Пусто: автобусы останутся без маршрута',
  /** From one value to another, from a day on where there is one. */
  becomes: (name: string, was: string, is: string, day?: string) =>
    `${name}: ${was} → ${is}${day === undefined ? '' : `, с ${day}`}`,
  withoutRoute: 'без маршрута',
  routeNote: 'Прошедшие дни не изменятся.',
  customer: 'Передать клиенту',
  customerHint: (count: string) =>
    `Выбранные автобусы (${count}) перейдут к этому клиенту; у прежних они останутся в прошедших днях.`,
  customerNote: 'Сегодняшний день и прошлые останутся у прежних клиентов.',
  retire: 'Вывести из парка',
  retireNote:
    'Автобусы уйдут из списков. Записи, видео, круги и деньги останутся, вернуть можно в любой день.',
  giveBack: 'Вернуть в парк',
  retention: 'Срок хранения',
  retentionHint: (count: string) => `Клиентов: ${count}. Пустое поле оставит всё как есть.`,
  retentionNote: 'Что старше нового срока, будет удалено ближайшей ночью.',
  byDefault: (days: string) => `${days} по умолчанию`,
  enable: {
    users: { on: 'Включить', off: 'Отключить' },
    cameras: { on: 'Включить камеры', off: 'Не использовать' },
    units: { on: 'Включить приборы', off: 'Отключить приборы' },
    customers: { on: 'Включить', off: 'Отключить' },
  },
};
