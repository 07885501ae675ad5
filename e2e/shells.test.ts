// The menus of both shells at every width: no entry wraps, is cut off, or touches its neighbour. The type of all screens,
// and their titles on a phone. Toasts beside the actions of a drawer.
import { pagePaths } from '@ridewatch/web/src/shell/paths.ts';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openContext } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { nowSql, type Product, queryOf, setUpFleet, startProduct } from '../harness/product.ts';
import { casesOf } from '../harness/tries.ts';
import { openVisit } from '../harness/visits.ts';

/** Of a part that is not shown: it fails every comparison. */
const GONE = { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN };

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  await setUpFleet(product.url, plainFleet({ buses: 2, cameras: 1 }));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

describe('the header of a desktop', () => {
  const LOGIN = 'administrator-no-one';
  afterAll(() => queryOf(product, `update users set login = 'admin' where login = '${LOGIN}'`));

  const languages: [language: string, faq: string, more: RegExp][] = [
    ['ru_RU', 'Вопросы и ответы', /^Ещё/],
    ['en_US', 'Questions', /^More/],
  ];
  it.each(casesOf(languages, 1))(
    'has every entry whole and in one line, or under More, in %s',
    async (language, faq, name) => {
      await queryOf(
        product,
        `insert into news (type, title, text, date_from, active) select 'FAQ', 'Вопрос', 'Ответ', ${nowSql()}, true
          where not exists (select from news where type = 'FAQ')`,
      );
      await queryOf(product, `update users set login = '${LOGIN}' where login = 'admin'`);
      // A page with an empty cache, to which the story adds a script of its own.
      context = await openContext(browser, product.url, { as: LOGIN });
      page = await context.newPage();
      await page.addInitScript(
        (value) => localStorage.setItem('ridewatch.language', JSON.stringify(value)),
        language,
      );
      await page.setViewportSize({ width: 1440, height: 800 });
      await page.goto('/buses');
      const header = page.getByRole('banner').first();
      const entries = header.locator('nav > a');
      await entries.filter({ hasText: faq }).waitFor({ state: 'attached' });
      const names = await entries.allTextContents();
      for (const width of [1440, 1280, 1100, 960]) {
        await page.setViewportSize({ width, height: 800 });
        const shown = header.locator('nav > a:not([inert])');
        const more = header.getByRole('button', { name });
        const readNames = async () => {
          const folded: string[] = [];
          if (await more.isVisible()) {
            await more.click();
            const panel = page.getByRole('dialog', { name });
            folded.push(...(await panel.getByRole('link').allTextContents()));
            await page.keyboard.press('Escape');
            await panel.waitFor({ state: 'detached' });
          }
          return [...(await shown.allTextContents()), ...folded];
        };
        await expect.poll(readNames, { message: `${width} px` }).toEqual(names);
        // The menu folds in the frame after the window has its width, so all is measured at one moment, until it fits.
        const readFaults = () =>
          header.evaluate((bar) => {
            const boxes = [bar, ...bar.querySelectorAll('button, button span')];
            const entries = [...bar.querySelectorAll('nav > a:not([inert])')];
            const buttons = [...bar.querySelectorAll('button')];
            const bell = buttons.find((one) =>
              /^(Уведомления|Notifications)/.test(one.getAttribute('aria-label') ?? ''),
            );
            const end = bell?.getBoundingClientRect().left ?? 0;
            const before = buttons.filter((one) => one.closest('nav') !== null);
            const linesOf = (entry: Element) => {
              const range = document.createRange();
              // Its name; a mark beside it has a height of its own.
              range.selectNode(entry.firstChild ?? entry);
              return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
            };
            return {
              beyond: [...entries, ...before]
                .filter((one) => one.getBoundingClientRect().right > end)
                .map(({ textContent }) => textContent),
              clipped: boxes
                .filter((one) => one.scrollWidth > one.clientWidth)
                .map((one) => `${one.textContent}: ${one.scrollWidth} in ${one.clientWidth} px`),
              wrapped: entries
                .filter((one) => linesOf(one) > 1)
                .map(({ textContent }) => textContent),
            };
          });
        await expect
          .poll(readFaults, { message: `${width} px` })
          .toEqual({ beyond: [], clipped: [], wrapped: [] });
      }
    },
  );
});

