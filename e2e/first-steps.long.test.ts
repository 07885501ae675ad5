// A new installation, from an empty folder to the first counted passenger, as a person goes through it. The
// commands of the page run in a shell as they were copied.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, openContext } from '../harness/browser.ts';
import { type Product, startProduct, waitFor } from '../harness/product.ts';

const PASSWORD = 'the first password';
const ARRIVAL_LIMIT_MS = 20_000;
const runInShell = promisify(execFile);
let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const steps = () => page.getByRole('region', { name: 'Первые шаги' });
const next = (name: string) => steps().getByRole('link', { name });
const drawer = () => page.getByRole('complementary');
const field = (name: string) => drawer().getByLabel(name, { exact: true });
const create = async () => {
  await page.getByRole('button', { name: 'Создать', exact: true }).click();
  await page.getByText('Сохранено').first().waitFor();
};
const command = (number: number) => page.locator(`[data-command="${number}"]`);
const doneOf = (count: number) => steps().getByText(`Готово ${count} из 6`).waitFor();

/** The form proposes the only bus. */
const hasBus = () => expect.poll(() => field('Автобус').inputValue()).toMatch(/^А 001 АА/);

/** Pastes a command into a shell. @returns its output */
async function paste(number: number): Promise<string> {
  const text = await command(number).textContent();
  return (await runInShell('sh', ['-c', text ?? ''])).stdout;
}

const secondOfShell = async () => Number((await runInShell('date', ['+%s'])).stdout);

describe.each([
  ['at a desk', {}],
  ['on a phone', { phone: true }],
] as const)('the first administrator of a new installation, %s,', (_, visit) => {
  beforeAll(async () => {
    product = await startProduct({ args: [] });
    context = await openContext(browser, product.url, visit);
    page = await context.newPage();
  });
  afterAll(async () => {
    await context?.close();
    await product?.remove();
  });

  it('opens the link that the server printed, is made, and sees what to do first', async () => {
    const link = await product.setupPath();
    await page.goto(link);
    await page.getByLabel('Логин').fill('chief');
    await page.getByLabel('Новый пароль').fill(PASSWORD);
    await page.getByLabel('Ещё раз').fill(PASSWORD);
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Создать и войти' }).click();
    await doneOf(0);
    const again = await context.newPage();
    await again.goto(link);
    await again.getByRole('heading', { name: 'Ссылка не действует' }).waitFor();
    await again.close();
    expect(await findAxeFaults(page)).toEqual([]);
  });

  it('creates a customer, a bus, a unit with its credential and a camera', async () => {
    await next('Создать: Клиент').click();
    await field('Название').fill('Парк Север');
    await create();
    await page.goto('/');
    await doneOf(1);
    await next('Создать: Автобус').click();
    await field('Название').fill('А 001 АА');
    await field('Клиенты').fill('Парк Север');
    await create();
    await page.goto('/');
    await doneOf(2);
    await next('Создать: Прибор в автобусе').click();
    await field('Номер прибора').fill('RW-20311');
    await hasBus();
    await page.getByRole('button', { name: 'Создать', exact: true }).click();
    await drawer().getByText('больше он не будет показан').waitFor();
    await page.goto('/');
    await doneOf(3);
    await next('Создать: Камера').click();
    await hasBus();
    await field('Название').fill('Дверь 1');
    await field('Поток').fill('door1');
    await field('Дверь').fill('1');
    await create();
    await page.goto('/');
    await doneOf(4);
  });

  it('pastes a command into a shell, and is told that the position has arrived', async () => {
    await next('Подключить: Первая точка на карте').click();
    await page.getByText('Стоит в автобусе А 001 АА.').waitFor();
    await page.getByRole('button', { name: 'Выпустить ключ и показать команды' }).click();
    await command(1).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    expect(await page.getByText('Ждём…', { exact: true }).count()).toBe(2);
    expect(await paste(1)).toMatch(/"refused":\[\]/);
    await page.getByText(/Пришло в .*55\.75580, 37\.61730/).waitFor({ timeout: ARRIVAL_LIMIT_MS });
    expect(await page.getByText('Ждём…', { exact: true }).count()).toBe(1);
  });

  it('sends the first passenger, who is in the totals of the day', async () => {
    expect(await paste(2)).toMatch(/"refused":\[\]/);
    await page.getByText(/Посчитан в /).waitFor({ timeout: ARRIVAL_LIMIT_MS });
    await page.getByRole('link', { name: 'Открыть автобус А 001 АА' }).click();
    await page.waitForURL(/\/bus\/\d+$/);
    await page.getByText('взр. 1 · дет. 0').first().waitFor();
    await page.goto('/');
    await page.getByText('Вошло').first().waitFor();
    expect(await steps().count()).toBe(0);
  });

  it('may paste a command again: each time another record counts', async () => {
    await page.goto('/connect');
    await page.getByRole('button', { name: 'Выпустить ключ и показать команды' }).click();
    await command(2).waitFor();
    await paste(2);
    // The command numbers its record by the second.
    const pasted = await secondOfShell();
    await waitFor(async () => (await secondOfShell()) > pasted, 'the next second');
    expect(await paste(2)).toMatch(/"refused":\[\]/);
    await page.goto('/buses');
    await page.getByRole('link', { name: 'А 001 АА' }).first().click();
    await page.getByText('взр. 3 · дет. 0').first().waitFor();
  });
});
