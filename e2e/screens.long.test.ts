// Every screen of the table, on a desktop and a phone, full, empty and failing, and in English: axe finds nothing, and
// nothing is wider than a phone. The keyboard alone goes the main ways.
import type { Upstream } from '@ridewatch/contract/admin-upstreams';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults, findColorFaults } from '../harness/axe.ts';
import { openBrowser } from '../harness/browser.ts';
import { findCrowded } from '../harness/crowded.ts';
import { beginInDaytime } from '../harness/daytime.ts';
import { tabTo, tabToControl } from '../harness/tab-to.ts';
import { type Device, openView, openVisitor } from './book/camera.ts';
import { type Shown, showBare, showFull } from './book/products.ts';
import { allViews } from './book/views.ts';

beginInDaytime();

type State = 'full' | 'empty' | 'failed';
/**
 * The dark colours of an empty and of a failing screen are judged on one device: the other one has the same parts, and
 * its own are on the full screens.
 */
const walks: readonly (readonly [Device, State, { isDark: boolean }])[] = [
  ['desktop', 'full', { isDark: true }],
  ['phone', 'full', { isDark: true }],
  ['desktop', 'failed', { isDark: true }],
  ['phone', 'failed', { isDark: false }],
  ['desktop', 'empty', { isDark: false }],
  ['phone', 'empty', { isDark: true }],
];
let shown: Shown;
let bare: Shown | undefined;
let browser: Browser;

beforeAll(async () => {
  shown = await showFull({ buses: 4, days: 1, isDemo: false });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await shown?.remove();
  await bare?.remove();
});

const visit = (device: Device) => openVisitor(browser, { shown, device, language: 'ru' });

describe.each(walks)('on a %s, %s,', (device, state, { isDark }) => {
  let of: Shown;
  let page: Page;

  beforeAll(async () => {
    if (state === 'empty') bare ??= await showBare();
    of = state === 'empty' && bare ? bare : shown;
    const isFailing = state === 'failed';
    page = await openVisitor(browser, { shown: of, device, language: 'ru', isFailing });
  });
  afterAll(() => page?.context().close());

  it.each(
    allViews
      .filter(({ needsData }) => state !== 'empty' || needsData !== true)
      .map((view) => [view.name, view] as const),
  )('%s has no faults that axe finds, and fits the screen', async (_, view) => {
    await openView(page, view, of);
    expect(await findAxeFaults(page)).toEqual([]);
    if (isDark) {
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findColorFaults(page), 'in the dark').toEqual([]);
    }
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(beyond).toBe(0);
  });
});

describe.each(['ru', 'en'] as const)('on the narrowest phone, in %s,', (language) => {
  let page: Page;

  beforeAll(async () => {
    page = await openVisitor(browser, { shown, device: 'phone', language });
    await page.setViewportSize({ width: 360, height: 740 });
  });
  afterAll(() => page?.context().close());

  it.each(allViews.map((view) => [view.name, view] as const))(
    '%s cuts no text, and nothing lies over it',
    async (_, view) => {
      await openView(page, view, shown);
      expect(await findCrowded(page)).toEqual([]);
      // The walks above are in Russian.
      if (language === 'en') expect(await findAxeFaults(page)).toEqual([]);
    },
  );
});

describe('texts are whole:', () => {
  it.each(['unit-interface', 'egts', 'jt808', 'osmand', 'egts-out'])(
    'the tables of %s break no word on a phone, and scroll by themselves',
    async (name) => {
      const page = await openVisitor(browser, { shown, device: 'phone', language: 'en' });
      await page.goto(`/help/${name}`);
      await page.locator('table').first().waitFor();
      expect(await page.evaluate(findBroken)).toEqual([]);
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      expect(scrollWidth).toBe(clientWidth);
      await page.context().close();
    },
  );

  it.each(['desktop', 'phone'] as const)(
    'the list of other systems cuts no remark on a %s',
    async (device) => {
      const page = await visit(device);
      await page.route(/\/api\/admin\/upstreams(\?.*)?$/, async (route) => {
        const response = await route.fetch();
        const answer = await response.json();
        const [one]: Upstream[] = answer.items;
        const items = one && [remarked(one), remarked({ ...one, id: one.id + 1000 })];
        await route.fulfill({ response, json: { ...answer, items, total: 2 } });
      });
      await page.goto('/admin/upstreams');
      const rows = page.locator('tbody tr');
      await expectWhole(rows);
      expect(await page.evaluate(findBroken)).toEqual([]);
      // The columns are narrowest beside the menu and the drawer; a phone shows the drawer alone.
      if (device === 'desktop') {
        await page.setViewportSize({ width: 1200, height: 800 });
        await rows.getByRole('link').first().click();
        await page.getByRole('complementary').getByText('Связь').first().waitFor();
        await expectWhole(rows);
        expect(await page.evaluate(findBroken), 'beside the drawer').toEqual([]);
      }
      await page.context().close();
    },
  );
});

