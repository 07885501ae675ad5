// The audit log speaks the words of the user's language, names objects, and says which loaded table wrote a row.
import { type AuditRow, findAuditRow, listAudit } from '@ridewatch/contract/admin-audit';
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../test/browser.ts';
import { admin, page } from '../../test/made.ts';
import { freshServer, openScreen } from '../../test/open.tsx';
import type { FakeServer } from '../../test/server.ts';

const row = (more: Partial<AuditRow>): AuditRow => ({
  ...{ id: 1, at: NOW, user: { id: 1, name: 'admin' }, unit: null, action: 'set_bus' },
  ...{ object_type: 'workplace', object_id: '12', object_name: 'А 472 КМ', names: {} },
  ...{ before: null, after: null, request_id: null, import_id: null, address: null, ...more },
});

let server: FakeServer;
beforeEach(() => {
  server = freshServer();
  server.answer(findAdminOverview, {
    ...{
      sections: [{ section: 'audit', count: null }],
      clients: [],
      video_off: null,
      closed_ports: [],
    },
  });
});

type Opening = Parameters<typeof openScreen>[2];

async function openLog(made: AuditRow, { id = '', ...opening }: Opening & { id?: string } = {}) {
  server.answer(listAudit, { ...page([made]), actions: [], object_types: [] });
  server.answer(findAuditRow, made);
  return openScreen(server, `/admin/audit/${id}`, { user: admin, language: 'ru_RU', ...opening });
}
/** The cells of the only row: time, who, action, object, change. */
async function cellsOf(made: AuditRow, opening?: Opening): Promise<(string | null)[]> {
  await openLog(made, opening);
  await screen.findByRole('link', { name: /10\.03\.2026/ });
  const [, only] = screen.getAllByRole('row');
  return within(only as HTMLElement)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
}

describe('a unit that got another protocol', () => {
  const change = (before: object, after: object) =>
    row({ action: 'set_unit', object_type: 'unit', object_name: 'RW-7', before, after });

  it.each([
    [
      ...(['ru_RU', 'egts_counts', 'delta', 'cumulative'] as const),
      'Что передаёт счётчик дверей: сколько прошло с прошлого раза → общий счёт, который только растёт',
    ],
    ['ru_RU', 'jt808_clock_hours', 8, 3, 'Часы прибора: 8 → 3'],
    ['ru_RU', 'jt808_door', 1, 2, 'Дверь счётчика: 1 → 2'],
    [
      ...(['ru_RU', 'jt808_uploads', 'any', 'wifi'] as const),
      'Записи видео приходят: по любой связи → только по Wi-Fi, в парке',
    ],
    ['en_US', 'osmand_speed', 'knots', 'kmh', 'Unit of speed: knots (Traccar Client) → km/h'],
    ['en_US', 'protocol', 'egts', 'jt808', 'Protocol: EGTS → JT/T 808'],
    ['en_US', 'protocol_id', '7', '8', 'Number in the protocol: 7 → 8'],
  ] as const)('says so in words, in %s: %s', async (language, field, was, is, said) => {
    const cells = await cellsOf(change({ [field]: was }, { [field]: is }), { language });
    expect(cells.at(-1)).toBe(said);
  });

  it.each([
    ['ru_RU', 'Новый идентификатор: да'],
    ['en_US', 'New identifier: yes'],
  ] as const)('says of the id of a phone only that it is new, in %s', async (language, said) => {
    const cells = await cellsOf(change({}, { has_new_id: true }), { language });
    expect(cells.at(-1)).toBe(said);
  });
});

describe('a system to which records are passed on', () => {
  const after = { port: 20_332, enabled: true, sign_in: 'none', late_minutes: 15 };
  const changed = row({ action: 'set_upstream', object_type: 'upstream', before: {}, after });

  it.each([
    [
      'ru_RU',
      'Порт: 20332, Передавать: да, Как представляться: никак, Предупреждать, если записи ждут дольше, мин: 15',
    ],
    [
      'en_US',
      'Port: 20332, Pass records on: yes, How to sign in: not at all, Warn when records wait longer, min: 15',
    ],
  ] as const)(
    'is told in the words of its form, and its port as a number, in %s',
    async (language, said) => {
      const cells = await cellsOf(changed, { language });
      expect(cells.at(-1)).toBe(said);
    },
  );
});

