/** Russian texts of ids that no unit has. */
export const ru = {
  id: 'Номер',
  address: 'Откуда',
  first: 'Впервые',
  last: 'Последний раз',
  records: 'Записей',
  place: 'Последняя точка',
  people: 'Последний счёт',
  counted: (entered: string, exited: string, door: string) =>
    `вошли ${entered}, вышли ${exited}, дверь ${door}`,
  noPlace: 'координат не было',
  states: { new: 'новый', ignored: 'не наш' },
  none: 'Неизвестных приборов нет.',
  gone: {
    title: 'Этого номера в списке больше нет',
    text: 'Он уже есть у прибора, или с него давно ничего не приходило.',
  },
  title: 'Что с ним делать',
  text: 'Его записи пока не сохраняются. Если прибор ваш, примите его: он появится среди приборов без автобуса, и останется выбрать автобус. Номер — не пароль: принимайте только те, которые ждёте.',
  unusable: 'Принять его нельзя, сначала поправьте номер в самом приборе.',
  adopt: 'Принять прибор',
  adopted: 'Прибор принят. Выберите автобус',
  taken: (unit: string | undefined) =>
    unit === undefined ? 'Этот номер уже есть у прибора' : `Этот номер уже у прибора ${unit}`,
  ignore: 'Это не наш',
  unignore: 'Снова считать новым',
};

export type UnknownTexts = typeof ru;
