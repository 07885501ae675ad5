// More tasks with the keyboard alone (keyboard.long.test.ts has the first): the money and the laps of a day, prices, the
// cabin, alerts, reports, news, sessions, and a unit that moves.
import { readFile } from 'node:fs/promises';
import type { BusInfo } from '@ridewatch/contract/buses';
import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { playsVideos } from '../harness/browser.ts';
import { type Cabin, openCabin } from '../harness/cabin.ts';
import { waitForLaps } from '../harness/prepared-fleet.ts';
import { ask, sendRecords, signIn } from '../harness/product.ts';
import { openWalk, type Walk } from '../harness/walk.ts';

let cabin: Cabin;
let walk: Walk;
let token: string;

beforeAll(async () => {
  cabin = await openCabin();
  token = await signIn(cabin.product.url, 'admin');
  await waitForLaps(cabin.product, [cabin.busId], [cabin.yesterday]);
});
afterEach(() => walk?.leave());
afterAll(() => cabin?.close());

const call = <T>(method: string, address: string, body?: object): Promise<T> =>
  ask<T>(cabin.product.url, token, method, address, body);

async function open(address: string, as = 'admin'): Promise<void> {
  walk = await openWalk(cabin.browser, cabin.product.url, address, as);
}
const ofDay = (tab = '', more = '') => `/bus/${cabin.busId}${tab}?date=${cabin.yesterday}${more}`;

it('the money of a day is typed, saved and exported, and its sheet is printed', async () => {
  await open(ofDay());
  const { page, press, type, at, button, dialog } = walk;
  const money = page.getByRole('button', { name: /К сдаче/ });
  await press(money);
  const calculator = page.getByRole('dialog', { name: 'Расчёт за день' });
  await at(calculator);
  await type(calculator.getByLabel('Водитель'), 'Сергей Орлов');
  await walk.key('Enter');
  await calculator.getByText('Сохранено').first().waitFor();
  await at(calculator.getByLabel('Водитель'));
  await type(calculator.getByLabel('Сдано'), '100');
  await walk.key('Enter');
  await calculator.getByText('Разница').waitFor();
  const query = `workplaceId=${cabin.busId}&date=${cabin.yesterday}`;
  const stored = await call<Calculation>('GET', `/api/workplaces/calculation?${query}`);
  expect(stored).toMatchObject({ driver: 'Сергей Орлов', handed_in: '100.00' });

  const shift = button('Выбрать время смены', calculator);
  await press(shift);
  await press(
    page.getByRole('group', { name: 'Смена, начало: часы' }).getByRole('button', { name: '05' }),
  );
  await walk.key('Escape');
  await at(shift);
  expect(await calculator.getByRole('textbox', { name: 'Смена, начало' }).inputValue()).toBe(
    '05:00',
  );
  await press(button('Часы', calculator));
  await calculator.getByRole('table', { name: 'Часы' }).waitFor();
  const saved = page.waitForEvent('download');
  await press(button('Экспорт', calculator));
  expect((await saved).suggestedFilename()).toMatch(/\.csv$/);
  await walk.key('Escape');
  await calculator.waitFor({ state: 'detached' });
  await at(money);

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  const report = button('Отчёт');
  await press(report);
  await at(dialog());
  await press(button('Открыть лист', dialog()));
  const sheet = page.getByRole('dialog', { name: 'Лист за день' });
  await sheet.getByRole('article').getByText('Сергей Орлов').waitFor();
  await at(sheet);
  await press(button('Напечатать', sheet));
  await page.locator('body[data-printed]').waitFor();
  await walk.key('Escape');
  await walk.closed();
  await at(report);
});

