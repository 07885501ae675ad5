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
  '/admin/{-$section}/{-$id}': '↑ ↓ список: предыдущая / следующая строка',
  '/bus/$busId': '0–9 подсчёт вручную',
  '/bus/$busId/service': '+ − шкала: крупнее / мельче',
  '/bus/$busId/gps': '↑ ↓ предыдущая / следующая остановка',
  '/bus/$busId/route': 'Ctrl + Z таблица цен: отменить',
};
/** Views that are looked at beside the first one of their screens, which shows a broken link. */
const WHOLE: readonly string[] = ['new-password', 'setup'];
const looked = allViews.filter(
  ({ name, path }, at) =>
    allViews.findIndex((view) => view.path === path) === at || WHOLE.includes(name),
);

it.each(looked.map((view) => [view.name, view] as const))(
  'the keys of %s are shown, and the focus stays where it was',
  async (_, view) => {
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
    expect(listed).toEqual(expect.arrayContaining([...GENERAL, OWN[view.path] ?? '? этот список']));
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await untilFocused(start);
  },
);
