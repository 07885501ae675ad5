// The shared controls in a real browser, by keyboard: an opened layer takes the focus, Esc closes the innermost layer,
// and the focus returns to its button.
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, type Visit } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { type Product, setUpFleet, startProduct } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

const today = dayOf(Date.now(), ZONE);
const shown = addDays(today, -40);

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let busId: number;

beforeAll(async () => {
  product = await startProduct();
  const [unit] = await setUpFleet(product.url, plainFleet({ buses: 1, cameras: 2 }));
  busId = unit?.bus_id ?? 0;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

async function openBus(options: Visit = {}): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: 'admin' });
  page = await context.newPage();
  await page.goto(`/bus/${busId}?date=${shown}`);
}

const dayButton = () => page.getByRole('button', { name: /Выбрать день/ });
const mergeButton = () => page.getByRole('button', { name: 'Склеить видео' });
const focused = () => page.locator(':focus');
const focusedDay = (day: string) => page.locator(`[data-day="${day}"]:focus`);
const shortDay = (day: string) => day.split('-').reverse().join('.');

describe('a person without a mouse', () => {
  it('chooses a day in the calendar', async () => {
    await openBus();
    await dayButton().press('Enter');
    await page.getByRole('grid').waitFor();
    await focusedDay(shown).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    const chosen = addDays(shown, 6);
    await focusedDay(chosen).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((address) => address.searchParams.get('date') === chosen);
    await page.getByRole('grid').waitFor({ state: 'detached' });
    await focused().and(dayButton()).waitFor();
  });

  it('finds no day to come in the calendar, and leaves it with Esc', async () => {
    await openBus();
    await dayButton().press('Enter');
    await page.getByRole('grid').waitFor();
    for (let month = 0; month < 3; month += 1) await page.keyboard.press('PageDown');
    await focusedDay(today).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('grid').waitFor({ state: 'detached' });
    await focused().and(dayButton()).waitFor();
  });

  it('chooses a camera in a dialog; Esc closes the list first, then the dialog', async () => {
    await openBus();
    await mergeButton().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Склейка видео' });
    const camera = dialog.getByRole('combobox', { name: /^Камера/ });
    await camera.press('Enter');
    const second = page.getByRole('option', { name: 'Дверь 2' });
    await second.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await camera.filter({ hasText: 'Дверь 2' }).waitFor();
    await camera.press('Enter');
    await second.waitFor();
    await page.keyboard.press('Escape');
    await second.waitFor({ state: 'detached' });
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await focused().and(mergeButton()).waitFor();
  });

  it('stays in a dialog with Tab', async () => {
    await openBus();
    await mergeButton().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Склейка видео' });
    await dialog.waitFor();
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      // After the last element the focus reaches a guard behind the dialog, which returns it.
      await expect
        .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
        .toBe(true);
    }
  });

  it('chooses a day in a panel; Esc closes the calendar first, then the panel', async () => {
    await openBus();
    const button = page.getByRole('button', { name: 'Пересчёт' });
    await button.press('Enter');
    const panel = page.getByRole('dialog', { name: 'Пересчёт' });
    const from = panel.getByRole('button', { name: /^С: / });
    await from.press('Enter');
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await panel.getByRole('button', { name: `С: ${shortDay(addDays(shown, -1))}` }).waitFor();
    await from.press('Enter');
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('grid').waitFor({ state: 'detached' });
    expect(await panel.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await focused().and(button).waitFor();
  });
});

describe('what opens', () => {
  it.each([
    ['on a desktop', {}],
    ['on a dark desktop', { dark: true }],
    ['on a phone', { phone: true }],
    ['on a dark phone', { phone: true, dark: true }],
  ] as const)(
    'is right for assistive programs, fits, and is closed by a press beside it: %s',
    async (_, visit) => {
      await openBus(visit);
      for (const [button, role] of [
        [dayButton(), 'grid'],
        [mergeButton(), 'combobox'],
        [page.getByRole('button', { name: 'Пересчёт' }), 'group'],
      ] as const) {
        await button.click();
        const opened = page.getByRole('dialog').first();
        await opened.getByRole(role).first().waitFor();
        expect(await findAxeFaults(page)).toEqual([]);
        const box = await opened.boundingBox();
        const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
        expect(box && box.x >= 0 && box.x + box.width <= width).toBe(true);
        expect(box && box.y >= 0 && box.y + box.height <= height).toBe(true);
        const beside = await page.locator('h1').boundingBox();
        await page.mouse.click((beside?.x ?? 0) + 2, (beside?.y ?? 0) + 2);
        await opened.waitFor({ state: 'detached' });
      }
    },
  );
});
