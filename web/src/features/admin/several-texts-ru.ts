import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of changes of several rows. */
export const ru = {
  title: 'Действия с выбранными строками',
  chosen: (count: string) => `Выбрано: ${count}`,
  most: (most: string, total: string) =>
    `Найдено ${total}, а сразу изменить можно не больше ${most}. Остальные меняйте по частям, фильтром, или через «Загрузить из таблицы»`,
  clear: 'Снять выбор',
  done: (changed: number, of: number) =>
    changed === of
      ? `Изменено строк: ${changed}`
      : `Изменено строк: ${changed} из ${of}. Остальные такими и были`,
  refused: (count: number, of: number) =>
    of === 1
      ? 'Эту строку так изменить нельзя.'
      : `Так нельзя изменить ${count} ${ruForm(count, 'строку', 'строки', 'строк')} из ${of}, поэтому не изменится ни одна.`,
  leaveOut: (count: number): string =>
    count === 1 ? 'Оставить её как есть' : 'Оставить их как есть',
  again: 'Пока вы смотрели, данные изменились. Ничего не записано, посмотрите ещё раз.',
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
  routesOfSome: (count: number, of: number) =>
    `Предлагаются маршруты ${count} из ${of} клиентов: тех, у кого выбрано больше всего автобусов.`,
  /** From one value to another, from a day on where there is one. */
  becomes: (name: string, was: string, is: string, day?: string) =>
    `${name}: ${was} → ${is}${day === undefined ? '' : `, с ${day}`}`,
  withoutRoute: 'без маршрута',
  routeToCome: (day: string) => `До ${day} ничего не изменится.`,
  routeOfToday:
    'Сегодняшний день перейдёт на новый маршрут, и его круги пересчитаются. Прошедшие дни не изменятся.',
  routeOfPast: (day: string) => [
    `Изменятся и прошедшие дни, с ${day}: в суммах по маршрутам они перейдут на новый. Их круги и выручка останутся прежними, пока эти дни не пересчитают; круги сегодняшнего дня пересчитаются.`,
    'Где позже начинаются другие настройки автобуса, дальше действуют они.',
  ],
  customer: 'Передать клиенту',
  customerHint: (count: string) =>
    `Выбранные автобусы (${count}) перейдут к этому клиенту с завтрашнего дня; сегодняшний и прошлые дни останутся у прежних.`,
  /** A line of a bus whose days all pass on. */
  allDays: (line: string) => `${line}, все дни`,
  /** How many of the buses a sentence is about; nothing if it is about all. */
  ofThem: (count: number, of: number) => (count === of ? '' : ` (автобусов: ${count} из ${of})`),
  daysStay:
    'Дни до этой даты остаются у прежних клиентов, вместе с видео и деньгами. Новый клиент увидит автобусы сразу, у прежних они уйдут из списков.',
  allDaysPass: (of: string) => `Данных ещё не было: к новому клиенту перейдут все дни${of}.`,
  routeEnds: (of: string, isDated: boolean) =>
    `${isDated ? 'С этой даты маршрут' : 'Маршрут'} прежнего клиента кончается, задайте новый${of}.`,
  fareEnds: (of: string) =>
    `С этой даты тариф и процент водителя равны нулю, пока их не введут${of}.`,
  retire: 'Вывести из парка',
  retireNote:
    'Автобусы уйдут из списков. Записи, видео, круги и деньги останутся, вернуть можно в любой день.',
  giveBack: 'Вернуть в парк',
  giveBackNote: 'Автобусы вернутся в списки, со всем, что сохранилось.',
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
  /** The effects of switching rows of a section on and off. */
  enabling: {
    users: {
      on: 'Они снова смогут войти.',
      off: 'Их сеансы закончатся сразу, и войти они не смогут, пока их не включат.',
    },
    cameras: {
      on: 'Видео с них снова можно запросить и посмотреть вживую.',
      off: 'Пока их не включат, видео с них нельзя ни запросить, ни посмотреть вживую. Сохранённое останется, людей приборы считают по-прежнему.',
    },
    units: {
      on: 'Сервер снова будет принимать то, что приборы передают.',
      off: 'Сервер перестанет принимать то, что приборы передают, пока их не включат.',
    },
    customers: {
      on: 'Пользователи этих клиентов снова смогут войти.',
      off: 'Пользователи этих клиентов сразу потеряют доступ и не смогут войти, пока клиентов не включат.',
    },
  },
};
export type SeveralTexts = typeof ru;
