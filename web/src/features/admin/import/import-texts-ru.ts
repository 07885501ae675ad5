import type { ImportFault, ImportKind, ImportReason } from '@ridewatch/contract/admin-import';
import type { UndoObstacle, UndoReason } from '@ridewatch/contract/admin-import-undo';
import { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { ruForm } from '../../../i18n/plural.ts';
import { ru as protocols } from '../protocol-texts-ru.ts';
import type { ReadProblem } from './read-table.ts';

const of: Readonly<Record<ImportKind, (count: number) => string>> = {
  customers: (count) => ruForm(count, 'клиента', 'клиентов', 'клиентов'),
  users: (count) => ruForm(count, 'пользователя', 'пользователей', 'пользователей'),
  buses: (count) => ruForm(count, 'автобус', 'автобуса', 'автобусов'),
  units: (count) => ruForm(count, 'прибор', 'прибора', 'приборов'),
  cameras: (count) => ruForm(count, 'камеру', 'камеры', 'камер'),
};

const columns: Readonly<Record<string, string>> = {
  name: 'Название',
  login: 'Логин',
  role: 'Роль',
  can_edit: 'Может править',
  link: 'Ссылка',
  until: 'Действует до',
  client: 'Клиент',
  group: 'Маршрут',
  capacity_seated: 'Сидячих мест',
  capacity_standing: 'Стоячих мест',
  places: 'Мест всего',
  device_id: 'Прибор',
  timezone: 'Часовой пояс',
  type: 'Вид',
  description: 'Описание',
  surname: 'Фамилия',
  patronymic: 'Отчество',
  status: 'Статус',
  enabled: 'Включён',
  bus: 'Автобус',
  stream_id: 'Поток',
  door: 'Дверь',
  live: 'Вид',
  counts: 'Считает дверь',
  protocol: 'Протокол',
  protocol_id: 'Номер в протоколе',
  egts_counts: 'EGTS: что передаёт счётчик дверей',
  egts_raw_flag: 'EGTS: признак закрытого формата (RDF)',
  egts_module_bytes: 'EGTS: номер счётчика',
  jt808_clock_hours: 'JT/T 808: часы прибора',
  jt808_door: 'JT/T 808: дверь счётчика',
  jt808_uploads: 'JT/T 808: записи видео приходят',
  osmand_speed: 'OsmAnd: единица скорости',
  credential: 'Ключ доступа',
};

const wrong: Readonly<Record<ImportReason, (fault: ImportFault) => string>> = {
  required: () => 'пусто, а значение нужно',
  number: ({ least, most }) => `не целое число от ${least} до ${most}`,
  sum: ({ least }) => `сидячих и стоячих вместе ${least}`,
  long: ({ most }) => `длиннее ${most} ${ruForm(most ?? 0, 'символа', 'символов', 'символов')}`,
  choice: ({ words }) => `можно: ${words.map((word) => `«${word}»`).join(', ')}`,
  taken: ({ words }) => (words.length > 0 ? `уже есть: ${words.join(', ')}` : 'уже есть'),
  twice: ({ words }) => `то же, что в ${words.join(', ')}`,
  unknown: () => 'не найдено',
  several: ({ words }) =>
    words.length > 1
      ? `такие автобусы есть у разных клиентов (${words.join(', ')}): укажите клиента`
      : `таких автобусов${words.map((name) => ` у клиента «${name}»`).join('')} несколько: переименуйте один из них`,
  several_clients: ({ words }) =>
    `таких клиентов несколько (${words.join(', ')}): напишите имя с фамилией в точности, как на экране, или переименуйте одного из них`,
  zone: () => 'нет такого пояса; например, Europe/Moscow',
  no_right: () => 'на это нет прав: такой пользователь видел бы больше вас',
  no_client: () => 'у администратора нет клиента',
  admin_route: () => 'маршрут автобусу выбирает только администратор',
  admin_protocol: () => 'протокол прибору задаёт только администратор',
  protocol_id: ({ words: [protocol] }) =>
    protocols.ids[UnitProtocol.safeParse(protocol).data ?? 'osmand'].fault,
  invisible: () => 'есть невидимые символы',
  line_break: () => 'есть перенос строки',
  form: () => 'такое значение не подходит',
  has_unit: ({ words }) => `там уже стоит ${words.join(', ')}`,
  counted: () => 'эту дверь считает другая камера',
  same_channel: ({ words }) =>
    words.length > 0
      ? `у камер этого автобуса ${words.join(' и ')} один канал регистратора: исправьте поток у одной из них`
      : 'этот канал регистратора уже у другой камеры',
  service_door: () => 'у служебной камеры нет двери',
  in_bus: ({ words }) => `прибор стоит в автобусе ${words.join(', ')}: клиент у него тот же`,
  in_test: () => 'прибор в режиме теста: сначала завершите тест',
  sent_too_much: ({ words }) =>
    `прибор ${words.join(', ')} уже передал столько записей, что все первому автобусу не отдать: выберите автобус в форме прибора и укажите там, с какого момента он переставлен`,
  sent_on_foreign_days: ({ words }) =>
    `прибор ${words.join(', ')} передавал и в те дни, когда автобус был у чужого клиента: выберите автобус в форме прибора и укажите там, с какого момента он переставлен`,
  own_role: () => 'свою роль не меняют',
  no_column: ({ words }) =>
    `новая строка, а в таблице нет: ${words.map((word) => columns[word] ?? word).join(', ')}`,
  error: () => 'в ячейке ошибка',
  formula: () => 'у формулы нет значения: откройте файл в редакторе таблиц и сохраните',
  digits: () => 'число длиннее 15 цифр: храните его как текст',
  kind: () => 'неизвестный вид ячейки',
};

const inTheWay: Readonly<Record<UndoReason, string>> = {
  changed: 'меняли после загрузки',
  used: 'уже используется',
  customers: 'есть клиенты',
  users: 'есть пользователи',
  buses: 'есть автобусы',
  units: 'есть прибор',
  cameras: 'есть камеры',
  routes: 'есть маршруты',
  stops: 'есть остановки',
  keys: 'есть ключи API',
  settings: 'есть свой срок хранения',
  records: 'есть записи',
  commands: 'есть команды',
  video: 'есть видео',
  laps: 'есть круги',
  money: 'есть тариф или выручка',
  counts: 'есть подсчёты вручную',
  sign_ins: 'уже входил в систему',
  reports: 'есть отчёты',
  tables: 'есть загруженные таблицы',
};

/** Russian texts of loading a table. */
export const ru = {
  titles: {
    customers: 'Загрузка клиентов',
    users: 'Загрузка пользователей',
    buses: 'Загрузка автобусов',
    units: 'Загрузка приборов',
    cameras: 'Загрузка камер',
  } satisfies Record<ImportKind, string>,
  sheet: (name: string) => `лист «${name}»`,
  file: 'Таблица XLSX или CSV',
  formats:
    'XLSX или CSV, до 50 000 строк, из них новых и изменённых до 5 000. Названия столбцов — в первой строке или под названием таблицы.',
  reading: 'Читаем файл…',
  download: 'Скачать',
  more: 'Ещё',
  template: 'Шаблон таблицы',
  faultsFile: 'Ошибки в CSV',
  onlyRemarks: 'Показать только замечания',
  problems: {
    empty: () => 'В файле ничего нет.',
    large: () => 'Файл слишком большой: можно до 20 МБ. Разделите таблицу.',
    rows: () => 'В таблице больше 50 000 строк. Разделите её.',
    columns: () => 'В таблице больше 40 столбцов.',
    heading: () =>
      'Заголовки столбцов должны быть в первых 1000 строках. Удалите пустые строки над ними.',
    cell: (cell) => `Ячейка ${cell} не читается. Исправьте её в файле.`,
    quote: (line) => `Кавычка в строке ${line} не закрыта. Исправьте её в файле.`,
    other: () => 'Это не таблица XLSX и не CSV, или файл повреждён.',
  } satisfies Record<ReadProblem, (at?: string) => string>,
  rows: (count: number) => ruForm(count, 'строка', 'строки', 'строк'),
  adds: (count: number) => ruForm(count, 'добавится', 'добавятся', 'добавятся'),
  changes: (count: number) => ruForm(count, 'изменится', 'изменятся', 'изменятся'),
  same: (_count: number) => 'без изменений',
  before: (value: string) => (value === '' ? 'было пусто' : `было: ${value}`),
  allSame: 'Таблица совпадает с тем, что есть: загружать нечего.',
  noRows: 'В таблице не осталось строк: загружать нечего.',
  newRoutes: (count: number) => ruForm(count, 'новый маршрут', 'новых маршрута', 'новых маршрутов'),
  newUnits: (count: number) => ruForm(count, 'новый прибор', 'новых прибора', 'новых приборов'),
  faulty: 'с ошибкой',
  cell: (cell: string) => `Ячейка ${cell}`,
  quoted: (value: string) => `«${value}»`,
  wrong: (fault: ImportFault) => wrong[fault.reason](fault),
  mend: 'Исправьте здесь или в файле.',
  faultOf: (at: number, count: number) => `${at} из ${count}`,
  nextFault: 'Следующая ошибка',
  firstFaults: (shown: string, count: number, all: string) =>
    `Показаны первые ${shown} из ${all} ${ruForm(count, 'ошибки', 'ошибок', 'ошибок')}, они же — в «Ошибки в CSV». «Убрать строки с ошибками» уберёт все строки с ошибками.`,
  firstChanges: (shown: string, count: number, all: string) =>
    `Отмечены первые ${shown} из ${all} ${ruForm(count, 'изменённой ячейки', 'изменённых ячеек', 'изменённых ячеек')}.`,
  isNew: 'новый',
  column: (letter: string) => `Что в столбце ${letter}`,
  noHeading: 'без названия',
  headingIn: (row: string) => `заголовки в строке ${row}`,
  leftOut: 'не загружать',
  missing: (names: readonly string[]) =>
    names.length === 1
      ? `Не хватает столбца: ${names.join()}. Выберите его в заголовке таблицы или добавьте в файл.`
      : `Не хватает столбцов: ${names.join(', ')}. Выберите их в заголовке таблицы или добавьте в файл.`,
  shown: (first: string, last: string, count: string) =>
    first === last
      ? `Показана строка ${first} из ${count}.`
      : `Показаны строки ${first}–${last} из ${count}.`,
  nothingYet: 'Ничего не записано, пока вы не нажмёте «Загрузить».',
  none: 'Замечаний нет.',
  dropFaulty: 'Убрать строки с ошибками',
  tooMany: (most: string, all: string) =>
    `За раз записывается не больше ${most} новых и изменённых строк, а здесь их ${all}. Загрузите первые ${most}, потом тот же файл ещё раз: записанное не изменится.`,
  keepFirst: (most: string) => `Оставить первые ${most}`,
  load: (kind: ImportKind, count: number, text: string) =>
    count === 0 ? 'Загрузить' : `Загрузить ${text} ${of[kind](count)}`,
  checkFailed: 'Проверить таблицу не удалось.',
  lost: (minutes: number) =>
    `Ответ не пришёл, но сервер может ещё загружать таблицу. Когда загрузит, она появится в списке «Загружено за сутки»: отмените загрузку, только если нужны её ключи или ссылки, их показывают один раз. Если через ${minutes} минут её там нет, загрузите снова.`,
  lostLoaded: (id: number) =>
    `Ответ не пришёл, но таблица загружена: № ${id}. Отмените загрузку, только если нужны её ключи или ссылки: их показывают один раз.`,
  waits: (minutes: number) =>
    `Сервер может ещё загружать: «Загрузить» ждёт, пока загрузку не отменят или не пройдёт ${minutes} минут.`,
  noneYet: 'Пока ничего нет.',
  otherFile: 'Другой файл',
  counts: (created: string, changed: string) => `добавлено ${created}, изменено ${changed}`,
  loaded: 'Загружено за сутки',
  undo: 'Отменить загрузку',
  keepLoad: 'Не отменять',
  undoText:
    'Созданное таблицей будет удалено, изменённое — возвращено. Если что-то из этого уже используется, не изменится ничего.',
  undone: 'отменена',
  notUndone: (obstacles: readonly UndoObstacle[]) =>
    `Отменить нельзя: ${obstacles.map(({ name, reasons }) => `${name} — ${reasons.map((one) => inTheWay[one]).join(', ')}`).join('; ')}.`,
  firstObstacles: (most: number) => `Названы первые ${most}, их может быть больше.`,
  done: (created: string, changed: string) =>
    `Готово. Добавлено: ${created}, изменено: ${changed}.`,
  keys: (count: number, text: string) =>
    count === 1
      ? 'Ключ 1 прибора. Сохраните файл: больше ключ показан не будет.'
      : `Ключи ${text} ${ruForm(count, 'прибора', 'приборов', 'приборов')}. Сохраните файл: больше ключи показаны не будут.`,
  links: (count: number, text: string) =>
    count === 1
      ? 'Ссылка для пароля 1 пользователя, действует сутки. Сохраните файл: больше ссылка показана не будет.'
      : `Ссылки для паролей ${text} ${ruForm(count, 'пользователя', 'пользователей', 'пользователей')}, каждая действует сутки. Сохраните файл: больше ссылки показаны не будут.`,
  saveLinks: (count: number): string => (count === 1 ? 'Скачать ссылку' : 'Скачать ссылки'),
  linksFile: 'ssylki-dlya-parolya.csv',
  saveKeys: (count: number): string => (count === 1 ? 'Скачать ключ' : 'Скачать ключи'),
  keysFile: 'klyuchi-priborov.csv',
  close: 'Закрыть',
  closeWithout: 'Закрыть без файла',
  loses: 'Исправления в таблице пропадут.',
  stay: 'Остаться',
  leave: 'Закрыть таблицу',
  columns,
  /** Columns that one kind of table calls otherwise, as its form does. */
  ownColumns: {
    units: { device_id: 'Номер прибора' },
    cameras: { enabled: 'Используется' },
  } as Partial<Record<ImportKind, Readonly<Record<string, string>>>>,
  faultColumns: ['Ячейка', 'Значение', 'Что не так'] as readonly string[],
};
export type ImportTexts = typeof ru;
