// W2, W3, W4, W8: the bus list of a large installation in a real browser, slowed four times, beside a hand-written page
// with the same list; requests of the list, of a bus's day and of the home page.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { listBoard } from '@ridewatch/contract/board';
import { searchRoutes } from '@ridewatch/contract/bus-routes';
import type { BusList } from '@ridewatch/contract/buses';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import {
  databaseUrl,
  type Product,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
} from '../harness/product.ts';
import { insertFigures } from './board-data.ts';
import { type Limit, startLimit } from './limits.ts';
import { KEYS, type ListVisit, useList } from './list-work.ts';
import { fetchAnswer } from './load.ts';
import { type Bench, median, ofBudget, type Result, resultOf, Unmeasured } from './measure.ts';
import { firstPaintedMs, layoutShift, settle } from './page-probe.ts';
import { fragmentsOf, OWNER, planOf } from './sample-data.ts';
import { type SignedIn, signInBrowser, visit } from './visitor.ts';

const SIZES = [1000, 5000] as const;
const ROUNDS = 7;
/** A figure of the home page that leads to its source. */
const HOME_FIGURE = 'main section a strong';
/** Calls that the list makes after its first paint. */
const LATER = [listBoard, searchRoutes];
const MOST = {
  homeRequests: 9,
  listRequests: 8,
  laterRequests: 3,
  dayRequests: 14,
  shift: 0.02,
  keyMs: 100,
  longFrames: 0.01,
};

/** Measures the bus list and the way to a bus's day. */
export const screens: Bench = {
  ids: ['W2', 'W3', 'W4', 'W8'],
  run: async (isWanted) => {
    const product = await startProduct();
    const browser = await openBrowser(process.stderr);
    try {
      const results: Result[] = [];
      const problems: string[] = [];
      for (const buses of SIZES) {
        const units = await setUpFleet(product.url, planOf(buses));
        await insertFigures(product);
        const signedIn = await signInBrowser(browser, product.url, 'admin');
        const first = units[0];
        if (results.length === 0 && first !== undefined && (isWanted('W2') || isWanted('W8'))) {
          results.push(...(await openOnce(browser, product, signedIn, first)));
        }
        if (!['W3', 'W4', 'W8'].some(isWanted)) break;
        const used = await useLists(browser, product, signedIn, buses);
        results.push(...used.rows);
        problems.push(...used.problems);
      }
      const wanted = results.filter(({ id }) => isWanted(id));
      if (problems.length > 0) throw new Unmeasured(problems, wanted);
      return wanted;
    } finally {
      await browser.close();
      await product.remove();
    }
  },
};

async function openOnce(
  browser: Browser,
  product: Product,
  admin: SignedIn,
  unit: { bus_id: number; credential: string },
): Promise<Result[]> {
  const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await sendRecords(product.url, unit.credential, fragmentsOf(date));
  const owner = await signInBrowser(browser, product.url, OWNER);
  const open = (signedIn: SignedIn, address: string, isThere: string) =>
    visit(browser, product.url, signedIn, async (page) => {
      let requests = 0;
      let later = 0;
      page.on('request', (request) => {
        if (!request.url().startsWith(product.url)) return;
        if (LATER.some(({ path: late }) => request.url().includes(late))) later += 1;
        else requests += 1;
      });
      await page.goto(address);
      await page.locator(isThere).first().waitFor();
      const usable = requests;
      await settle(page);
      return { requests, usable, later, shift: await layoutShift(page) };
    });
  const ofOwner = await open(owner, '/buses', 'a[href^="/bus/"]');
  const ofAdmin = await open(admin, '/buses', 'a[href^="/bus/"]');
  const day = await open(owner, `/bus/${unit.bus_id}?date=${date}`, 'li button');
  const home = await open(admin, '/', HOME_FIGURE);
  const requests = (what: string, { requests: count }: { requests: number }, most: number) =>
    ofBudget({ id: 'W2', what, unit: 'requests' }, count, most);
  const late = {
    id: 'W2',
    what: 'requests of figures and routes after the first paint',
    unit: 'requests',
  };
  return [
    requests('requests to the bus list of a customer', ofOwner, MOST.listRequests),
    requests('requests to the bus list of an administrator', ofAdmin, MOST.listRequests),
    ofBudget(late, ofAdmin.later, MOST.laterRequests),
    requests("requests to a bus's day", day, MOST.dayRequests),
    // Its map comes after the figures and asks once a second.
    requests('requests to the home page', { requests: home.usable }, MOST.homeRequests),
    ofBudget(
      { id: 'W8', what: 'layout shift of the home page', unit: 'CLS' },
      home.shift,
      MOST.shift,
    ),
    ofBudget({ id: 'W8', what: "layout shift of a bus's day", unit: 'CLS' }, day.shift, MOST.shift),
  ];
}

