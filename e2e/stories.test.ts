import { Board, listBoard } from '@ridewatch/contract/board';
import { searchRoutes } from '@ridewatch/contract/bus-routes';
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { DayFragments } from '@ridewatch/contract/fragments';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaultsInThemes } from '../harness/axe.ts';
import {
  openBrowser,
  openContext,
  playsVideos,
  signInAs,
  typeSignIn,
  type Visit,
} from '../harness/browser.ts';
import { type RunningFleet, startFleet, type Truth } from '../harness/fleet.ts';
import { startProductOfFleet } from '../harness/prepared-fleet.ts';
import { ask, type Product, signIn } from '../harness/product.ts';
import { triesEverything } from '../harness/tries.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

/** A bus of the rush hours with one camera, which has a short day. */
const BUS = 'SIM-000004';
/** The fragments that one person counts at a stretch. */
const COUNTED = triesEverything ? 40 : 12;
/** A point of a list row without an input. */
const ROW_START = { x: 30, y: 20 };

let product: Product;
let fleet: RunningFleet;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const yesterday = addDays(dayOf(Date.now(), ZONE), -1);

beforeAll(async () => {
  product = await startProductOfFleet();
  fleet = await startFleet(product);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await product?.remove();
});
afterEach(() => context?.close());

async function newPage(options: Visit = {}): Promise<void> {
  context = await openVisit(browser, product.url, options);
  page = await context.newPage();
}

const busAddress = (device: string, more = ''): string =>
  `/bus/${fleet.busIds.get(device)}?date=${yesterday}${more}`;
const sum = ({ adult, kids }: { adult: number; kids: number }): number => adult + kids;
const numberIn = async (selector: string): Promise<number> =>
  Number(((await page.locator(selector).textContent()) ?? '').replace(/\D/g, ''));

// The first laps are worked out minutes after the start.
async function withLaps(route: Route): Promise<void> {
  const response = await route.fetch();
  const figures = Board.parse(await response.json());
  const lap = {
    number: 1,
    ended: false,
    percent: 40,
    turn_percent: 50,
    stop: 'Порт',
    next: 'Мост',
  };
  const items = figures.items.map((bus) => ({ ...bus, lap: { ...lap, as_of: figures.made_at } }));
  await route.fulfill({ response, json: { ...figures, items } });
}

/** The elements at points 8 px apart of a bus that are neither its link nor a control of their own. */
function notItsLink(lap: Element): string[] {
  const row = lap.closest('article');
  if (row === null) return ['no row'];
  const box = row.getBoundingClientRect();
  const found = new Set<string>();
  for (let x = box.left + 3; x < box.right - 3; x += 8) {
    for (let y = box.top + 3; y < box.bottom - 3; y += 8) {
      const element = document.elementFromPoint(x, y);
      if (!element?.closest('a, button, [data-camera]')) found.add(element?.className ?? 'nothing');
    }
  }
  return [...found];
}

