import { Board, listBoard } from '@ridewatch/contract/board';
import { BusList, listBuses } from '@ridewatch/contract/buses';
import type { FleetPlan } from '@ridewatch/contract/fleet';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { type Product, setUpFleet, startProduct } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  await setUpFleet(product.url, fleetWithRoutes());
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

const card = (name: string) => page.getByRole('article').filter({ hasText: name });
const openMenu = (name: string) => page.getByRole('button', { name: `Переместить ${name}` });

async function openList(): Promise<void> {
  context = await openVisit(browser, product.url, { as: 'admin' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  page = await context.newPage();
  // The figures of the rows come last, and draw them anew.
  await Promise.all([page.waitForResponse(`**${listBoard.path}*`), page.goto('/buses')]);
  await card('Автобус 1').waitFor();
}

describe('the bus list', () => {
  it('opens a bus by a click anywhere on its card, and comes back with the search as it was', async () => {
    await openList();
    await page.getByPlaceholder('Номер автобуса или имя камеры').fill('автобус 2');
    await page.waitForURL(/\?q=/);
    await card('Автобус 2').click({ position: { x: 260, y: 18 } });
    await page.waitForURL(/\/bus\/\d+/);
    await page.getByRole('heading', { name: 'Автобус 2' }).waitFor();
    await page.goBack();
    await card('Автобус 2').waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
  });

  // Now and then the headless browser opens no tab for such a click, on a page without the product, too.
  it('leaves a click with Ctrl to the browser, and the bus opens in another tab', async () => {
    await openList();
    const link = page.getByRole('link', { name: 'Автобус 2' });
    const listener = await link.evaluateHandle((element) => ({
      isTaken: new Promise<boolean>((resolve) => {
        const taken = (event: Event) => setTimeout(() => resolve(event.defaultPrevented));
        element.addEventListener('click', taken, { once: true });
      }),
    }));
    await link.click({ modifiers: ['Control'] });
    expect(await listener.evaluate(({ isTaken }) => isTaken)).toBe(false);
    expect(new URL(page.url()).pathname).not.toContain('bus/');
    const tab = await context.newPage();
    await tab.goto((await link.getAttribute('href')) ?? '');
    await tab.getByRole('heading', { name: 'Автобус 2' }).waitFor();
  });

  it("copies a unit's id and says so for a moment", async () => {
    await openList();
    const rid = card('Автобус 1').getByRole('button', { name: 'rid unit-1' });
    await rid.click();
    await card('Автобус 1').getByTitle('Скопировано').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('unit-1');
    await card('Автобус 1').getByTitle('Скопировать unit-1').waitFor();
  });

  it('moves a bus to another group by the keyboard, and Esc leaves it where it is', async () => {
    await openList();
    const menu = page.getByRole('dialog', { name: 'Переместить Автобус 1' });
    await openMenu('Автобус 1').focus();
    await page.keyboard.press('Enter');
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Переместить Автобус 1',
    );
    await page.keyboard.press('Enter');
    await menu.getByRole('button', { name: /Маршрут 20/ }).focus();
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { name: /Маршрут 20/ });
    await heading.waitFor();
    await menu.waitFor({ state: 'detached' });
    const below = await heading.boundingBox();
    const moved = await card('Автобус 1').boundingBox();
    expect(moved?.y).toBeGreaterThan(below?.y ?? Number.POSITIVE_INFINITY);
  });

  it('closes the menu by a second press on its button', async () => {
    await openList();
    await openMenu('Автобус 2').click();
    const menu = page.getByRole('dialog', { name: 'Переместить Автобус 2' });
    await menu.waitFor();
    await openMenu('Автобус 2').click();
    await menu.waitFor({ state: 'detached' });
  });
});

/** The longest that a state says: three digits of speed, or a day less a minute. */
const OFF_MS = (24 * 60 - 1) * 60_000;

async function withLongStates(route: Route): Promise<void> {
  const response = await route.fetch();
  const board = Board.parse(await response.json());
  const lap = { number: 20, ended: false, percent: 40, turn_percent: 50, stop: 'Порт' };
  const items = board.items.map((bus, at) => ({
    ...bus,
    ...(at === 0 ? { state: 'off' } : { state: 'moving', speed_kmh: 100 }),
    ...{ entered: 1000, inside: 100, places: 100, waiting: 12 },
    lap: { ...lap, next: 'Котельническая набережная', as_of: board.made_at },
  }));
  await route.fulfill({ response, json: { ...board, items } });
}

async function seenADayAgo(route: Route): Promise<void> {
  const response = await route.fetch();
  const list = BusList.parse(await response.json());
  const last_seen_at = new Date(Date.now() - OFF_MS + 1000).toISOString();
  await route.fulfill({
    response,
    json: { ...list, items: list.items.map((bus) => ({ ...bus, last_seen_at })) },
  });
}

/** The texts of states and rows that are wider than their room. */
const listCutParts = () =>
  page.locator('article').evaluateAll((rows) =>
    rows
      .flatMap((row) => {
        const state = row.querySelector('[data-state]');
        return [state?.querySelector('small'), state?.parentElement];
      })
      .filter((part) => !!part && part.scrollWidth > part.clientWidth)
      .map((part) => part?.textContent),
  );

describe('the board', () => {
  it.each(['admin', 'owner1'])(
    'says each state whole, and keeps its columns inside, at any width, for %s',
    async (as) => {
      context = await openVisit(browser, product.url, { as });
      page = await context.newPage();
      await page.route(`**${listBuses.path}`, seenADayAgo);
      await page.route(`**${listBoard.path}*`, withLongStates);
      await page.goto('/buses');
      await page.getByText('100 км/ч').first().waitFor();
      for (let width = 960; width <= 1680; width += 80) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(listCutParts, { message: `${width} px` }).toEqual([]);
      }
    },
  );
});

function fleetWithRoutes(): FleetPlan {
  const groups = ['Маршрут 10', 'Маршрут 20', 'Маршрут 30'].map((name) => ({
    name,
    type_calculation: 'FIXED' as const,
    track: [],
    stops: [],
  }));
  const { customers } = plainFleet({ buses: 3, cameras: 2 });
  return { customers: customers.map((customer) => ({ ...customer, groups })) };
}
