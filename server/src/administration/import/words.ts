// The words of a table: those that an exported one has, and those that people write.
import type { CustomerStatus } from '@ridewatch/contract/admin-customers';
import type { ImportKind } from '@ridewatch/contract/admin-import';
import type { Role } from '@ridewatch/contract/auth';
import type { ReportLanguage } from '@ridewatch/contract/reports';
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
