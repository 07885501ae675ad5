// Whole tasks with the keyboard alone: no pointer moves in these stories, and after each dialog the focus is where one
// goes on.
import { codeOf, stepOf } from '@ridewatch/server/src/auth/totp.ts';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { bytesOfBase32 } from '../harness/base32.ts';
import { openBrowser } from '../harness/browser.ts';
import { pressOn, reach, typeInto, untilFocused } from '../harness/keyboard.ts';
import { ask, type Product, signIn } from '../harness/product.ts';
import { startRecordedDay } from '../harness/recorded-day.ts';
import { openVisit } from '../harness/visits.ts';

const FRAGMENTS = 2;

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  ({ product } = await startRecordedDay(
    { buses: 2, cameras: 1 },
    (morningMs) =>
      Array.from({ length: FRAGMENTS }, (_, n) => ({
        ...{ bus: 0, startMs: morningMs + n * 60_000, lengthMs: 6_000, clip: 'plain.mp4' as const },
        ...{ people: 5, entered: [2_000] },
      })),
    FRAGMENTS,
  ));
  await post('/api/admin/customers', { name: 'Парк Север' });
  const rows = [1, 2, 3, 4, 5].map((at) => [`С ${at} ВР`, 'Парк Север', at === 1 ? 'м6' : '']);
  const columns = ['name', 'client', 'group'];
  await post('/api/admin/import', { kind: 'buses', heading: 1, file: 'a.csv', columns, rows });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

async function post(address: string, body: object): Promise<void> {
  await ask(product.url, await signIn(product.url, 'admin'), 'POST', address, body);
}

async function open(address: string, as?: string): Promise<void> {
  context = await openVisit(browser, product.url, as === undefined ? {} : { as });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  page = await context.newPage();
  await page.goto(address);
}

const main = () => page.getByRole('main');
const dialog = () => page.getByRole('dialog').last();
const region = (name: string) => page.getByRole('region', { name, exact: true });
const button = (name: string, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: true });
const press = (control: Locator, key?: string) => pressOn(page, control, key);
const type = (field: Locator, text: string) => typeInto(page, field, text);
const copied = () => page.evaluate(() => navigator.clipboard.readText());
const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' });