it('the prices of a route are typed, moved among, taken back and filled by zones', async () => {
  const buses = await call<{ items: { id: number }[] }>('GET', '/api/bus_list');
  let priced: BusInfo | undefined;
  for (const { id } of buses.items) {
    const info = await call<BusInfo>('GET', `/api/bus/info/${id}`);
    if (info.group?.type_calculation === 'CALCULATION') priced = info;
  }
  await open(`/bus/${priced?.id}/route`);
  const { page, press, key, at, button, dialog } = walk;
  await press(page.getByRole('link', { name: /^Цены/ }));
  const cell = (row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`);
  await walk.reach(cell(0, 1));
  const before = await cell(0, 1).inputValue();
  await page.keyboard.type('51,5');
  await key('Enter');
  await at(cell(1, 1));
  await page.locator('td[data-state=saved]').waitFor();
  await key('ArrowUp');
  await at(cell(0, 1));
  expect(await cell(0, 1).inputValue()).toBe('51,50');
  await key('ControlOrMeta+Z');
  await expect.poll(() => cell(0, 1).inputValue()).toBe(before);
  await key('Escape');
  await key('Shift+Tab');
  await at(cell(0, 1));
  const fill = button('Заполнить по зонам');
  await press(fill);
  await at(dialog());
  await key('Escape');
  await walk.closed();
  await at(fill);
});

it('the settings of alerts are changed, refused at a field, and saved', async () => {
  await open('/');
  const { page, press, type, at, button } = walk;
  await press(page.getByRole('link', { name: 'Настроить оповещения' }));
  const whose = page.getByRole('combobox', { name: /^Чьи настройки/ });
  await press(whose);
  await page.getByRole('listbox').waitFor();
  await walk.key('ArrowDown');
  await walk.key('Enter');
  await page.waitForURL(/customer=\d+/);
  await at(whose);
  const minutes = page.getByLabel('Автобус молчит, минут');
  await type(minutes, '15');
  await press(page.getByLabel('Камера не в сети', { exact: true }), 'Space');
  await press(page.getByLabel('Не сообщать ночью'), 'Space');
  await type(page.getByLabel('С', { exact: true }), '25');
  const save = button('Сохранить');
  await press(save);
  await page.getByText('Введите часы и минуты: 22:00').waitFor();
  await type(page.getByLabel('С', { exact: true }), '22:00');
  await type(page.getByLabel('До', { exact: true }), '06:00');
  await type(page.getByLabel('Адреса, по одному в строке'), 'one@example.test');
  await press(button('English'));
  await press(save);
  await page.getByText('Настройки оповещений сохранены').waitFor();
  await at(save);
  await page.reload();
  await expect.poll(() => minutes.inputValue()).toBe('15');
});

it('a report is made, its file is saved, and one of the list is saved again', async () => {
  await open('/buses');
  const { page, press, at, button } = walk;
  await press(page.getByRole('link', { name: 'Расширенный отчёт' }));
  await press(button('Вчера'));
  const all = page.getByRole('checkbox', { name: /^Все/ });
  await press(all, 'Space');
  expect(await all.isChecked()).toBe(true);
  await press(button('Текст CSV'));
  const make = button('Скачать отчёт');
  const saved = page.waitForEvent('download');
  await press(make);
  const table = await readFile(await (await saved).path(), 'utf8');
  expect(table.split('\n').length).toBeGreaterThan(10);
  await at(make);

  const parameters = { kind: 'test-export', from: cabin.yesterday, to: cabin.yesterday };
  await call('POST', '/api/reports', { parameters, language: 'ru_RU' });
  await press(page.getByRole('link', { name: 'Отчёты', exact: true }));
  const ready = button('Готовые');
  await press(ready);
  await at(ready);
  const item = page.getByRole('listitem').filter({ hasText: 'Тестовая выгрузка' });
  const download = button('Скачать', item);
  const again = page.waitForEvent('download');
  await press(download);
  expect((await again).suggestedFilename()).toMatch(/\.xlsx$/);
  await at(download);
});

it('news and a question are written, and read by others', async () => {
  await open('/admin/news');
  const { page, press, type, key, at, button, dialog } = walk;
  const drawer = page.getByRole('complementary').last();
  const write = async (title: string, text: string, isQuestion: boolean) => {
    await press(button('Написать'));
    await at(drawer);
    if (isQuestion) {
      await press(drawer.getByRole('combobox', { name: /^Вид/ }));
      await page.getByRole('option', { name: 'вопрос' }).waitFor();
      await key('ArrowDown');
      await key('Enter');
      await at(drawer.getByRole('combobox', { name: /^Вид/ }));
    }
    await type(drawer.getByLabel('Заголовок'), title);
    await type(drawer.getByLabel('Текст'), text);
    await press(drawer.getByLabel('Показывать', { exact: true }), 'Space');
    await press(button('Создать', drawer));
    await drawer.getByRole('heading', { name: 'Как увидят читатели' }).waitFor();
    await at(drawer);
    await key('Escape');
    await at(page.getByRole('row', { name: new RegExp(title) }).getByRole('link'));
  };
  await write('Новые остановки', 'С понедельника.', false);
  await write('Где касса?', 'У входа в парк.', true);
  await press(page.getByRole('row', { name: /Где касса/ }).getByRole('link'));
  const remove = button('Удалить', drawer);
  await press(remove);
  await at(dialog());
  await key('Escape');
  await at(remove);
  await walk.leave();

  await open('/buses', 'owner1');
  const reader = walk.page;
  const bell = reader.getByRole('button', { name: /^(Уведомления|События)/ });
  await walk.press(bell);
  const panel = reader.getByRole('dialog', { name: /^Уведомления/ });
  await panel.waitFor();
  await walk.at(bell);
  await walk.press(panel.getByRole('link', { name: /Новые остановки/ }));
  await reader.waitForURL(/\/news/);
  await walk.press(walk.main().getByRole('link', { name: 'Вопросы и ответы' }));
  await reader.waitForURL(/\/faq/);
  await walk.at(walk.main());
  const question = reader.locator('summary', { hasText: 'Где касса?' });
  await walk.press(question);
  await reader.getByText('У входа в парк.').waitFor();
  await walk.at(question);
});

it('sessions are ended one by one', async () => {
  for (let n = 0; n < 2; n += 1) await signIn(cabin.product.url, 'owner2');
  await open('/account', 'owner2');
  const { press, at, button } = walk;
  const sessions = walk.region('Мои сеансы');
  const ends = sessions.getByRole('button', { name: 'Завершить сеанс' });
  await ends.first().waitFor();
  for (let left = await ends.count(); left > 0; left -= 1) {
    await press(ends.first());
    await expect.poll(() => ends.count()).toBe(left - 1);
    await at(sessions);
  }
  const all = button('Выйти на всех устройствах');
  await at(all);
  await walk.key('Enter');
  await at(walk.dialog());
  await press(button('Отмена', walk.dialog()));
  await walk.closed();
  await at(all);
});

it('a unit is moved to another bus from a moment on', async () => {
  const customer = await call<{ id: number }>('POST', '/api/admin/customers', { name: 'Парк Юг' });
  const buses: { id: number }[] = [];
  for (const name of ['А 101', 'Б 202']) {
    const bus = { name, client_ids: [customer.id], timezone: 'Europe/Moscow' };
    buses.push(await call('POST', '/api/admin/buses', bus));
  }
  const { unit, credential } = await call<{ unit: { id: number }; credential: string }>(
    ...(['POST', '/api/admin/units', { device_id: 'RW-7', bus_id: buses[0]?.id }] as const),
  );
  const time = new Date(Date.now() - 20 * 60_000).toISOString();
  const person = { type: 'passenger', time, door: 1, direction: 'entered', passenger: 'adult' };
  await sendRecords(cabin.product.url, credential, [person]);
  await open('/admin/units?q=RW-7');
  const { page, press, type, key, at, button } = walk;
  await press(page.getByRole('row', { name: /RW-7/ }).getByRole('link'));
  const drawer = page.getByRole('complementary', { name: 'RW-7' });
  await at(drawer);
  await press(button('Изменить', drawer));
  await at(drawer.getByLabel('Номер прибора'));
  await type(drawer.getByRole('combobox', { name: 'Автобус' }), 'Б 2');
  // Until it has searched, Enter takes nothing.
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Б 202 · Парк Юг']);
  await key('Enter');
  const hourAgo = formatMoment(Date.now() - 3_600_000, FALLBACK_ZONE, 'DD.MM.YYYY HH:mm');
  const [day, clock] = hourAgo.split(' ') as [string, string];
  await press(button('Переставлен с: —', drawer));
  await type(page.getByLabel('Дата цифрами'), day);
  await key('Enter');
  await at(button(`Переставлен с: ${day}`, drawer));
  await type(drawer.getByLabel('Время, московское'), clock);
  await press(button('Сохранить', drawer));
  await drawer.getByText('Стоит здесь с').waitFor();
  await at(button('Изменить', drawer));
  expect((await call<{ bus: { id: number } }>('GET', `/api/admin/units/${unit.id}`)).bus.id).toBe(
    buses[1]?.id,
  );
});

it('laps and stops of a day are gone through, on the list and on the map', async () => {
  await open(ofDay('/gps'));
  const { page, press, key, at, button } = walk;
  const lap = (number: number) => page.getByRole('tab', { name: new RegExp(`^Круг ${number} `) });
  await press(lap(1), 'ArrowRight');
  await page.waitForURL(/lap=2/);
  await at(lap(2));
  await press(button('Закрепить трек'));
  await page.waitForURL(/pin=2/);
  await at(button('Закрепить трек').or(button('Открепить: Круг 2')).first());

  const stops = page.locator('[data-place]');
  await press(stops.nth(1));
  await page.waitForURL(/stop=/);
  await page.locator('[data-place][aria-current]').waitFor();
  await at(page.locator('[data-place][aria-current]'));
  const first = page.url();
  await key('ArrowDown');
  await page.waitForURL((now) => now.href !== first);
  await key('Escape');
  await page.waitForURL((now) => !now.searchParams.has('stop'));

  await press(button('Крупнее'));
  await at(button('Крупнее'));
  const mark = page.locator('section[aria-label=Карта] button[aria-pressed][tabindex="0"]');
  await press(mark, 'ArrowRight');
  await key('Enter');
  await page.waitForURL(/stop=/);
  await at(page.locator('section[aria-label=Карта] button[aria-pressed=true]'));
  await press(button('Показать весь круг'));
  await page.waitForURL((now) => !now.searchParams.has('stop'));
});

it('recordings of the cabin are asked for, cancelled and looked through, and it is watched live', async () => {
  await open(ofDay('/service'), 'owner1');
  const { page, press, type, key, at, button } = walk;
  const bar = walk.region('Запросить с регистратора');
  await type(bar.getByLabel('С', { exact: true }), '130000');
  await type(bar.getByLabel('По', { exact: true }), '134000');
  await key('Enter');
  const ask = button('С этой камеры', bar);
  await press(ask);
  await at(ask);
  const request = bar.getByRole('listitem').filter({ hasText: '13:00:00 – 13:40:00' });
  await press(button('Отменить', request));
  await request.getByText('отменено').waitFor();
  await at(bar);
  await press(button('Снять выделение', bar));
  await at(bar);

  // The list begins rows before its first one in view. When that takes the focus, the list scrolls, and begins with another.
  const top = await page.locator('[data-fragment]').first().getAttribute('data-fragment');
  await press(page.locator(`[data-fragment="${top}"] > button`));
  await page.waitForURL(/fragment=\d+/);
  const first = page.url();
  await key('ArrowDown');
  await page.waitForURL((now) => now.href !== first);

  const live = button('Эфир');
  await press(live);
  await page.waitForURL(/part=live/);
  await at(live);
  const view = page.getByRole('complementary', { name: /^Эфир/ });
  if (await playsVideos(cabin.browser)) await view.getByText('эфир', { exact: true }).waitFor();
  const wide = button('Во весь экран', view);
  await walk.reach(wide);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.fullscreenElement !== null);
  // As the browser does at Escape, which no page sees.
  await page.evaluate(() => document.exitFullscreen());
  await at(wide);
  await press(button('Записи'));
  await view.waitFor({ state: 'detached' });
});
