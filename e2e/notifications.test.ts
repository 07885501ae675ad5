// Users read alerts, news and questions in the bell's panel and on their pages. Instead of waiting, the stories make
// rows of the database older.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, type Visit } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import {
  nowSql,
  type Product,
  queryOf,
  setUpFleet,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;

const query = (text: string, values: readonly unknown[] = []) => queryOf(product, text, values);

beforeAll(async () => {
  product = await startProduct();
  await setUpFleet(product.url, plainFleet({ buses: 3, cameras: 2 }));
  await query(
    `insert into media (name, format, data, created_at)
    values ('схема.png', 'png', decode($1, 'base64'), ${nowSql()}), ('прайс.pdf', 'pdf', 'x', ${nowSql()})`,
    [PNG],
  );
  await query(`insert into news (type, title, text, date_from, created_at, media_id)
    select type, title, text, ${nowSql()} - age, ${nowSql()} - age, (select id from media where format = file)
    from (values
      ('NEWS', 'Статистика: сравнение с прошлой неделей', 'На главной каждая цифра стоит рядом с тем же днём недели.
Подробнее: https://example.org/news/1.', interval '1 hour', 'png'),
      ('NEWS', 'Работы ночью, 02:00–03:00 МСК', 'Видео может открываться с задержкой.', interval '1 day', 'pdf'),
      ('FAQ', 'Как считаются люди?', 'Датчик над дверью считает вошедших и вышедших.', interval '9 days', null)
    ) as own (type, title, text, age, file)`);
  // A bus drove until twenty minutes ago; the job of the next minute opens the cause.
  await query(`update units set last_seen_at = ${nowSql()} - interval '20 minutes',
    last_moved_at = ${nowSql()} - interval '20 minutes'
    where id = (select min(id) from units)`);
  await query(`insert into attention_watch (since, looked_at) values (${nowSql()} - interval '1 day', ${nowSql()})
    on conflict (only_row) do update set since = excluded.since, looked_at = excluded.looked_at`);
  await query(`select graphile_worker.add_job('watch_attention', job_key := 'watch now')`);
  await waitFor(
    async () => (await query('select from attention_causes')).rowCount === 1,
    'the cause to be opened',
  );
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

/** Opens the bus list. */
async function visit(login: string, options: Visit = {}): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: login });
  page = await context.newPage();
  await page.goto('/buses');
}
const bell = () => page.getByRole('button', { name: /^(Уведомления|События)/ });
const panel = () => page.getByRole('dialog', { name: /^Уведомления/ });

describe('the bell', () => {
  it('is filled while something is unread; its panel shows it, and reads it when it closes', async () => {
    await visit('admin');
    await page.getByRole('button', { name: 'Уведомления: 6' }).waitFor();
    await page.getByRole('link', { name: /^Новости\s+есть непрочитанные/ }).waitFor();
    await bell().click();
    const attention = panel().getByRole('region', { name: 'Внимание' });
    await attention.getByText('нет связи 20 мин').waitFor();
    await panel().getByText('непрочитанных: 5').waitFor();
    expect((await panel().boundingBox())?.width).toBeCloseTo(442, 0);
    expect(await findAxeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Уведомления', exact: true }).waitFor();
    await page.reload();
    await bell().click();
    await panel().getByRole('region', { name: 'Новости' }).waitFor();
    expect(await panel().getByText('непрочитанных').count()).toBe(0);
    await attention.getByRole('listitem').getByRole('link').click();
    await page.waitForURL(/\/bus\/\d+$/);
  });
});

describe('the slide-up of a phone', () => {
  it.each([{}, { dark: true }])('shows the same, %j', async (options) => {
    await visit('operator', { phone: true, ...options });
    await bell().click();
    await panel().getByText('Статистика: сравнение с прошлой неделей').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await panel().getByRole('button', { name: 'Закрыть' }).click();
    await panel().waitFor({ state: 'detached' });
  });
});

describe('news and questions', () => {
  it('have pages: images are shown, other files are saved, questions open', async () => {
    await visit('admin');
    await page.goto('/news');
    const image = page.getByRole('img', { name: 'Статистика: сравнение с прошлой неделей' });
    await image.waitFor();
    expect(await image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Скачать прайс.pdf' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('прайс.pdf');
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Вопросы и ответы' }).first().click();
    await page.getByText('Как считаются люди?').click();
    await page.getByText('Датчик над дверью считает').waitFor();
    expect(page.url()).toMatch(/\/faq\?open=\d+$/);
    expect(await findAxeFaults(page)).toEqual([]);
  });
});