it('a table is chosen, its columns named and its cells mended, written and undone', async () => {
  await open('/admin/buses', 'admin');
  const loads = button('Загрузить из таблицы');
  await press(loads);
  const chooser = page.waitForEvent('filechooser');
  await press(button('Выбрать файл', dialog()));
  const table = 'Борт;Клиент;Мест всего\nК 1 ЛВ;Парк Север;сто\nК 2 ЛВ;Парк Север;100\n';
  const file = { name: 'park.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
  await (await chooser).setFiles(file);
  await dialog().getByText('Не хватает столбца: «Название».').waitFor();
  await untilFocused(dialog());
  const column = dialog().getByLabel('Что в столбце A');
  await press(column, 'ArrowDown');
  expect(await column.inputValue()).toBe('name');

  await dialog().getByText('Ячейка C2: «сто»').waitFor();
  await press(button('1 из 1', dialog()));
  await untilFocused(dialog().getByLabel(/^Ячейка C2/));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('90');
  await page.keyboard.press('Enter');
  await dialog().getByText('2 добавятся').waitFor();
  await untilFocused(dialog());

  await press(button('Загрузить 2 автобуса', dialog()));
  await dialog().getByText('Готово. Добавлено: 2, изменено: 0.').waitFor();
  await untilFocused(dialog());
  await press(button('Отменить загрузку', dialog()));
  await button('Не отменять').waitFor();
  await untilFocused(dialog());
  await press(button('Отменить загрузку', dialog()));
  await closed();
  await page.getByRole('row', { name: /К 1 ЛВ/ }).waitFor({ state: 'detached' });
  await untilFocused(loads);

  await press(loads);
  const lines = dialog().getByRole('listitem').filter({ hasText: 'park.csv' });
  await lines.getByText('отменена').waitFor();
  await page.keyboard.press('Escape');
  await closed();
  await untilFocused(loads);
});

it('several rows are chosen with Space and Shift and an arrow, all with one key, and changed', async () => {
  await open('/admin/buses?q=ВР', 'admin');
  const box = (name: string) =>
    page.getByRole('checkbox', { name: `Выбрать: ${name}`, exact: true });
  await press(box('С 1 ВР'), 'Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('Выбрано: 3', { exact: true }).waitFor();
  await untilFocused(box('С 3 ВР'));
  await press(button('Снять выбор'));
  await page.getByText('Выбрано:').waitFor({ state: 'detached' });
  await untilFocused(box('С 1 ВР'));

  const all = page.getByRole('checkbox', { name: 'Выбрать все строки' });
  await press(all, 'Space');
  await page.getByText('Выбрано: 5', { exact: true }).waitFor();
  await untilFocused(all);
  const change = button('Маршрут с даты');
  await press(change);
  await untilFocused(dialog());
  await page.keyboard.press('Escape');
  await closed();
  await untilFocused(change);

  await press(change);
  await type(dialog().getByLabel('Маршрут', { exact: true }), 'м6');
  await press(button('Далее', dialog()));
  await dialog().getByText('Изменятся 4 строки из 5, ещё одна такая и есть').waitFor();
  await untilFocused(dialog());
  await press(button('Изменить 4 строки', dialog()));
  await page.getByText('Изменено строк: 4 из 5').waitFor();
  await closed();
  await untilFocused(box('С 1 ВР'));
});

it('a second factor is set up, its codes are read, and it lets in', async () => {
  await open('/account', 'operator');
  const factor = region('Вход с кодом');
  await press(button('Включить', factor));
  await untilFocused(factor.getByLabel('Пароль'));
  await press(button('Отмена', factor));
  await untilFocused(button('Включить', factor));
  await page.keyboard.press('Enter');
  await untilFocused(factor.getByLabel('Пароль'));
  await page.keyboard.type('demo');
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR-код для приложения с кодами' }).waitFor();
  await untilFocused(factor.getByLabel('Код из приложения'));
  const secret = bytesOfBase32((await factor.locator('code').textContent()) ?? '');
  await page.keyboard.type(codeOf(secret, stepOf(Date.now())));
  await page.keyboard.press('Enter');
  await untilFocused(factor.getByRole('heading', { name: 'Резервные коды' }));
  const codes = await factor.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await press(button('Скопировать коды', factor));
  await expect.poll(copied).toBe(`${codes.join('\n')}\n`);
  await untilFocused(button('Скопировать коды', factor));
  await press(button('Я их сохранил', factor));
  await factor.getByText(/Включён с/).waitFor();
  await untilFocused(factor);
  await press(button('Выйти'));
  await page.waitForURL(/\/login/);

  await untilFocused(page.locator('input[autocomplete=username]'));
  await page.keyboard.type('operator');
  await page.keyboard.press('Tab');
  await page.keyboard.type('demo');
  await page.keyboard.press('Enter');
  await untilFocused(page.getByLabel('Код', { exact: true }));
  await page.keyboard.type(codeOf(secret, stepOf(Date.now()) + 1));
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Главное меню' }).waitFor();
});

it('an API key is made, copied and revoked', async () => {
  await open('/account', 'owner1');
  const keys = region('Ключи API');
  const add = button('Новый ключ', keys);
  await press(add);
  await untilFocused(keys.getByLabel('Название'));
  await press(button('Отмена', keys));
  await untilFocused(add);
  await page.keyboard.press('Enter');
  await untilFocused(keys.getByLabel('Название'));
  await page.keyboard.type('Табло');
  await press(keys.getByLabel('Автобусы и маршруты'), 'Space');
  await press(button('Создать ключ', keys));
  const secret = (await keys.locator('code').textContent()) ?? '';
  const copy = button(`Скопировать ${secret}`, keys);
  await untilFocused(copy);
  await page.keyboard.press('Enter');
  await expect.poll(copied).toBe(secret);
  await untilFocused(copy);

  const revoke = button('Отозвать: Табло', keys);
  await press(revoke);
  await untilFocused(dialog());
  await page.keyboard.press('Escape');
  await closed();
  await untilFocused(revoke);
  await press(revoke);
  await press(button('Отозвать', dialog()));
  await page.getByText('Ключ отозван').waitFor();
  await keys.getByText('Ключей нет').waitFor();
  await untilFocused(add);
});

it('the command of a unit is copied whole, and another unit is chosen', async () => {
  await open('/connect', 'admin');
  const unit = page.getByRole('combobox', { name: 'Прибор' });
  const choose = async (name: string) => {
    await type(unit, name);
    await page.getByRole('option', { name: new RegExp(`^${name}`) }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await untilFocused(unit);
  };
  const issue = button('Выпустить ключ и показать команды');
  await choose('unit-1');
  await main().getByText('Стоит в автобусе Автобус 1.').waitFor();
  await press(issue);
  const command = page.locator('[data-command="1"]');
  await command.waitFor();
  await untilFocused(main());
  const copy = button('Скопировать команду').first();
  await press(copy);
  await expect.poll(copied).toBe(await command.textContent());
  expect(await copied()).toMatch(/^NOW=.*\/unit\/v1\/batches.*Bearer rwu_.*\]\}'$/s);
  await untilFocused(button('Скопировано'));

  await choose('unit-2');
  await main().getByText('Стоит в автобусе Автобус 2.').waitFor();
  expect(await command.count()).toBe(0);
  await press(issue);
  await command.waitFor();
});

it('a command is copied over plain http, too, where browsers have no clipboard API', async () => {
  await open('/connect', 'admin');
  await page.evaluate(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
  await type(page.getByRole('combobox', { name: 'Прибор' }), 'unit-1');
  await page.getByRole('option', { name: /^unit-1/ }).waitFor();
  await page.keyboard.press('Enter');
  await press(button('Выпустить ключ и показать команды'));
  await press(button('Скопировать команду').last());
  await untilFocused(button('Скопировано'));
  expect(await copied()).toBe(await page.locator('[data-command="2"]').textContent());
});

it('the product is seen as another user, walked through, and one’s own again', async () => {
  await open('/admin/users?q=owner1', 'admin');
  await press(page.getByRole('row', { name: /owner1/ }).getByRole('link'));
  const drawer = page.getByRole('complementary', { name: /owner1/ });
  await untilFocused(drawer);
  await press(button('Посмотреть как этот пользователь'));
  const bar = page.getByRole('complementary', { name: 'Просмотр от имени пользователя' });
  await bar.getByText('Просмотр как owner1.').waitFor();
  await untilFocused(main());
  await press(page.getByRole('link', { name: 'Автобусы', exact: true }));
  await press(page.getByRole('link', { name: /Автобус 1/ }).first());
  await page.waitForURL(/\/bus\/\d+/);
  await page.locator('[data-fragment]').first().waitFor();
  await untilFocused(main());
  await press(button('Закончить', bar));
  await page.waitForURL(/\/admin\/users\/\d+/);
  await page.getByText('Просмотр закончен').waitFor();
  await untilFocused(drawer);
  await page.keyboard.press('Escape');
  await untilFocused(page.getByRole('row', { name: /owner1/ }).getByRole('link'));
});

it('statistics of another period are shown and saved', async () => {
  await open('/stats', 'admin');
  const filters = page.getByRole('complementary', { name: 'Фильтры' });
  await press(button('Свои даты', filters));
  await press(button('Неделя', filters));
  await press(button('Построить отчёт', filters));
  await page.locator('[data-total="entered"]').waitFor();
  await untilFocused(button('Построить отчёт', filters));
  const before = button('Предыдущий период', filters);
  const address = page.url();
  await press(before);
  await page.waitForURL((now) => now.href !== address);
  await untilFocused(before);
  await press(button('Следующий период', filters));
  await page.waitForURL(address);

  const menu = button('Экспорт');
  await press(menu);
  await untilFocused(page.getByRole('dialog', { name: 'Экспорт' }));
  const saved = page.waitForEvent('download');
  await press(button('Сохранить таблицу (CSV)', dialog()));
  expect((await saved).suggestedFilename()).toMatch(/\.csv$/);
  await closed();
  await untilFocused(menu);

  await press(menu);
  await press(button('Отчёт: пассажиропоток', dialog()));
  const download = button('Скачать', dialog());
  await reach(page, download);
  const report = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await report).suggestedFilename()).toMatch(/\.xlsx$/);
  await untilFocused(dialog());
  await page.keyboard.press('Escape');
  await closed();
  await untilFocused(menu);
});

it('fragments of the queue are counted one after the other', async () => {
  await open('/review', 'admin');
  const panel = page.locator('aside [data-fragment]');
  await panel.waitFor();
  const first = await panel.getAttribute('data-fragment');
  await press(button('К содержанию страницы'));
  await untilFocused(main());
  await page.keyboard.press('Digit3');
  await untilFocused(page.locator('input[data-count]'));
  await page.keyboard.press('Enter');
  await page.locator(`aside [data-fragment="${first}"]`).waitFor({ state: 'detached' });
  await panel.waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Очередь пройдена' }).waitFor();
  await page.getByText(`Вы проверили сегодня ${FRAGMENTS} из ${FRAGMENTS}`).waitFor();
  await untilFocused(main());
});

it('on a phone the focus goes back to the row that was left, and to the button of a new one', async () => {
  const rows = Array.from({ length: 60 }, (_, n) => [`П ${100 + n} МО`, 'Парк Север']);
  const columns = ['name', 'client'];
  await post('/api/admin/import', { kind: 'buses', heading: 1, file: 'b.csv', columns, rows });
  context = await openVisit(browser, product.url, { as: 'admin', phone: true });
  page = await context.newPage();
  await page.goto('/admin/buses?q=МО');
  const link = (number: number) => page.getByRole('link', { name: `П ${number} МО`, exact: true });
  const drawer = page.getByRole('complementary');
  const leave = async () => {
    await untilFocused(drawer);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  };
  await press(link(105));
  await leave();
  await untilFocused(link(105));
  for (let number = 106; number <= 140; number += 1) {
    await page.keyboard.press('ArrowDown');
    await untilFocused(link(number));
  }
  await page.keyboard.press('Enter');
  await leave();
  await untilFocused(link(140));

  await page.keyboard.press('Enter');
  for (let number = 139; number >= 110; number -= 1) {
    await press(button('Предыдущая запись', drawer));
    await drawer.getByRole('heading', { name: `П ${number} МО` }).waitFor();
  }
  await leave();
  await untilFocused(link(110));

  const add = button('Добавить автобус');
  await press(add);
  await leave();
  await untilFocused(add);
});