describe('a person', () => {
  it('is told that the password is wrong, and comes in with the right one', async () => {
    await newPage();
    await page.goto('/');
    await page.waitForURL(/\/login$/);
    await typeSignIn(page, 'admin', 'not the password');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/логин|парол/i);
    await typeSignIn(page, 'admin');
    await page.getByRole('heading', { name: /^Сегодня/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it.each([
    ['an administrator', 'admin', ['А 472 КМ', 'Е 305 ТХ']],
    ['an integrator', 'integrator', ['А 472 КМ', 'Е 305 ТХ']],
    ['an operator', 'operator', ['А 472 КМ', 'Е 305 ТХ']],
    ['an owner', 'owner1', ['А 472 КМ']],
    ['an owner who only reads', 'owner2', ['Е 305 ТХ']],
  ])('comes in as %s, and finds the buses of their customers only', async (_name, login, buses) => {
    await newPage();
    await signInAs(page, login);
    await page.getByRole('link', { name: buses.at(-1) ?? '' }).waitFor();
    const known = page.getByRole('link', { name: /А 472 КМ|Е 305 ТХ/ });
    expect(await known.count()).toBe(buses.length);
  });

  it('finds a bus by the name of one of its cameras', async () => {
    await newPage({ as: 'admin' });
    await page.goto('/buses');
    await page.getByRole('link', { name: /А 472 КМ/ }).waitFor();
    await page.getByPlaceholder('Номер автобуса или имя камеры').fill('кабина');
    await page.getByRole('link', { name: /А 472 КМ/ }).waitFor({ state: 'detached' });
    expect(await page.getByRole('link', { name: /В 118 ОР/ }).count()).toBe(1);
  });

  it.each([
    ['a row', false],
    ['a tile', true],
  ])(
    'opens a bus by a click on any point of %s, the line of its lap included',
    async (_name, phone) => {
      await newPage({ phone, as: 'owner1' });
      await page.route(`**${listBoard.path}`, withLaps);
      await page.goto('/buses');
      const lap = page.locator('article [data-lap]').first();
      expect(await lap.evaluate(notItsLink)).toEqual([]);
      const { x = 0, y = 0 } = (await lap.boundingBox()) ?? {};
      await page.mouse.click(x + 1, y + 1);
      await page.waitForURL(/\/bus\/\d+/);
    },
  );

  it('sees the totals and every hour of a day as they really were', async () => {
    const truth = await fleet.truthOf(BUS, yesterday);
    await newPage({ as: 'admin' });
    await page.goto(busAddress(BUS));
    await page.locator('table tbody tr').first().waitFor({ state: 'attached' });
    expect(sum(truth.entered)).toBeGreaterThan(0);
    expect(await numberIn('[data-total=entered]')).toBe(sum(truth.entered));
    expect(await numberIn('[data-total=exited]')).toBe(sum(truth.exited));
    const shown = await page
      .locator('table tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))),
      );
    expect(shown).toEqual(truth.hours.map(({ entered, exited }) => [sum(entered), sum(exited)]));
  });

  it('fetches a fragment from the registrar, and its video plays and shows who was counted', async ({
    skip,
  }) => {
    if (!(await playsVideos(browser))) skip('this browser plays no H.264 video');
    const truth = await fleet.truthOf(BUS, yesterday);
    await newPage({ as: 'admin' });
    await page.goto(busAddress(BUS));
    const row = page.locator('li button', { hasText: 'на регистраторе' }).first();
    await row.click({ position: ROW_START });
    await page.getByRole('button', { name: 'Запросить видео' }).click();
    const video = page.locator('video').first();
    await video.waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Воспроизвести' }).click();
    await page.waitForFunction(() => {
      const element = document.querySelector('video');
      return (
        element !== null &&
        element.currentTime > 1 &&
        element.getVideoPlaybackQuality().totalVideoFrames > 5
      );
    });
    const counts = await page
      .locator('aside span[data-side]')
      .evaluateAll((spans) => spans.map((span) => Number(span.textContent?.replace(/\D/g, ''))));
    expect(counts).toEqual(countsAt(truth, await firstStart(page)));
  });

  it('opens the same view by a link that had to pass sign-in', async () => {
    await newPage({ as: 'admin' });
    await page.goto(busAddress(BUS));
    await page.locator('li button').nth(2).click({ position: ROW_START });
    await page.waitForURL(/fragment=\d+/);
    const link = page.url();
    await context.close();

    await newPage();
    await page.goto(link);
    await page.waitForURL(/\/login/);
    await typeSignIn(page, 'owner3');
    await page.waitForURL(link);
    await page.locator('li button[aria-current=true]').waitFor();
  });

  it("does not find another customer's bus, nor one that does not exist", async () => {
    await newPage({ as: 'owner2' });
    for (const id of [String(fleet.busIds.get('SIM-000001')), '999999', 'nonsense']) {
      await page.goto(`/bus/${id}`);
      await page.waitForURL(/\/buses$/);
    }
    await page.getByRole('link', { name: /Е 305 ТХ/ }).waitFor();
    expect(await page.getByRole('link', { name: /А 472 КМ/ }).count()).toBe(0);
  });

  it('goes from day to day and from bus to bus, and back', async () => {
    await newPage({ as: 'admin' });
    await page.goto(busAddress('SIM-000001'));
    await page.getByRole('heading', { name: 'А 472 КМ' }).waitFor();
    await page.keyboard.press('BracketLeft');
    await page.waitForURL(new RegExp(addDays(yesterday, -1)));
    await page.goBack();
    await page.waitForURL(new RegExp(yesterday));
    await page.getByRole('link', { name: /Следующий автобус/ }).click();
    await page.getByRole('heading', { name: 'В 118 ОР' }).waitFor();
  });

  it('counts one fragment after the other without a mouse', async () => {
    await newPage({ as: 'operator' });
    await page.goto(busAddress('SIM-000001'));
    await page.locator('[data-fragments] li').first().waitFor();
    await page.keyboard.press('ArrowDown');
    for (let n = 0; n < COUNTED; n += 1) {
      await page.keyboard.press(String(n % 10));
      await page.keyboard.press('Enter');
    }
    const token = await signIn(product.url, 'operator');
    const id = fleet.busIds.get('SIM-000001');
    const path = `/api/segments/day-segments?workplaceId=${id}&date=${yesterday}`;
    const read = () => ask<DayFragments>(product.url, token, 'GET', path);
    const countReviewed = async () =>
      (await read()).segments.filter(({ reviewed_by }) => reviewed_by === 'operator').length;
    await expect.poll(countReviewed).toBe(COUNTED);
    const day = await read();
    const typed = day.segments
      .slice(0, COUNTED + 1)
      .map(({ entered_manual }) => entered_manual.adult);
    expect(typed).toEqual([...Array.from({ length: COUNTED }, (_, n) => n % 10), null]);
    const total = page.locator('[data-total=entered]');
    await expect.poll(() => total.textContent()).toContain(String(day.totalEnteredManual));
  });

  it('signs out, and the next page asks to sign in', async () => {
    await newPage({ as: 'owner1' });
    await page.goto('/buses');
    await page.getByRole('button', { name: 'Выйти' }).first().click();
    await page.waitForURL(/\/login/);
    await page.goto('/buses');
    await page.waitForURL(/\/login/);
  });

  it('who signs in after somebody else left does not land where the other was', async () => {
    await newPage({ as: 'owner1' });
    await page.goto('/buses');
    await page.getByRole('link', { name: /А 472 КМ/ }).click();
    await page.waitForURL(/\/bus\//);
    await page.waitForFunction(() => document.title === 'А 472 КМ · Ridewatch');
    await page.getByRole('button', { name: 'Выйти' }).first().click();
    await page.waitForURL(/\/login/);
    await typeSignIn(page, 'owner2');
    await page.getByRole('heading', { name: /^Сегодня/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

describe('every screen', () => {
  it.each([
    ['a desktop', false],
    ['a phone', true],
  ])('is accessible on %s', async (_name, phone) => {
    await newPage({ phone });
    await page.goto('/login');
    await page.locator('button[type=submit]').waitFor();
    expect(await findAxeFaultsInThemes(page)).toEqual([]);
    await signInAs(page, 'admin');
    await page.getByRole('link', { name: /А 472 КМ/ }).waitFor();
    expect(await findAxeFaultsInThemes(page)).toEqual([]);
    await page.goto(busAddress(BUS));
    await page.locator('li button').first().waitFor();
    expect(await findAxeFaultsInThemes(page)).toEqual([]);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider).toBe(0);
  });
});

describe('a screen that is opened with an empty cache', () => {
  it.each([
    ['the bus list', 8, () => '/buses', 'main a[href]'],
    ["a bus's day", 14, () => busAddress(BUS), 'li button'],
  ])('%s, needs at most %i requests, calls included', async (_name, most, address, last) => {
    context = await openContext(browser, product.url, { as: 'admin' });
    page = await context.newPage();
    const asked: string[] = [];
    const later: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      // Figures, and the routes of the menus, come after the first paint.
      const isLater = [listBoard.path, searchRoutes.path].some((path) => url.includes(path));
      if (url.startsWith('http')) (isLater ? later : asked).push(url);
    });
    await page.goto(address());
    await page.locator(last).first().waitFor();
    await page.waitForLoadState('networkidle');
    // The map of the day comes after the rows that are asked for first.
    const ofMap = /\/(map|scene|maplibre-gl-worker)-|\/api\/(workplaces\/gps|settings)/;
    const first = asked.filter((url) => !ofMap.test(url));
    expect(first.length, asked.join('\n')).toBeLessThanOrEqual(most);
    expect(asked.slice(0, first.length)).toEqual(first);
    expect(asked.length - first.length).toBeLessThanOrEqual(7);
    expect(later.length).toBeLessThanOrEqual(3);
  });
});

function countsAt(truth: Truth, startMs: number): number[] {
  const fragment = truth.fragments.find(({ start }) => Date.parse(start) === startMs);
  if (fragment === undefined) throw new Error('the truth knows no such fragment');
  return [sum(fragment.entered), sum(fragment.exited)];
}

async function firstStart(of: Page): Promise<number> {
  const id = Number(new URL(of.url()).searchParams.get('fragment'));
  const session = await of.evaluate(() => localStorage.getItem('ridewatch.session') ?? '');
  const token = (JSON.parse(session) as { signedIn: { access: string } }).signedIn.access;
  const answer = await fetch(
    `${product.url}/api/segments/day-segments?workplaceId=${fleet.busIds.get(BUS)}&date=${yesterday}`,
    { headers: { authorization: `Bearer ${token}` } },
  );
  const day = (await answer.json()) as { segments: { id: number; start_time: string }[] };
  return Date.parse(day.segments.find((segment) => segment.id === id)?.start_time ?? '');
}
