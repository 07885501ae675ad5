// Several rows at once: chosen with the pointer and with keys, changed together or not at all.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, type Visit } from '../harness/browser.ts';
import { type Product, signIn, startProduct } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  for (const name of ['Парк Север', 'Парк Юг']) await post('/api/admin/customers', { name });
  const rows = Array.from({ length: 8 }, (_, at) => [
    ...[`А ${at + 1} МР`, at < 6 ? 'Парк Север' : 'Парк Юг', at === 0 ? 'м6' : '', `RW-${at}`],
  ]);
  const columns = ['name', 'client', 'group', 'device_id'];
  await post('/api/admin/import', { kind: 'buses', heading: 1, file: 'a.csv', columns, rows });
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

async function post(path: string, body: object) {
  const token = await signIn(product.url, 'admin');
  await fetch(`${product.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function open(address: string, options: Visit = {}): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: 'admin' });
  page = await context.newPage();
  await page.goto(address);
}
const box = (name: string) => page.getByRole('checkbox', { name: `Выбрать: ${name}`, exact: true });
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('buses', () => {
  it('are put on a route together, and the address carries the filter by route', async () => {
    await open('/admin/buses?q=МР');
    const before = await box('А 3 МР').boundingBox();
    await box('А 1 МР').check();
    await page.getByText('Выбрано: 1').waitFor();
    expect(await box('А 3 МР').boundingBox()).toEqual(before);
    await box('А 3 МР').click({ modifiers: ['Shift'] });
    await page.getByText('Выбрано: 3').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('Выбрано: 4').waitFor();
    await button('Маршрут с даты').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Маршрут', { exact: true }).fill('м6');
    await dialog.getByRole('button', { name: 'Далее' }).click();
    // The first bus is on the route already.
    await dialog.getByText('Изменятся 3 строки из 4, ещё одна такая и есть').waitFor();
    const lines = dialog.getByRole('listitem');
    await expect.poll(() => lines.count()).toBe(3);
    await dialog
      .getByText(/^А 2 МР · Парк Север: без маршрута → м6, с \d\d\.\d\d\.\d{4}$/)
      .waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Изменить 3 строки' }).click();
    await page.getByText('Изменено строк: 3 из 4').waitFor();
    expect(await page.getByText('Выбрано').count()).toBe(0);

    await page.getByLabel('Маршрут', { exact: true }).fill('м6 · Парк Север');
    await page.getByText('найдено 4').waitFor();
    expect(new URL(page.url()).searchParams.get('route')).toMatch(/^"?\d+"?$/);
    await page.reload();
    await page.getByText('найдено 4').waitFor();
  });

  it('all stay when some are refused: the dialog names each, and goes on without them', async () => {
    await open('/admin/buses?q=МР');
    await page.getByRole('checkbox', { name: 'Выбрать все строки' }).click();
    await page.getByText('Выбрано: 8').waitFor();
    await button('Маршрут с даты').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Маршрут', { exact: true }).fill('м6 · Парк Север');
    await dialog.getByRole('button', { name: 'Далее' }).click();
    await dialog.getByText('Так нельзя изменить 2 строки из 8').waitFor();
    await dialog.getByText('А 7 МР · Парк Юг: Маршрут другого клиента').waitFor();
    await dialog.getByText('А 8 МР · Парк Юг: Маршрут другого клиента').waitFor();
    expect(await dialog.getByLabel('Маршрут', { exact: true }).inputValue()).toMatch(/^м6/);
    expect(await findAxeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Оставить их как есть' }).click();
    await page.getByText('Выбрано: 6').waitFor();
    await dialog.getByRole('button', { name: 'Далее' }).click();
    await dialog.getByRole('button', { name: /^Изменить \d/ }).waitFor();
    await dialog.getByRole('button', { name: 'Отмена' }).click();
  });

  it('leave the fleet and return together', async () => {
    await open('/admin/buses?q=МР');
    await box('А 7 МР').check();
    await box('А 8 МР').check();
    await button('Вывести из парка').click();
    await page.getByRole('dialog').getByText('Автобусы уйдут из списков.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Изменить 2 строки' }).click();
    await page.getByText('Изменено строк: 2').waitFor();
    await page.getByText('найдено 6').waitFor();
    await page.goto('/admin/buses?retired=true');
    await box('А 7 МР').check();
    await box('А 8 МР').check();
    await button('Вернуть в парк').click();
    await button('Изменить 2 строки').click();
    await page.getByText('Изменено строк: 2').waitFor();
  });

  it('are given to another customer, with all days if they have sent nothing', async () => {
    await open('/admin/buses?q=МР');
    await box('А 5 МР').check();
    await box('А 6 МР').check();
    await button('Передать клиенту').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Клиент', { exact: true }).fill('Парк Юг');
    await dialog.getByRole('button', { name: 'Далее' }).click();
    await dialog.getByText('Изменятся все выбранные: 2').waitFor();
    // They have sent nothing yet.
    await dialog.getByText('А 5 МР: Парк Север → Парк Юг, все дни').waitFor();
    await dialog.getByText('Данных ещё не было: к новому клиенту перейдут все дни.').waitFor();
    await dialog.getByRole('button', { name: 'Изменить 2 строки' }).click();
    await page.getByText('Изменено строк: 2').waitFor();
    await row('А 5 МР').getByText('Парк Юг').waitFor();
  });

  it('show what happened last to the unit', async () => {
    await open('/admin/buses?q=А 1 МР');
    await row('А 1 МР').getByRole('link').click();
    await page.getByRole('complementary').getByText('Ещё ничего не было.').waitFor();
  });
});

describe('users', () => {
  it('are disabled together', async () => {
    await open('/admin/users?q=owner');
    await box('owner1').check();
    await box('owner2').check();
    await button('Отключить').click();
    await page.getByText('Их сеансы закончатся сразу').waitFor();
    await button('Изменить 2 строки').click();
    await page.getByText('Изменено строк: 2').waitFor();
    await row('owner1').getByText('нет', { exact: true }).waitFor();
  });
});

describe('customers', () => {
  it('get days of retention together', async () => {
    await open('/admin/customers?q=Парк');
    await box('Парк Север').check();
    await box('Парк Юг').check();
    await button('Срок хранения').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('30');
    await dialog.getByRole('button', { name: 'Далее' }).click();
    await dialog.getByRole('button', { name: 'Изменить 2 строки' }).click();
    await page.getByText('Изменено строк: 2').waitFor();
    await row('Парк Юг').getByRole('link').click();
    await page.getByRole('complementary').getByText('30', { exact: true }).waitFor();
  });
});

it.each([
  ['on a desktop', {}],
  ['in the dark', { dark: true }],
])('chosen rows have no faults that axe finds, %s', async (_, options) => {
  await open('/admin/buses?q=МР', options);
  await box('А 1 МР').check();
  await button('Маршрут с даты').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});