async function useLists(
  browser: Browser,
  product: Product,
  signedIn: SignedIn,
  buses: number,
): Promise<{ rows: Result[]; problems: string[] }> {
  const limit = await startByHand(product);
  try {
    const counts = await countsOf(product);
    const speak = () => letUnitsSpeak(product);
    const byProduct = () =>
      visit(browser, product.url, signedIn, (page) => useList(page, '/buses', counts, speak));
    const byHand = () =>
      visit(browser, limit.url, signedIn, (page) => useList(page, '/buses', counts, speak));
    const ofHome = () =>
      visit(
        browser,
        product.url,
        signedIn,
        async (page) => {
          await page.goto('/');
          return firstPaintedMs(page);
        },
        { first: HOME_FIGURE },
      );
    await byProduct();
    await byHand();
    await ofHome();
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ product: await byProduct(), hand: await byHand(), homeMs: await ofHome() });
    }
    const problems = new Set<string>();
    for (const { product: own, hand } of rounds) {
      if (own.problem !== undefined) problems.add(`${buses} buses: ${own.problem}`);
      if (hand.problem !== undefined)
        problems.add(`${buses} buses, the page by hand: ${hand.problem}`);
    }
    return { rows: rowsOf(buses, rounds), problems: [...problems] };
  } finally {
    await limit.close();
  }
}

/** A visit to each page. */
interface Round {
  readonly product: ListVisit;
  readonly hand: ListVisit;
  /** Time from the navigation to the first painted figure of the home page. */
  readonly homeMs: number;
}

function rowsOf(buses: number, rounds: readonly Round[]): Result[] {
  type Figure = Exclude<keyof ListVisit, 'problem' | 'keysMs'>;
  const pairs = (key: Figure) =>
    rounds.map((round) => ({ product: round.product[key], limit: round.hand[key] }));
  const ofMost = (key: Figure, most: number) =>
    rounds.map((round) => ({ product: round.product[key], limit: most }));
  const byHand = (key: Figure) => ({
    'by hand': Number(median(rounds.map(({ hand }) => hand[key])).toFixed(3)),
  });
  const nodes = { 'DOM nodes': median(rounds.map((round) => round.product.nodes)) };
  const whole = { 'ms to whole rows': median(rounds.map((round) => round.product.wholeMs)) };
  const row = (id: string, what: string, unit: string, target: string) => ({
    id,
    what: `${what}, ${buses} buses`,
    unit,
    target,
  });
  return [
    resultOf(
      { ...row('W3', 'first list, ÷ a page by hand', 'ms', '≤ 2'), counters: nodes },
      pairs('listMs'),
    ),
    resultOf(
      row('W3', 'first figures of the home page, ÷ the bus list', 'ms', '≤ 2'),
      rounds.map(({ product, homeMs }) => ({ product: homeMs, limit: product.listMs })),
    ),
    resultOf(
      {
        ...row('W4', 'slowest key in the search', 'ms', '≤ 1'),
        counters: { 'by hand': slowestKey(rounds.map(({ hand }) => hand)).median, ...whole },
      },
      slowestKey(rounds.map(({ product }) => product)).all.map((ms) => ({
        product: ms,
        limit: MOST.keyMs,
      })),
    ),
    resultOf(
      { ...row('W8', 'frames over 50 ms', 'of all', '≤ 1'), counters: byHand('longFrames') },
      ofMost('longFrames', MOST.longFrames),
    ),
    resultOf(row('W8', 'layout shift of the list', 'CLS', '≤ 1'), ofMost('shift', MOST.shift)),
    // A row without all rounds is left out.
  ].filter(({ worstRatio }) => !Number.isNaN(worstRatio));
}

// The key whose median over all visits is the largest; one that a visit lacks leaves out the row.
function slowestKey(visits: readonly ListVisit[]): { median: number; all: number[] } {
  const keys = KEYS.map((_, at) => visits.map(({ keysMs }) => keysMs[at] ?? Number.NaN));
  const medians = keys.map((all) => ({ median: Number(median(all).toFixed(1)), all }));
  const lacking = medians.find(({ all }) => all.includes(Number.NaN));
  return lacking ?? medians.reduce((slowest, key) => (key.median > slowest.median ? key : slowest));
}

async function startByHand({ url }: Product): Promise<Limit> {
  const page = await readFile(path.join(import.meta.dirname, 'bare-list.html'));
  const headers = {
    authorization: `Bearer ${await signIn(url, 'admin')}`,
    'accept-encoding': 'gzip',
  };
  const html = { status: 200, headers: { 'content-type': 'text/html' }, body: page };
  const list = await fetchAnswer(`${url}/api/bus_list`, headers);
  return startLimit({ kind: 'answers', answers: { '/buses': html, '/api/bus_list': list } });
}

/** Number of shown buses after each key. */
async function countsOf({ url }: Product): Promise<number[]> {
  const headers = { authorization: `Bearer ${await signIn(url, 'admin')}` };
  const { items } = (await (await fetch(`${url}/api/bus_list`, { headers })).json()) as BusList;
  let typed = '';
  return KEYS.map((key) => {
    typed = key === 'Backspace' ? typed.slice(0, -1) : typed + key;
    return items.filter((bus) => `${bus.name} ${bus.group_device_id}`.includes(typed)).length;
  });
}

// Writes to the database instead of the unit interface, because only screens are measured here.
async function letUnitsSpeak(product: Product): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  await client.query(`update units set last_seen_at = now() - random() * interval '4 minutes'`);
  await client.end();
}
