import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { startDayOfClips } from '../harness/day-of-clips.ts';
import type { RecordedDay } from '../harness/recorded-day.ts';
import { openVisit } from '../harness/visits.ts';

const NO_LINK = 'Нет связи с сервером';

let day: RecordedDay;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  day = await startDayOfClips();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await day?.product.remove();
});
beforeEach(async () => {
  context = await openVisit(browser, day.product.url, { as: 'admin' });
  page = await context.newPage();
});
afterEach(() => context?.close());

const openDay = async () => {
  await page.goto(`/bus/${day.busId}?date=${day.date}`);
  await page.locator('[data-fragments] li').first().waitFor();
};
const bar = () => page.getByRole('status').getByText(NO_LINK);

describe('the bar of a lost link', () => {
  it('is at the end of the window, away from the tabs', async () => {
    await openDay();
    await context.setOffline(true);
    await page
      .locator('[data-fragments] li button')
      .nth(1)
      .click({ position: { x: 20, y: 20 } });
    await bar().waitFor();
    await page.keyboard.press('Escape');
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.evaluate(() => window.scrollTo(0, 0));
      const said = await bar().boundingBox();
      const tab = await page.getByRole('link', { name: 'GPS' }).boundingBox();
      expect(said?.y ?? 0).toBeGreaterThan((tab?.y ?? 0) + (tab?.height ?? 0));
    }
  });
});

describe("the address of today's fragment", () => {
  it('has the day too, so that it leads there tomorrow as well', async () => {
    await page.goto(`/bus/${day.busId}`);
    await page
      .locator('[data-fragments] li button')
      .first()
      .click({ position: { x: 20, y: 20 } });
    await page.waitForURL((url) => url.searchParams.has('fragment'));
    expect(new URL(page.url()).searchParams.get('date')).toBe(day.today);
  });
});

describe('a fragment that two count', () => {
  it('keeps the count that was there first, and says so to the later one', async () => {
    await openDay();
    const other = await openVisit(browser, day.product.url, { as: 'operator' });
    try {
      const second = await other.newPage();
      await second.goto(`/bus/${day.busId}?date=${day.date}`);
      const field = (of: Page) => of.locator('[data-count="exitedAdult"]').nth(2);
      await field(second).fill('6');
      await second.getByText('сохранено', { exact: true }).waitFor();

      await field(page).fill('9');
      await page.getByText(/посчитал\(а\) operator/).waitFor();
      expect(await field(page).inputValue()).toBe('6');
      // A user who has seen the other value may overwrite it.
      await field(page).fill('9');
      await page.getByText('сохранено', { exact: true }).waitFor();
    } finally {
      await other.close();
    }
  });
});
