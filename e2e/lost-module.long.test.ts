// A page that lost its link before it had all of its code. The packaged browser loads no module again.
import type { Fragment } from '@ridewatch/contract/fragments';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, openContext, playsVideos } from '../harness/browser.ts';
import { startDayOfClips } from '../harness/day-of-clips.ts';
import { ask, signIn, waitFor } from '../harness/product.ts';
import type { RecordedDay } from '../harness/recorded-day.ts';

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
  context = await openContext(browser, day.product.url, { as: 'admin' });
  page = await context.newPage();
});
afterEach(() => context?.close());

const openDay = async () => {
  await page.goto(`/bus/${day.busId}?date=${day.date}`);
  await page.locator('[data-fragments] li').first().waitFor();
};
const bar = () => page.getByRole('status').getByText(NO_LINK);

describe('a page whose link is lost', () => {
  it('keeps the day and what is typed, and saves it by itself when the link is back', async () => {
    await openDay();
    await context.setOffline(true);
    // The first choice of a fragment needs lazy code.
    await page
      .locator('[data-fragments] li button')
      .nth(1)
      .click({ position: { x: 20, y: 20 } });
    await page.keyboard.press('8');
    await page.getByText('не сохранено').waitFor();
    await bar().waitFor();
    await page.keyboard.press('Enter');
    expect(await page.locator('[data-fragments] li').count()).toBe(day.segments.length);

    await context.setOffline(false);
    await page.getByText('не сохранено').waitFor({ state: 'detached' });
    await bar().waitFor({ state: 'detached' });
    const id = day.segments[1]?.id ?? 0;
    const token = await signIn(day.product.url, 'admin');
    // The mark of the failure goes when the value is sent again, before it is stored.
    const typed = async (): Promise<number | null> =>
      (await ask<Fragment>(day.product.url, token, 'GET', `/api/segments/${id}`)).entered_manual
        .adult;
    await waitFor(async () => (await typed()) !== null, 'what was typed to be stored');
    expect(await typed()).toBe(8);
  });

  it('plays the video that could not be had meanwhile', async ({ skip }) => {
    if (!(await playsVideos(browser))) skip('this browser plays no H.264 video');
    await openDay();
    await context.setOffline(true);
    await page
      .locator('[data-fragments] li button')
      .nth(1)
      .click({ position: { x: 20, y: 20 } });
    await page.getByText('Видео не воспроизводится').waitFor();
    await context.setOffline(false);
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
  });

  it('opens the tab that was asked for meanwhile when the link is back', async () => {
    await openDay();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'GPS' }).click();
    await page.getByRole('heading', { name: 'Не удалось загрузить' }).waitFor();
    await context.setOffline(false);
    await page
      .getByRole('heading', { name: 'Не удалось загрузить' })
      .waitFor({ state: 'detached' });
    await page.locator('[role=tabpanel]').waitFor();
  });
});
