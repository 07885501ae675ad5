// The words of a table: those that an exported one has, and those that people write.
import type { CustomerStatus } from '@ridewatch/contract/admin-customers';
import type { ImportKind } from '@ridewatch/contract/admin-import';
import type { Role } from '@ridewatch/contract/auth';
import type { ReportLanguage } from '@ridewatch/contract/reports';
import {
  type EgtsSettings,
  type Jt808Settings,
  type OsmandSettings,
  protocolNames,
  type UnitProtocol,
} from '@ridewatch/contract/unit-protocols';
import type * as z from 'zod/mini';

/** The meanings of a cell of a choice, and their words: in Russian, in English, then others that people write. */
type Words<T> = readonly (readonly [meaning: T, ru: string, en: string, ...more: string[]])[];

/** The cells of a column that names one of few values. */
export interface Choice<T> {
  readonly words: Words<T>;
  /** By word in lower case. */
  readonly meanings: ReadonlyMap<string, T>;
}

const choiceOf = <T>(words: Words<T>): Choice<T> => ({
  words,
  meanings: new Map(
    words.flatMap(([meaning, ...own]) => own.map((word) => [word.toLowerCase(), meaning] as const)),
  ),
});

/** The word that an exported table has for a value. */
export function wordOf<T>({ words }: Choice<T>, value: T, language: ReportLanguage): string {
  const found = words.find(([meaning]) => meaning === value);
  return found?.[language === 'ru_RU' ? 1 : 2] ?? '';
}

/** The words that an exported table may have in a column. */
export const wordsIn = <T>(choice: Choice<T>, language: ReportLanguage): string[] =>
  choice.words.map(([meaning]) => wordOf(choice, meaning, language));

/** Words for yes and no. */
export const YES_NO = choiceOf<boolean>([
  [true, 'да', 'yes', 'true', '1', '+'],
  [false, 'нет', 'no', 'false', '0', '-'],
]);

/** Words for the types of a bus. */
export const BUS_TYPES = choiceOf<'VMS' | 'COUNTER'>([
  ['VMS', 'с видео', 'with video', 'vms'],
  ['COUNTER', 'только счётчик', 'counter only', 'counter'],
]);

/** Words for a camera that looks at the cabin, and for one at a door. */
export const CAMERA_KINDS = choiceOf<boolean>([
  [true, 'служебная', 'service', 'салон'],
  [false, 'у двери', 'at a door', 'дверь', 'door'],
]);

/** Words for the states of a customer. */
export const STATUSES = choiceOf<z.output<typeof CustomerStatus>>([
  [1, 'работает', 'active', 'активен', 'активный', '1'],
  [2, 'пробный', 'trial', '2'],
  [3, 'заблокирован', 'blocked', '3'],
  [4, 'в архиве', 'archived', 'архив', '4'],
]);

/** Words for the roles of users. */
export const ROLES = choiceOf<Role>([
  ['ADMIN', 'администратор', 'administrator', 'admin'],
  ['INTEGRATOR', 'интегратор', 'integrator'],
  ['CUSTOMER', 'клиент', 'customer', 'client'],
  ['OPERATOR', 'оператор', 'operator'],
]);

/** Words for the protocols of units; null: the unit interface. */
export const PROTOCOLS = choiceOf<UnitProtocol | null>([
  [null, 'собственный протокол Ridewatch', "Ridewatch's own", 'протокол приборов', 'свой', 'own'],
  ['egts', protocolNames.egts, protocolNames.egts, 'егтс'],
  ['jt808', protocolNames.jt808, protocolNames.jt808, 'jt808', 'jt/t808', 'jt 808'],
  ['osmand', protocolNames.osmand, protocolNames.osmand, 'traccar'],
]);

/** Words for the numbers that a counter of EGTS sends. */
const EGTS_COUNTS = choiceOf<EgtsSettings['counts']>([
  ['delta', 'с прошлого раза', 'since the last time', 'delta'],
  ['cumulative', 'общий счёт', 'running total', 'общий счет', 'cumulative'],
]);

/** Words for the flag of counts in the vendor's own form. */
const EGTS_RAW_FLAG = choiceOf<EgtsSettings['raw_flag']>([
  ['low', 'по стандарту', 'as in the standard', 'low'],
  ['high', 'в старшем бите', 'in the highest bit', 'high'],
  ['inverted', 'по стандарту, но наоборот', 'as in the standard, but inverted', 'inverted'],
]);

/** Words for the order of the bytes of a counter's number. */
const EGTS_MODULE_BYTES = choiceOf<EgtsSettings['module_bytes']>([
  ['little', 'по стандарту', 'as in the standard', 'little'],
  ['big', 'байты в обратном порядке', 'bytes in reverse order', 'big'],
]);

