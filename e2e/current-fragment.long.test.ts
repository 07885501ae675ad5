// Random keys and clicks of a reviewer in a real browser: video, row, focus and address show one fragment.
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange, formatMoment } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import * as fc from 'fast-check';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openContext, signInAs } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { type Product, setUpFleet, startProduct } from '../harness/product.ts';
import { holdState, sendRecorded, waitForDay } from '../harness/recorded-fragments.ts';
import {
  type Seen,
  type Sign,
  seeFragment,
  takeSigns,
  watchSigns,
} from '../harness/seen-fragment.ts';
import { ZONE } from '../harness/zone.ts';

/** A failure names its seed; REVIEWER_SEED repeats the keys and clicks. */
const seed = Number(process.env.REVIEWER_SEED || randomInt(2 ** 31));
const LIMIT_MS = 20_000;
const date = addDays(dayOf(Date.now(), ZONE), -1);
const morningMs = dayRange(date, ZONE).startMs + 8 * 3_600_000;
/** More than the list shows at once; a few have a video. */
const FRAGMENTS = 60;
const WITH_VIDEO = 12;
/** Every third of the others failed; a filter lists these. */
const isFailed = (n: number): boolean => n >= WITH_VIDEO && n % 3 === 0;

let product: Product;
let browser: Browser;
let folder: string;
let busId: number;
let fragments: Fragment[];
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-clips-'));
  const { customers } = plainFleet({ buses: 1, cameras: 1 });
  // Without a map, which is slow to draw in software.
  const units = await setUpFleet(product.url, {
    customers: customers.map((one) => ({
      ...one,
      buses: one.buses.map((bus) => ({ ...bus, gps_trackable: false })),
    })),
  });
  busId = units[0]?.bus_id ?? 0;
  const recorded = Array.from({ length: FRAGMENTS }, (_, n) => ({
    bus: 0,
    startMs: morningMs + n * 60_000,
    lengthMs: 6_000,
    ...(n < WITH_VIDEO && { clip: 'plain.mp4' as const }),
  }));
  await sendRecorded(product, units, recorded, folder);
  const recordedIds = (await waitForDay(product, { id: busId, date }, WITH_VIDEO)).map(
    ({ id }) => id,
  );
  for (const id of recordedIds.filter((_, n) => isFailed(n))) {
    await holdState(product, id, 'DOWNLOAD_FAIL');
  }
  fragments = await waitForDay(product, { id: busId, date }, WITH_VIDEO);
  browser = await openBrowser();
  context = await openContext(browser, product.url);
  page = await context.newPage();
  // All of the list and its filters are in sight.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(watchSigns);
  await signInAs(page, 'admin');
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  if (folder) await rm(folder, { recursive: true });
});

type Action =
  | { readonly does: 'press'; readonly key: string }
  | { readonly does: 'row' | 'count'; readonly place: number }
  | { readonly does: 'button'; readonly label: string }
  | { readonly does: 'filter'; readonly name: string };
type Pace = 'at once' | 'one after another' | 'after each frame';

const press = fc.constantFrom(
  ...['Space', 'Enter', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight'],
  ...['Shift+ArrowRight', 'Digit0', 'Digit4', 'Digit7', 'Backspace'],
);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ does: fc.constant('press' as const), key: press }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('row' as const, 'count' as const),
      place: fc.nat(6),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('button' as const),
      label: fc.constantFrom('Предыдущий фрагмент', 'Следующий фрагмент', 'Воспроизвести'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('filter' as const),
      name: fc.constantFrom('error', 'error', 'all'),
    }),
  },
);
/** A held arrow key, faster than the browser accepts addresses. */
const held: fc.Arbitrary<Action[]> = fc
  .tuple(fc.constantFrom('ArrowDown', 'ArrowUp'), fc.integer({ min: 15, max: 60 }))
  .map(([key, times]) => Array.from({ length: times }, () => ({ does: 'press', key })));
