// News and banners: an administrator writes them, sees them as readers will, and readers see them.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { type BareProduct, startBareProduct } from '../harness/bare-product.ts';
import type { Visit } from '../harness/browser.ts';

let bare: BareProduct;
let page: Page;

beforeAll(async () => {
  bare = await startBareProduct();
});
afterAll(() => bare?.close());
afterEach(() => bare?.leave());

async function open(address: string, login = 'admin', options: Visit = {}): Promise<void> {
  page = await bare.visit(address, login, options);
}
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const drawer = () => page.locator('aside').first();
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
const banner = () => page.getByRole('complementary', { name: 'Работы ночью' });
/** The bus list of a customer without buses; it waits for the banners. */
const list = () => page.getByRole('heading', { name: 'Автобусов пока нет' });
/** Creates the banner as an administrator, and shows it. */
async function writeBanner(): Promise<void> {
  await open('/admin/messages/new');
  await field('Заголовок').fill('Работы ночью');
  await field('Текст').fill('Возможны перерывы.');
  await field('Показывать').check();
  await button('Создать').click();
  await page.getByText('Сохранено').first().waitFor();
}
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

async function attach(name: string, buffer: Buffer): Promise<void> {
  const file = { name, mimeType: 'application/octet-stream', buffer };
  await page.locator('input[type=file]').setInputFiles(file);
}

describe('news', () => {
  it('are written, get an image, are shown, changed and deleted', async () => {
    await open('/admin/news');
    await button('Написать').click();
    await field('Заголовок').fill('Новые остановки');
    await field('Текст').fill('С понедельника.\nСхема: https://example.test/map');
    await button('Создать').click();
    await page.getByText('Сохранено').first().waitFor();
    await page.getByText('не показана').first().waitFor();
    await page.getByRole('link', { name: 'https://example.test/map' }).waitFor();
    await attach('map.txt', PNG);
    await page.getByRole('img', { name: 'Новые остановки' }).waitFor();
    await page.getByText('map.txt · PNG').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);

    await button('Изменить').click();
    await field('Показывать').check();
    await button('Сохранить').click();
    await page.getByText('показана', { exact: true }).first().waitFor();

    await open('/news', 'owner1');
    await page.getByRole('heading', { name: 'Новые остановки' }).waitFor();
    await page.getByRole('img', { name: 'Новые остановки' }).waitFor();
    const isRead = page.waitForResponse((response) => response.url().endsWith('/read'));
    await page.getByRole('link', { name: 'Отчёты' }).click();
    expect((await isRead).status()).toBe(204);

    await open('/admin/news?state=true');
    await row('Новые остановки').getByRole('link').click();
    await page.getByRole('heading', { name: 'Прочитали' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'owner1' }).waitFor();
    // An SVG is a file to download, whatever its name says.
    await attach('map.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await page.getByRole('link', { name: 'Скачать map.png' }).waitFor();
    await button('Удалить').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click();
    await page.waitForURL((address) => address.pathname === '/admin/news');
    await row('Новые остановки').waitFor({ state: 'detached' });
  });
});

describe('a banner', () => {
  it('is shown above the bus list on its days, until it is switched off', async () => {
    await writeBanner();
    await drawer().getByText('Возможны перерывы.').waitFor();
    await open('/buses', 'owner1');
    await banner().waitFor();

    await open('/admin/messages');
    await row('Работы ночью').getByRole('link').click();
    await button('Изменить').click();
    await field('Показывать').uncheck();
    await button('Сохранить').click();
    await page.getByText('не показано').first().waitFor();
    await open('/buses', 'owner1');
    await list().waitFor();
    expect(await banner().count()).toBe(0);
  });

  it('stays closed for who has closed it, after a reload and on another device', async () => {
    await writeBanner();
    await open('/buses', 'owner1');
    const isClosed = page.waitForResponse((response) => response.url().endsWith('/close'));
    await banner().getByRole('button').click();
    await banner().waitFor({ state: 'detached' });
    expect((await isClosed).status()).toBe(204);
    await page.reload();
    await list().waitFor();
    expect(await banner().count()).toBe(0);
    await open('/buses', 'owner1', { phone: true });
    await list().waitFor();
    expect(await banner().count()).toBe(0);
    await open('/buses');
    await banner().waitFor();
  });
});

it.each([
  ['on a desktop', {}],
  ['in the dark', { dark: true }],
  ['on a phone', { phone: true }],
])('the form of news has no faults that axe finds, %s', async (_, options) => {
  await open('/admin/news/new', 'admin', options);
  await field('Заголовок').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
});

it('an integrator has no news to write', async () => {
  await open('/admin/buses', 'integrator');
  await page.getByRole('navigation', { name: 'Разделы управления' }).waitFor();
  expect(await page.getByRole('link', { name: /Новости и вопросы/ }).count()).toBe(0);
});