/** Two rows are as high as their texts, so neither is cut, nor lies over the other. */
async function expectWhole(rows: Locator): Promise<void> {
  await rows
    .nth(1)
    .getByText(/не принимает наш номер/)
    .waitFor();
  const cut = await rows.evaluateAll((all) =>
    all
      .flatMap((row) => [row, ...row.querySelectorAll('*')])
      .filter((one) => one.scrollHeight > one.clientHeight + 1 && one.clientHeight > 0)
      .map((one) => one.textContent),
  );
  expect(cut).toEqual([]);
  const [first, second] = [await rows.nth(0).boundingBox(), await rows.nth(1).boundingBox()];
  const gapPx = (second?.y ?? 0) - ((first?.y ?? Infinity) + (first?.height ?? 0));
  // Places of rows are rounded.
  expect(gapPx).toBeGreaterThan(-1);
}

/** An upstream about which there is much to say. */
function remarked(one: Upstream): Upstream {
  const now = new Date().toISOString();
  return {
    ...{ ...one, name: 'Региональная навигационная система' },
    ...{ host: 'egts.navigation.region.example', more_waiting: true },
    ...{ enabled: true, connected_since: null, fault: 'sign_in_refused', fault_code: 151 },
    ...{ fault_since: now, waiting_since: now, waiting: 99_000, buses: 30, unnumbered: 11 },
    refused: [{ code: 154, records: 70_231, last_at: now, bus: null }],
    unregistered: { buses: 24, named: [], records: 58_000, more: true, since: now },
  };
}

/** Words of tables that go on in another line. */
function findBroken(): string[] {
  const broken: string[] = [];
  for (const cell of document.querySelectorAll('th, td')) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[\p{L}\p{N}_]+/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    }
  }
  return broken;
}

describe('the keyboard alone', () => {
  it('finds a bus, opens its day and counts a fragment by hand', async () => {
    const page = await visit('desktop');
    await page.goto('/buses');
    await page.getByRole('link', { name: /КМ/ }).first().waitFor();
    await page.keyboard.press('Slash');
    await page.keyboard.type('472');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/bus\/\d+/);
    await page.locator('[data-fragment]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/fragment=\d+/);
    const first = page.url();
    await page.keyboard.press('Digit3');
    await page.locator('input[data-count]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((address) => /fragment=\d+/.test(address.href) && address.href !== first);
    await page.context().close();
  });

  it('opens the keys of a page, and the guide beside it', async () => {
    const page = await visit('desktop');
    await page.goto('/stats');
    await page.getByRole('button', { name: 'Построить отчёт' }).waitFor();
    await tabTo(page, 'Отчёты');
    await page.keyboard.press('Shift+Slash');
    const keys = page.getByRole('dialog', { name: 'Клавиши' });
    await keys.getByText('график: другой день').waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Отчёты');
    await page.keyboard.press('Shift+Slash');
    await keys.waitFor();
    await tabTo(page, 'Как устроена эта страница');
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('Enter');
    const guide = await opened;
    await guide.waitForURL('**/help/stats');
    await guide.getByRole('heading', { name: 'Статистика', level: 1 }).waitFor();
    await keys.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/stats');
    await page.context().close();
  });

  it('searches the help and the calls of the API', async () => {
    const page = await visit('desktop');
    await page.goto('/help');
    await page.getByRole('heading', { name: 'Как пользоваться справкой' }).waitFor();
    await tabTo(page, 'Поиск по справке');
    await page.keyboard.type('перекос');
    const menu = page.getByRole('navigation', { name: 'Справка' });
    await menu.getByRole('link', { name: 'Автобусы', exact: true }).waitFor({ state: 'detached' });
    await tabToControl(page, menu.getByRole('link', { name: /^Автобус: GPS и круги/ }).first());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Автобус: GPS и круги' }).waitFor();
    expect(decodeURI(page.url())).toContain('#как-читать');
    await page.goto('/help/api');
    await page.getByText('/api/bus_list', { exact: true }).waitFor();
    await tabTo(page, 'Путь, метод или слово из описания');
    await page.keyboard.type('first-steps');
    await page.getByText('вызовов: 1').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('has_position: boolean').waitFor();
    await page.context().close();
  });

  it('creates a customer', async () => {
    const page = await visit('desktop');
    await page.goto('/admin/customers');
    await page.getByRole('table').waitFor();
    await tabTo(page, 'Добавить клиента');
    await page.keyboard.press('Enter');
    const name = page.getByRole('complementary').getByLabel('Название', { exact: true });
    await name.waitFor();
    if (!(await name.evaluate((one) => one === document.activeElement))) {
      await tabToControl(page, name);
    }
    await page.keyboard.type('Парк Юг');
    await tabTo(page, 'Создать');
    await page.keyboard.press('Enter');
    await page.getByText('Сохранено').first().waitFor();
    await page.context().close();
  });
});
