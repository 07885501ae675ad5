import type { ImportKind } from '@ridewatch/contract/admin-import';

/** The headings that mean a column, in both languages, without spaces and signs. */
const words: Readonly<Record<string, readonly string[]>> = {
  login: ['логин', 'пользователь', 'имяпользователя', 'login', 'user', 'username'],
  role: ['роль', 'права', 'role'],
  can_edit: ['можетправить', 'правит', 'canedit', 'mayedit', 'edits'],
  client: ['клиент', 'заказчик', 'компания', 'владелец', 'customer', 'client', 'company', 'owner'],
  group: ['маршрут', 'route', 'group'],
  capacity_seated: ['сидячих', 'сидячихмест', 'seats', 'seated'],
  capacity_standing: ['стоячих', 'стоячихмест', 'standing', 'standingplaces'],
  places: ['мест', 'мествсего', 'вместимость', 'places', 'capacity'],
  device_id: ['прибор', 'номерприбора', 'блок', 'rid', 'device', 'deviceid', 'unit'],
  timezone: ['часовойпояс', 'пояс', 'timezone', 'zone'],
  type: ['вид', 'тип', 'type', 'kind'],
  description: ['описание', 'комментарий', 'примечание', 'description', 'comment', 'note'],
  surname: ['фамилия', 'surname', 'lastname'],
  patronymic: ['отчество', 'patronymic', 'middlename'],
  status: ['статус', 'состояние', 'status'],
  enabled: ['включено', 'включён', 'включен', 'включена', 'используется', 'enabled', 'inuse'],
  bus: ['автобус', 'госномер', 'грз', 'bus', 'plate', 'vehicle'],
  stream_id: ['поток', 'stream', 'streamid'],
  door: ['дверь', 'door'],
  live: ['вид', 'тип', 'служебная', 'type', 'kind', 'service', 'servicecamera'],
  counts: ['считает', 'считаетдверь', 'counts', 'countsthedoor'],
};
const names: Readonly<Record<ImportKind, readonly string[]>> = {
  users: [],
  customers: ['название', 'клиент', 'компания', 'наименование', 'name', 'customer', 'company'],
  buses: ['автобус', 'номер', 'госномер', 'грз', 'название', 'bus', 'plate', 'name', 'number'],
  units: [],
  cameras: ['камера', 'название', 'name', 'camera'],
};

const plain = (heading: string): string => heading.toLowerCase().replace(/[^\p{L}\d]/gu, '');

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
