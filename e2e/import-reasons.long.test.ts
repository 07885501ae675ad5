// Why the cells of a table cannot be taken, and what they had before, is whole beside or below them.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { type Product, signIn, startProduct } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';

const DESCRIPTION = 'с подогревом сидений, '.repeat(8).trim();

let product: Product;
let browser: Browser;

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  const surname = 'Центрального района города';
  for (const name of ['Вокзал', 'ВОКЗАЛ', 'вокзал']) await create('customers', { name, surname });
  const client_ids = [await create('customers', { name: 'Парк Север' })];
  const bus = { name: 'У 1', timezone: 'Europe/Moscow', client_ids, description: DESCRIPTION };
  await create('buses', bus);
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

/** @returns the id of the new object */
async function create(path: string, body: object): Promise<number> {
  const answer = await fetch(`${product.url}/api/admin/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await signIn(product.url, 'admin')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  expect(answer.status, path).toBe(200);
  return ((await answer.json()) as { id: number }).id;
}

it.each([
  ['at 1,280 px', { width: 1280, height: 800 }],
  ['on a phone', { width: 390, height: 844 }],
])('each reason and each value before is whole, and no row covers another, %s', async (_, size) => {
  const context = await openVisit(browser, product.url, { as: 'admin' });
  const page = await context.newPage();
  await page.setViewportSize(size);
  await page.goto('/admin/buses');
  await page.getByRole('button', { name: 'Загрузить из таблицы' }).click();
  const dialog = page.getByRole('dialog');
  const rows = [
    'У 1;Парк Север;низкопольный',
    'У 2;Вокзал центрального района города;',
    'У 3;Никто;я',
  ];
  const content = `Номер;Клиент;Описание\n${rows.join('\n')}\n`;
  const file = { name: 'long.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog
    .getByRole('row')
    .filter({ hasText: `было: ${DESCRIPTION}` })
    .waitFor();
  const notes = await dialog.evaluate((element) =>
    [...element.querySelectorAll('tbody small')].map((one) => {
      const cell = one.parentElement ?? one;
      const clipped = [one, cell].filter(
        (part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight,
      );
      return { text: one.textContent, isWhole: clipped.length === 0 };
    }),
  );
  expect(notes).toEqual([
    { text: `было: ${DESCRIPTION}`, isWhole: true },
    { text: expect.stringMatching(/^таких клиентов несколько .* переименуйте/), isWhole: true },
    { text: 'не найдено', isWhole: true },
  ]);
  await page.waitForFunction(() => {
    const boxes = [...document.querySelectorAll('dialog tbody tr, [role=dialog] tbody tr')].map(
      (one) => one.getBoundingClientRect(),
    );
    return boxes.every(({ top }, at) => at === 0 || top >= (boxes[at - 1]?.bottom ?? 0) - 1);
  });
  await context.close();
});