describe('an id that no unit has', () => {
  const ignored = (after: object) =>
    row({
      ...{ action: 'ignore_unknown_unit', object_type: 'unknown_unit', object_id: '1161' },
      ...{ object_name: null, before: { ignored: false }, after: { ignored: true, ...after } },
    });

  it('is named by its protocol and its number there, a secret one by its row', async () => {
    const egts = await cellsOf(ignored({ protocol: 'egts', protocol_id: '133552' }));
    expect(egts.slice(-2)).toEqual(['неизвестный прибор EGTS 133552', 'Не наш: нет → да']);
  });

  it('of a phone is named by its protocol and the number of its row', async () => {
    const phone = await cellsOf(ignored({ protocol: 'osmand' }));
    expect(phone.slice(-2)).toEqual(['неизвестный прибор OsmAnd № 1161', 'Не наш: нет → да']);
  });
});

describe('a row that a loaded table wrote', () => {
  const loaded = row({ action: 'create_bus', after: { name: 'А 1' }, import_id: 5 });

  it.each([
    ['ru_RU', 'таблица № 5 · Название: А 1'],
    ['en_US', 'table no. 5 · Name: А 1'],
  ] as const)('says the number of the table in the list, in %s', async (language, change) => {
    expect((await cellsOf(loaded, { language })).at(-1)).toBe(change);
  });

  it('says it on phones', async () => {
    await openLog(loaded, { device: 'phone' });
    expect(await screen.findByText(/ · автобус А 472 КМ · таблица № 5$/)).toBeVisible();
  });

  it('leads from its drawer to the other rows of the table', async () => {
    await openLog(loaded, { id: '1' });
    const all = await screen.findByRole('link', { name: '№ 5' });
    expect(all).toHaveAttribute('href', '/admin/audit?import=5');
  });

  it('is about the table itself where it is the load or its undoing', async () => {
    const load = row({
      ...{ action: 'import', object_id: null, object_name: null, import_id: 5 },
      after: { file: 'парк.xlsx', routes: 0, created: 2, changed: 0 },
    });
    expect((await cellsOf(load)).slice(2)).toEqual([
      ...['загрузка таблицы', 'таблица № 5', 'Файл: парк.xlsx, Создано: 2, Изменено: 0'],
    ]);
  });
});