describe('the type', () => {
  it('has digits of one width, and signs of their own between words', async () => {
    context = await openVisit(browser, product.url, { as: 'admin' });
    page = await context.newPage();
    await page.goto('/');
    await page.locator('h1').first().waitFor();
    const widths = await page.evaluate(async () => {
      await document.fonts.ready;
      const line = document.createElement('span');
      line.style.whiteSpace = 'pre';
      document.body.append(line);
      return [...'0123456789- ,:'].map((sign) => {
        line.textContent = sign.repeat(100);
        return Math.round(line.getBoundingClientRect().width);
      });
    });
    const digit = widths[0] ?? 0;
    expect(widths.slice(0, 10)).toEqual(Array(10).fill(digit));
    expect(Math.max(...widths.slice(10))).toBeLessThan(digit);
  });
});

describe('a toast', () => {
  const windows: [name: string, width: number, phone: boolean][] = [
    ['a desktop', 1366, false],
    ['a phone', 390, true],
    ['a wide window', 1680, false],
    ['a narrow desktop', 960, false],
  ];
  it.each(casesOf(windows, 2))(
    'covers no action of the drawer that it is about, in %s',
    async (_, width, phone) => {
      context = await openVisit(browser, product.url, { as: 'admin', phone });
      page = await context.newPage();
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/admin/buses');
      await page.locator('[data-row="0"] a').click();
      const drawer = page.getByRole('complementary');
      await drawer.getByRole('button', { name: 'Изменить', exact: true }).click();
      await drawer.getByLabel('Название', { exact: true }).fill(`В ${width} ВВ`);
      await drawer.getByRole('button', { name: 'Сохранить', exact: true }).click();
      const toasts = page.getByRole('region', { name: 'Уведомления' });
      await toasts.getByText('Сохранено').waitFor();
      await drawer.getByRole('button', { name: 'Изменить', exact: true }).waitFor();
      const boxOf = async (part: Locator) => (await part.boundingBox()) ?? GONE;
      const toast = await boxOf(toasts);
      for (const part of [drawer.locator('header').first(), drawer.locator('footer')]) {
        const buttons = await boxOf(part);
        const isBeside = toast.x + toast.width <= buttons.x;
        const isAbove = toast.y + toast.height <= buttons.y;
        const isBelow = buttons.y + buttons.height <= toast.y;
        const isClear = isBeside || isAbove || isBelow;
        expect({ isClear, toast, buttons }).toEqual({ isClear: true, toast, buttons });
      }
      expect(toast.x).toBeGreaterThanOrEqual(0);
      expect(toast.y + toast.height).toBeLessThanOrEqual(800);
    },
  );
});

describe('the shell of a phone', () => {
  it('shows the title of each screen once', async () => {
    context = await openVisit(browser, product.url, { as: 'admin', phone: true });
    page = await context.newPage();
    for (const { path } of pagePaths) {
      await page.goto(path.replace(/\/\{.*/, ''));
      await expect.poll(() => page.locator('h1').count(), { message: path }).toBeGreaterThan(0);
      const titles = await page.evaluate(() =>
        [...document.querySelectorAll('[data-phone] > header *, h1')]
          // A text that is only read aloud is 1 px high.
          .filter((one) => one.childElementCount === 0 && one.getBoundingClientRect().height > 1)
          .map(({ textContent }) => textContent)
          .filter(Boolean),
      );
      expect(titles, path).toEqual([...new Set(titles)]);
      expect(titles, path).not.toEqual([]);
    }
  });

  it.each([
    [390, 'ru_RU'],
    [360, 'ru_RU'],
    [360, 'en_US'],
  ])(
    'has a header of 46 px and five tabs with whole names, %i px wide, in %s',
    async (width, language) => {
      context = await openVisit(browser, product.url, { as: 'admin', phone: true });
      page = await context.newPage();
      await page.goto('/healthz');
      await page.evaluate(
        (value) => localStorage.setItem('ridewatch.language', JSON.stringify(value)),
        language,
      );
      await page.setViewportSize({ width, height: 740 });
      await page.goto('/buses');
      const tabs = page.getByRole('navigation', { name: /^(Главное меню|Main menu)$/ });
      await tabs.waitFor();
      expect((await page.getByRole('banner').first().boundingBox())?.height).toBe(46);
      const widths = await tabs.evaluate((bar) =>
        [...bar.children].map((tab) => tab.getBoundingClientRect().width),
      );
      expect(widths.length).toBe(5);
      expect(Math.min(...widths)).toBeGreaterThanOrEqual(64);
      const clipped = await tabs.evaluate((bar) =>
        [...bar.children]
          .filter((tab) => tab.scrollWidth > tab.clientWidth)
          .map(({ textContent }) => textContent),
      );
      expect(clipped).toEqual([]);
    },
  );
});