const round = fc.record({
  actions: fc.oneof(
    { weight: 5, arbitrary: fc.array(action, { minLength: 5, maxLength: 30 }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(held, fc.array(action, { maxLength: 8 }))
        .map(([first, then]) => [...first, ...then]),
    },
  ),
  pace: fc.constantFrom<Pace>('at once', 'one after another', 'after each frame'),
});

/** The middle of a visible row, or of its first count, px. */
async function pointOf(place: number, part: 'row' | 'count'): Promise<{ x: number; y: number }> {
  return page.evaluate(
    ({ wanted, isCount }) => {
      const frame = document.querySelector('[data-fragments]');
      frame?.scrollIntoView({ block: 'nearest' });
      const box = frame?.getBoundingClientRect();
      const count = frame?.querySelector('[data-count]')?.getBoundingClientRect();
      const rowPx = 40;
      return {
        x: isCount ? (count?.x ?? 0) + (count?.width ?? 0) / 2 : (box?.x ?? 0) + rowPx,
        y: (box?.y ?? 0) + (wanted + 0.5) * rowPx,
      };
    },
    { wanted: place, isCount: part === 'count' },
  );
}

async function perform(one: Action): Promise<void> {
  if (one.does === 'press') return page.keyboard.press(one.key);
  if ('place' in one) {
    const { x, y } = await pointOf(one.place, one.does);
    return page.mouse.click(x, y);
  }
  // The panel without a fragment has no buttons.
  const buttons =
    one.does === 'filter'
      ? page.locator(`[data-filter=${one.name}]`)
      : page.getByRole('button', { name: one.label });
  const middle = await buttons.evaluateAll(([button]) => {
    const box = button?.getBoundingClientRect();
    return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
  if (middle) await page.mouse.click(middle.x, middle.y);
}

const nextFrame = () =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => done())));

/** The index of the current fragment, if there is one, and whether the list shows only those that failed. */
interface Place {
  readonly at: number | undefined;
  readonly onlyFailed: boolean;
}

/** The place of the user after a sign, by the rules of the page. */
function placeAfter({ at, onlyFailed }: Place, sign: Sign): Place {
  if (sign.kind === 'filter') return { at, onlyFailed: sign.name === 'error' && !onlyFailed };
  if (sign.kind === 'row') {
    return { at: fragments.findIndex(({ id }) => id === sign.id), onlyFailed };
  }
  // The current fragment is always listed.
  const listed = [...fragments.keys()].filter((n) => !onlyFailed || isFailed(n) || n === at);
  const row = at === undefined ? undefined : listed.indexOf(at);
  const name = sign.kind === 'key' ? sign.code : sign.label;
  if (name === 'ArrowUp' || name === 'Предыдущий фрагмент') {
    return { at: row === undefined ? listed.at(-1) : listed[Math.max(0, row - 1)], onlyFailed };
  }
  const isOn = name === 'ArrowDown' || name === 'Следующий фрагмент';
  if (isOn || (name === 'Enter' && row !== undefined)) {
    return { at: listed[row === undefined ? 0 : row + 1], onlyFailed };
  }
  return { at, onlyFailed };
}

/** The page must show this while a fragment is the current one. The focus may be outside of the rows. */
function wantedOf(at: number | undefined, { focus }: Seen): Seen {
  const fragment = at === undefined ? undefined : fragments[at];
  const id = fragment?.id ?? null;
  return {
    row: id,
    panel: fragment ? formatMoment(Date.parse(fragment.start_time), ZONE, 'HH:mm:ss') : null,
    video: fragment?.playback_uri ? id : null,
    focus: focus === null ? null : id,
    address: id,
    moving: [],
  };
}

describe(`the current fragment, with REVIEWER_SEED=${seed}`, () => {
  it('is one for video, row, focus and address after any keys and clicks, at any speed', async () => {
    await page.goto(`/bus/${busId}?date=${date}`);
    await page.locator('[data-fragments] li').first().waitFor();
    let place: Place = { at: undefined, onlyFailed: false };
    let rounds = 0;
    const property = fc.asyncProperty(round, async ({ actions, pace }) => {
      if (pace === 'at once') await Promise.all(actions.map(perform));
      else {
        for (const one of actions) {
          await perform(one);
          if (pace === 'after each frame') await nextFrame();
        }
      }
      const { signs, astray } = await takeSigns(page);
      expect(astray).toEqual([]);
      place = signs.reduce(placeAfter, place);
      // The address follows fast keys at the rate that browsers accept.
      await expect
        .poll(async () => {
          const seen = await seeFragment(page);
          return { seen, wanted: wantedOf(place.at, seen) };
        })
        .toSatisfy(({ seen, wanted }) => JSON.stringify(seen) === JSON.stringify(wanted));
      rounds += 1;
    });
    await fc.assert(property, {
      seed,
      numRuns: 60,
      interruptAfterTimeLimit: LIMIT_MS,
      // A smaller example would begin at another fragment.
      endOnFailure: true,
    });
    expect(rounds).toBeGreaterThan(3);
  });
});