describe('the words of the audit log', () => {
  it.each<[string, Partial<AuditRow>, object: string, change: string]>([
    [
      'what a key may read',
      {
        ...{ action: 'create_api_key', object_type: 'api_key', object_name: 'Табло' },
        after: { name: 'Табло', scopes: ['buses', 'money'], expires_at: null },
      },
      'ключ API Табло',
      'Название: Табло, Что можно читать: Автобусы и маршруты, Расчёты и цены, Действует до: —',
    ],
    [
      'a stop of a route without its number',
      {
        ...{ action: 'delete_route_stop', object_type: 'route_group', object_name: '156' },
        before: { id: 24, name: 'Школа', classifierId: 3, routeDirection: 'FORWARD' },
        after: { id: 24, valid_from: '2026-03-10' },
        names: { classifierId: { 3: 'Школа № 5' } },
      },
      'маршрут 156',
      'Название: Школа, Место остановки: Школа № 5, Направление: туда, Действует с: 10.03.2026',
    ],
    [
      'only what changes of a stop',
      {
        ...{ action: 'update_route_stop', object_type: 'route_group', object_name: '156' },
        before: { id: 24, name: 'Школа', latitude: 55.7, inDefault: true },
        after: { id: 24, name: 'Лицей', valid_from: '2026-03-10' },
      },
      'маршрут 156',
      'Название: Школа → Лицей, Действует с: 10.03.2026',
    ],
    [
      'the stops of a price',
      {
        ...{ action: 'set_route_costs', object_type: 'route_group', object_name: '156' },
        after: { items: [{ from_stop_id: 1, to_stop_id: 2, cost: '45.00' }] },
        names: { from_stop_id: { 1: 'Вокзал' }, to_stop_id: { 2: 'Рынок' } },
      },
      'маршрут 156',
      'Значения: От остановки: Вокзал; До остановки: Рынок; Цена: 45.00',
    ],
    [
      'the job that ran again, its object and why it had failed',
      {
        ...{ action: 'retry_job', object_type: 'job', object_id: '639', object_name: null },
        before: {
          ...{ task: 'laps_of_day', bus: { id: 12, name: 'А 472 КМ' }, date: '2026-03-09' },
          ...{ key: 'day:12:2026-03-09', attempts: 25, error: 'deadlock detected' },
        },
      },
      'задание № 639',
      'День: 09.03.2026, Задание: круги дня, Автобус: А 472 КМ, Попытки: 25, Ошибка: помешало другое задание',
    ],
    [
      'the settings of the server',
      {
        ...{ action: 'set_attention_settings', object_type: 'installation' },
        ...{ object_id: null, object_name: null, after: { has_new_secret: false } },
      },
      'сервер',
      'Новый ключ подписи: нет',
    ],
    [
      'a table that was saved',
      {
        ...{ action: 'export', object_type: 'workplace', object_id: null, object_name: null },
        after: { format: 'csv', rows: 9 },
      },
      'Автобусы',
      'Формат: csv, Строк: 9',
    ],
    [
      'the filters of a saved log',
      {
        ...{ action: 'export', object_type: 'audit_log', object_id: null, object_name: null },
        after: { kind: 'change', action: 'set_bus', objectType: 'workplace', importId: 5 },
      },
      'журнал',
      'Вид: Изменения, Действие: изменение автобуса, Объект: автобус, Загрузка таблицы: № 5',
    ],
    [
      'credentials that end, which are no sessions',
      {
        ...{ action: 'rotate_credential', object_type: 'unit', object_name: 'RW-15' },
        after: { ending: 1 },
      },
      'прибор RW-15',
      'Ключей действует ещё сутки: 1',
    ],
    [
      'credentials that were revoked',
      {
        ...{ action: 'revoke_credentials', object_type: 'unit', object_name: 'RW-15' },
        after: { ended: 2 },
      },
      'прибор RW-15',
      'Отозвано ключей: 2',
    ],
    [
      'the states of a fragment and the file that somebody saw',
      {
        ...{ action: 'fetch_segment', object_type: 'segment', object_name: 'А 1 · Дверь 1' },
        before: { status: 'LIVE' },
        after: { status: 'DOWNLOADING_FROM_TASK', variant: 'playable' },
      },
      'фрагмент А 1 · Дверь 1',
      'Статус: на регистраторе → запрошено, Вариант видео: для просмотра',
    ],
    [
      'the type of a camera, and its use',
      {
        ...{ action: 'set_camera', object_type: 'camera', object_name: 'Дверь 1' },
        ...{ before: { live: false, enabled: true }, after: { live: true, enabled: false } },
      },
      'камера Дверь 1',
      'Вид: у двери → служебная, Используется: да → нет',
    ],
    [
      'a fleet that was set up',
      {
        ...{ action: 'set_up_fleet', object_type: 'fleet', object_id: null, object_name: null },
        after: { made: { customers: 1, buses: 8, groups: 6, cameras: 22 } },
      },
      'парк',
      'Создано: Клиентов: 1; Автобусов: 8; Маршрутов: 6; Камеры: 22',
    ],
    [
      'a new customer without its number',
      {
        ...{ action: 'create_client', object_type: 'client', object_name: 'Иван Ляпкин' },
        after: { id: 23, name: 'Иван', surname: 'Ляпкин', status: 1 },
      },
      'клиент Иван Ляпкин',
      'Название: Иван, Фамилия: Ляпкин, Статус: работает',
    ],
  ])('are those of the screens for %s', async (_, made, object, change) => {
    expect((await cellsOf(row(made))).slice(3)).toEqual([object, change]);
  });
});
