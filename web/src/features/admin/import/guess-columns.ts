import type { ImportKind } from '@ridewatch/contract/admin-import';

/** Headings of buses: their number plate, also the number on their side. */
const bus = [
  ...['автобус', 'номеравтобуса', 'госномер', 'госномеравтобуса', 'госзнак', 'номернойзнак', 'грз'],
  ...['государственныйномер', 'регномер', 'регистрационныйномер', 'бортовойномер', 'тс', 'bus'],
  ...['plate', 'numberplate', 'licenseplate', 'vehicle'],
];
/** Headings of customers. */
const customer = [
  ...['клиент', 'заказчик', 'перевозчик', 'компания', 'организация', 'предприятие', 'контрагент'],
  ...['customer', 'client', 'company', 'carrier'],
];

/** The headings that mean a column, in both languages, without spaces and signs; ё is е. */
const words: Readonly<Record<string, readonly string[]>> = {
  login: [
    ...['логин', 'пользователь', 'имяпользователя', 'учетнаязапись', 'login', 'user', 'username'],
  ],
  role: ['роль', 'права', 'role'],
  can_edit: ['можетправить', 'правит', 'canedit', 'mayedit', 'edits'],
  client: [...customer, 'владелец', 'автопарк', 'owner'],
  group: ['маршрут', 'номермаршрута', 'маршрута', 'route', 'routenumber', 'group'],
  capacity_seated: [
    ...['сидячих', 'сидячихмест', 'местсидячих', 'сидячиеместа', 'местасидячие', 'местдлясидения'],
    ...['посадочныхмест', 'посадочныеместа', 'колвосидячихмест', 'количествосидячихмест'],
    ...['числосидячихмест', 'seats', 'seated', 'seatedplaces', 'seatingcapacity'],
  ],
  capacity_standing: [
    ...[
      'стоячих',
      'стоячихмест',
      'местстоячих',
      'стоячиеместа',
      'местастоячие',
      'колвостоячихмест',
    ],
    ...['количествостоячихмест', 'числостоячихмест', 'standing', 'standingplaces'],
    'standingcapacity',
  ],
  places: [
    ...['мест', 'места', 'мествсего', 'всегомест', 'колвомест', 'количествомест', 'числомест'],
    ...['вместимость', 'пассажировместимость', 'places', 'capacity'],
  ],
  device_id: [
    ...['прибор', 'номерприбора', 'блок', 'номерблока', 'регистратор', 'серийныйномер', 'imei'],
    ...['rid', 'device', 'deviceid', 'unit', 'serialnumber'],
  ],
  timezone: ['часовойпояс', 'пояс', 'timezone', 'zone'],
  type: ['вид', 'тип', 'type', 'kind'],
  description: [
    ...['описание', 'комментарий', 'комментарии', 'примечание', 'примечания', 'заметка', 'заметки'],
    ...['description', 'comment', 'comments', 'note', 'notes'],
  ],
  surname: ['фамилия', 'surname', 'lastname'],
  patronymic: ['отчество', 'patronymic', 'middlename'],
  status: ['статус', 'состояние', 'status'],
  enabled: ['включено', 'включен', 'включена', 'используется', 'enabled', 'inuse'],
  bus,
  stream_id: ['поток', 'номерпотока', 'stream', 'streamid'],
  door: ['дверь', 'номердвери', 'двери', 'door'],
  live: ['вид', 'тип', 'служебная', 'type', 'kind', 'service', 'servicecamera'],
  counts: ['считает', 'считаетдверь', 'counts', 'countsthedoor'],
  protocol: ['протокол', 'протоколприбора', 'protocol'],
  protocol_id: ['номервпротоколе', 'номертерминала', 'терминал', 'numberintheprotocol', 'terminal'],
  egts_counts: ['egtsчтопередаетсчетчикдверей', 'egtswhatthedoorcountersends'],
  egts_raw_flag: ['egtsпризнакзакрытогоформатаrdf', 'egtsrawdataflagrdf'],
  egts_module_bytes: ['egtsномерсчетчика', 'egtsnumberofthecounter'],
  jt808_clock_hours: ['jtt808часыприбора', 'jtt808clockoftheunit'],
  jt808_door: ['jtt808дверьсчетчика', 'jtt808doorofthecounter'],
  jt808_uploads: ['jtt808записивидеоприходят', 'jtt808recordedvideocomes'],
  osmand_speed: ['osmandединицаскорости', 'osmandunitofspeed'],
};
const names: Readonly<Record<ImportKind, readonly string[]>> = {
  users: [],
  customers: [...customer, 'название', 'наименование', 'имя', 'name'],
  buses: [...bus, 'номер', 'название', 'наименование', 'name', 'number'],
  units: [],
  cameras: ['камера', 'название', 'наименование', 'name', 'camera'],
};

const plain = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}\d]/gu, '');

/**
 * Guesses what each column of a table is by its heading; null where nothing fits. A column is taken once.
 * @param columns those that the user may import
 * @param remembered what the user chose for a heading before, which goes first; null: left out
 */
export function guessColumns(
  kind: ImportKind,
  headings: readonly string[],
  columns: readonly string[],
  remembered: (heading: string) => string | null | undefined = () => undefined,
): (string | null)[] {
  const left = new Set(columns);
  const chosen = headings.map((heading) => {
    const column = remembered(heading);
    if (column === undefined || column === null) return column;
    return left.delete(column) ? column : undefined;
  });
  return headings.map((heading, at) => {
    if (chosen[at] !== undefined) return chosen[at];
    const found = [...left].find((column) =>
      [
        column.replaceAll('_', ''),
        ...(column === 'name' ? names[kind] : (words[column] ?? [])),
      ].includes(plain(heading)),
    );
    if (found !== undefined) left.delete(found);
    return found ?? null;
  });
}
