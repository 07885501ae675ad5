import type { ApiScope } from '@ridewatch/contract/api-scope';

const scopes: Readonly<Record<ApiScope, string>> = {
  buses: 'Автобусы и маршруты',
  counts: 'Фрагменты и подсчёты',
  positions: 'Координаты и круги',
  statistics: 'Статистика и выгрузки',
  money: 'Расчёты и цены',
  video: 'Видео',
};

/** Russian texts of API keys, and the type of the other languages. */
export const ru = {
  title: 'Ключи API',
  note: 'По ключу программа читает то же, что видите вы, и ничего не меняет.',
  access: 'Доступ',
  customerNote: 'По этому ключу программа читает то же, что видит клиент, и ничего не меняет.',
  calls: 'Вызовы API',
  scopes,
  name: 'Название',
  scopesLabel: 'Что можно читать',
  noScope: 'Выберите хотя бы одно',
  lastDay: 'Последний день',
  noLastDay: 'без срока',
  clearLastDay: 'Убрать срок',
  created: (who: string, when: string) => `создал ${who}, ${when}`,
  createdBy: 'Создал',
  lastUsed: 'Последний запрос',
  neverUsed: 'не было',
  expired: 'срок истёк',
  add: 'Новый ключ',
  create: 'Создать ключ',
  none: 'Ключей нет',
  noneYet: 'По ключу программа клиента читает его данные: выгрузки, учёт, табло.',
  madeTitle: 'Новый ключ API',
  madeText: 'Сохраните его сейчас: больше он не будет показан. Его передают как Bearer-токен.',
  revoke: 'Отозвать',
  revokeText: 'Программы с этим ключом сразу перестанут получать данные.',
  revoked: 'Ключ отозван',
  tooMany: 'Ключей уже пятьдесят: отзовите ненужные',
  passed: 'Этот день уже прошёл',
};
export type KeyTexts = typeof ru;
