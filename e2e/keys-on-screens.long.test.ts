// The key ? on each screen: the list of keys is over it, closes by Esc, and the focus is where it was.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { beginInDaytime } from '../harness/daytime.ts';
import { reach, untilFocused } from '../harness/keyboard.ts';
import { openView, openVisitor } from './book/camera.ts';
import { type Shown, showFull } from './book/products.ts';
import { allViews, type ScreenPath } from './book/views.ts';

beginInDaytime();

let shown: Shown;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  shown = await showFull({ buses: 2, days: 1, isDemo: false });
  browser = await openBrowser();
  page = await openVisitor(browser, { shown, device: 'desktop', language: 'ru' });
});
afterAll(async () => {
  await browser?.close();
  await shown?.remove();
});

/** The keys of every screen. */
const GENERAL = ['? этот список', 'Tab следующий элемент', 'Esc закрыть то, что открыто поверх'];
/** One of the keys that a screen has of its own. */
const OWN: Readonly<Partial<Record<ScreenPath, string>>> = {
  '/buses': '/ поиск',
  '/review': '0–9 подсчёт вручную',
  '/stats': 'Enter график: что за этой точкой',
  '/admin/{-$section}/{-$id}': '/ поиск',
  '/bus/$busId': '0–9 подсчёт вручную',
  '/bus/$busId/service': '+ − шкала: крупнее / мельче',
  '/bus/$busId/gps': '↑ ↓ предыдущая / следующая остановка',
  '/bus/$busId/route': 'Ctrl + Z таблица цен: отменить',
};
/** Views of screens of which the first one shows a broken link. */
const WHOLE: Readonly<Partial<Record<ScreenPath, string>>> = {
  '/new-password': 'new-password',
  '/setup': 'setup',
};
const paths = new Set(allViews.map(({ path }) => path));

it.each([...paths])('the keys of %s are shown, and the focus stays where it was', async (path) => {
  const ofScreen = allViews.filter((view) => view.path === path);
  const [first] = ofScreen;
  const view = ofScreen.find(({ name }) => name === WHOLE[path]) ?? first;
  if (view === undefined) throw new Error(`${path} has no view.`);
  await openView(page, view, shown);
  // The first of them is on every signed-in page, a link on every page before.
  const start = page
    .getByRole('button', { name: 'К содержанию страницы' })
    .or(page.getByRole('main').getByRole('link'))
    .first();
  await reach(page, start);
  await page.keyboard.press('Shift+Slash');
  const keys = page.getByRole('dialog', { name: 'Клавиши' });
  await keys.getByRole('heading', { name: 'Клавиши' }).waitFor();
  await untilFocused(keys);
  const listed = await keys
    .locator('dl > div')
    .evaluateAll((all) =>
      all.map((one) => [...one.children].map((part) => part.textContent).join(' ')),
    );
  expect(listed).toEqual(expect.arrayContaining([...GENERAL, OWN[path] ?? '? этот список']));
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await untilFocused(start);
});
