// The largest table: 50,000 cameras are exported as XLSX, and the page reads that file back and finds nothing to change.
import { MOST_IMPORT_ROWS } from '@ridewatch/contract/admin-import';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { ask, type Product, queryOf, signIn, startProduct } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';

/** For writing, reading and checking the file, beside busy processes. */
const LIMIT_MS = 120_000;

let product: Product;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  const token = await signIn(product.url, 'admin');
  const post = (path: string, body: object) =>
    ask<{ id: number }>(product.url, token, 'POST', path, body);
  const client = await post('/api/admin/customers', { name: 'Парк' });
  const bus = await post('/api/admin/buses', {
    ...{ name: 'Б 1', client_ids: [client.id], timezone: 'Europe/Moscow' },
  });
  await queryOf(
    product,
    `insert into cameras (workplace_id, name, stream_id)
     select $1, 'Дверь ' || n, 's' || n from generate_series(1, $2::int) as n`,
    [bus.id, MOST_IMPORT_ROWS],
  );
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await product?.remove();
});

it('of 50,000 rows is read back from its spreadsheet, and says what is stored already', async () => {
  context = await openVisit(browser, product.url, { as: 'admin' });
  const page = await context.newPage();
  await page.goto('/admin/cameras');
  const saved = page.waitForEvent('download', { timeout: LIMIT_MS });
  await page.getByRole('button', { name: 'Скачать XLSX', exact: true }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('Камеры.xlsx');
  await page.getByRole('button', { name: 'Загрузить из таблицы' }).click();
  const dialog = page.getByRole('dialog');
  const file = await download.createReadStream();
  const buffer = Buffer.concat(await file.toArray());
  const mimeType = 'application/octet-stream';
  await dialog.locator('input[type=file]').setInputFiles({ name: 'Камеры.xlsx', mimeType, buffer });
  await dialog.getByText(/^50\s?000 строк$/).waitFor({ timeout: LIMIT_MS });
  await dialog.getByText(/^50\s?000 без изменений$/).waitFor({ timeout: LIMIT_MS });
  expect(await dialog.getByText('с ошибкой').count()).toBe(0);
});
