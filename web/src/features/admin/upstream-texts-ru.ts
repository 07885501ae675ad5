import {
  MAX_UPSTREAM_CLIENTS,
  MAX_UPSTREAMS,
  type UpstreamFault,
} from '@ridewatch/contract/admin-upstreams';
import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of systems to which records are passed on. */
export const ru = {
  name: 'Название',
  address: 'Адрес',
  host: 'Адрес сервера',
  hostHint:
    'Другая система принимает EGTS (ГОСТ 33472-2015) по TCP. Адрес и порт даёт её оператор.',
  port: 'Порт',
  enabled: 'Передавать',
  signIn: 'Как представляться',
  signIns: { none: 'никак', dispatcher: 'диспетчером', terminal: 'терминалом' },
  signInHint:
    'Оператор той системы говорит, как представляться: никак, как диспетчер (DISPATCHER_IDENTITY) или как терминал (TERM_IDENTITY) — и под каким номером.',
  signInId: 'Наш номер там',
  signInIdHint: 'Его даёт оператор той системы',
  signInText: 'Описание для сервера',
  allClients: 'Автобусы всех клиентов',
  clients: 'Чьи автобусы',
  all: 'все',
  withPeople: 'Передавать и пассажиров',
  lateMinutes: 'Предупреждать, если записи ждут дольше, мин',
  /** Refused values of the form, by code and field. */
  problems: {
    'invalid_request.host': 'Только имя или адрес: латиницей, без http:// и без порта',
    'invalid_request.sign_in_text': 'Не больше 255 байт; русская буква — два',
    'invalid_request.client_ids': `Существующие клиенты, не больше ${MAX_UPSTREAM_CLIENTS}; если их больше, выберите «Автобусы всех клиентов»`,
    'conflict.host': `Направлений уже ${MAX_UPSTREAMS}, больше нельзя: сначала удалите одно`,
  } as Readonly<Record<string, string>>,
  state: 'Связь',
  off: 'выключена',
  connected: (since: string) => `есть с ${since}`,
  connectedAgain: (since: string) => `снова есть с ${since}`,
  connecting: 'соединяется',
  idle: 'соединится, когда будет что передать',
  faults: {
    unknown_host: 'сервера с таким именем нет',
    unreachable: 'сервер не отвечает',
    refused: 'на этом порту никто не слушает',
    closed: 'сервер закрывает соединение',
    no_answer: 'сервер не подтверждает записи',
    garbled: 'сервер отвечает не по EGTS',
    sign_in_refused: 'сервер не принимает наш номер',
  } satisfies Record<UpstreamFault, string> as Record<UpstreamFault, string>,
  fault: (what: string, code: number | null, since: string) =>
    `${what}${code === null ? '' : ` (код ${code})`}, с ${since}`,
  nextTry: (time: string) => `следующая попытка в ${time}`,
  tryNow: 'Попробовать сейчас',
  trying: 'Сервер соединяется с системой',
  waiting: 'Ждёт отправки',
  noneWaits: 'ничего',
  records: (count: number, shown: string) =>
    `${shown} ${ruForm(count, 'запись', 'записи', 'записей')}`,
  moreRecords: (count: number, shown: string) =>
    `более ${shown} ${ruForm(count, 'записи', 'записей', 'записей')}`,
  moreThan: (shown: string) => `более ${shown}`,
  oldest: 'самая старая —',
  waits: (records: string) => `ждёт: ${records}`,
  remarks: 'Замечания',
  noBusesGot: 'не передаётся ни один автобус',
  unnumberedBuses: (count: number, shown: string) =>
    `${shown} ${ruForm(count, 'автобус без номера не передаётся', 'автобуса без номера не передаются', 'автобусов без номера не передаются')}`,
  unregisteredBuses: (count: number, shown: string) =>
    `${shown} ${ruForm(count, 'автобус там не заведён', 'автобуса там не заведены', 'автобусов там не заведены')}`,
  refusedRecords: (shown: string) => `отказано записей: ${shown}`,
  lastConfirmed: 'Последнее подтверждение',
  confirmed: 'Подтверждено всего',
  fallen: 'Удалено неотправленных',
  buses: 'Автобусов',
  unnumbered: 'Без номера',
  created: 'Передаются записи с',
  guide: 'Справка: как подключить систему',
  none: 'Записи пока никому не передаются. Сюда добавляют региональные и другие системы, которые принимают координаты и пассажиров по EGTS.',
  unregistered: 'Там не заведены',
  unregisteredText: (records: string) =>
    `Та система не знает номеров этих автобусов, или номеров у них нет. Их записи хранятся до трёх суток, сейчас — ${records}; раз в 10 минут сервер снова пробует их передать. Попросите оператора завести автобусы или впишите верные номера ниже.`,
  andOthers: (count: number) => `и ещё ${count}`,
  refusals: 'Отказы',
  refusalsText: 'Эти записи сервер не принял, и повторять их бесполезно.',
  lastBus: (bus: string) => `последний — ${bus}`,
  numbers: 'Номера автобусов',
  numbersText:
    'Номер, под которым автобус заведён на том сервере. Без номера автобус не передаётся. Если прибор передаёт по EGTS свой номер — число до 4294967295, — подойдёт и он. Прибору с IMEI номер нужен.',
  onlyUnnumbered: 'Только без номера',
  search: 'Автобус или клиент',
  ownNumber: (number: number) => `номер прибора: ${number}`,
  badNumber: 'Число от 1 до 4294967295',
  taken: (bus: string) => `Этот номер — у автобуса ${bus}`,
  changed: (number: number | null) =>
    `Другой администратор уже изменил номер, теперь там: ${number ?? '—'}. Чтобы записать ваш поверх, сохраните ещё раз.`,
  allNumbered: 'У всех автобусов есть номер.',
  noBuses: 'Таких автобусов нет.',
  saved: 'Номера сохранены',
  notSent:
    'Нет связи с сервером: номера могли не сохраниться. Сохраните их ещё раз, когда связь будет.',
  newer: 'Предыдущие',
  older: 'Следующие',
  delete: 'Удалить',
  deleteText: 'Записи, которые ждут, не уйдут.',
  deleted: 'Передача удалена',
};

export type UpstreamTexts = typeof ru;