/** Words for the units of speed in the OsmAnd form. */
const OSMAND_SPEED = choiceOf<OsmandSettings['speed']>([
  ['knots', 'узлы', 'knots'],
  ['kmh', 'км/ч', 'km/h', 'kmh'],
  ['ms', 'м/с', 'm/s', 'ms'],
]);

const numbers = (least: number, most: number): Words<number> =>
  Array.from({ length: most - least + 1 }, (_, at) => {
    const number = least + at;
    const signed = number < 0 ? `${number}` : `+${number}`;
    return [number, `${number}`, `${number}`, signed, `utc${signed}`] as const;
  });

/** Hours by which the clock of a terminal is ahead of UTC. */
const CLOCK_HOURS = choiceOf<number>(numbers(-12, 14));

/** Doors whose passengers a terminal of JT/T 808 counts. */
const JT808_DOORS = choiceOf<number>(numbers(1, 8));

/** Words for the links by which a terminal of JT/T 808 uploads recorded video. */
const JT808_UPLOADS = choiceOf<Jt808Settings['uploads']>([
  ['any', 'по любой связи', 'by any link', 'any'],
  ['wifi', 'только по Wi-Fi, в парке', 'by Wi-Fi only, at the depot', 'wi-fi', 'wifi', 'вайфай'],
]);

/** Choices by the columns of settings. */
export const settingChoices = {
  egts_counts: EGTS_COUNTS,
  egts_raw_flag: EGTS_RAW_FLAG,
  egts_module_bytes: EGTS_MODULE_BYTES,
  jt808_clock_hours: CLOCK_HOURS,
  jt808_door: JT808_DOORS,
  jt808_uploads: JT808_UPLOADS,
  osmand_speed: OSMAND_SPEED,
} as const;

/** A heading in Russian and English. */
type Heading = readonly [ru: string, en: string];

const headings: Readonly<Record<string, Heading>> = {
  name: ['Название', 'Name'],
  login: ['Логин', 'Username'],
  role: ['Роль', 'Role'],
  client: ['Клиент', 'Customer'],
  can_edit: ['Может править', 'May edit'],
  surname: ['Фамилия', 'Surname'],
  patronymic: ['Отчество', 'Patronymic'],
  status: ['Статус', 'Status'],
  enabled: ['Включён', 'Enabled'],
  group: ['Маршрут', 'Route'],
  capacity_seated: ['Сидячих мест', 'Seats'],
  capacity_standing: ['Стоячих мест', 'Standing places'],
  places: ['Мест всего', 'Places'],
  device_id: ['Прибор', 'Unit'],
  timezone: ['Часовой пояс', 'Time zone'],
  type: ['Вид', 'Type'],
  description: ['Описание', 'Description'],
  bus: ['Автобус', 'Bus'],
  stream_id: ['Поток', 'Stream'],
  door: ['Дверь', 'Door'],
  live: ['Вид', 'Type'],
  counts: ['Считает дверь', 'Counts the door'],
  protocol: ['Протокол', 'Protocol'],
  protocol_id: ['Номер в протоколе', 'Number in the protocol'],
  egts_counts: ['EGTS: что передаёт счётчик дверей', 'EGTS: what the door counter sends'],
  egts_raw_flag: ['EGTS: признак закрытого формата (RDF)', 'EGTS: raw data flag (RDF)'],
  egts_module_bytes: ['EGTS: номер счётчика', 'EGTS: number of the counter'],
  jt808_clock_hours: ['JT/T 808: часы прибора', 'JT/T 808: clock of the unit'],
  jt808_door: ['JT/T 808: дверь счётчика', 'JT/T 808: door of the counter'],
  jt808_uploads: ['JT/T 808: записи видео приходят', 'JT/T 808: recorded video comes'],
  osmand_speed: ['OsmAnd: единица скорости', 'OsmAnd: unit of speed'],
};
/** Columns that one kind of table calls otherwise. */
const ownHeadings: Readonly<Partial<Record<ImportKind, Readonly<Record<string, Heading>>>>> = {
  units: { device_id: ['Номер прибора', 'Device id'] },
  cameras: { enabled: ['Используется', 'In use'] },
};

/** The name of a kind of table, for its file and sheet. */
export const tableNames: Readonly<Record<ImportKind, Heading>> = {
  customers: ['Клиенты', 'Customers'],
  users: ['Пользователи', 'Users'],
  buses: ['Автобусы', 'Buses'],
  units: ['Приборы', 'Units'],
  cameras: ['Камеры', 'Cameras'],
};

/** The word of a language. */
export const inLanguage = ([ru, en]: Heading, language: ReportLanguage): string =>
  language === 'ru_RU' ? ru : en;

/**
 * The heading of a column, as forms and lists call it; the page guesses the column by it when the table is loaded again.
 */
export function headingOf(kind: ImportKind, column: string, language: ReportLanguage): string {
  const heading = ownHeadings[kind]?.[column] ?? headings[column];
  return heading ? inLanguage(heading, language) : column;
}
