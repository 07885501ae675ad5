// W6: the track of a day of 50,000 positions on the map of the GPS tab in a real browser, slowed four times, beside a
// hand-written page with the same library, which draws one line from the same call. It draws it a second time with a
// casing and arrows, the limit of the whole picture.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { type listDayLaps, listLaps } from '@ridewatch/contract/laps';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import {
  ask,
  type Product,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { answeredMs, linePainted, type Painted, watchDrawing } from './draw-probe.ts';
import { type Answer, type Limit, startLimit } from './limits.ts';
import { fetchAnswer } from './load.ts';
import { type Bench, median, ofBudget, type Result, resultOf } from './measure.ts';
import { countNodes } from './page-probe.ts';
import { planOf } from './sample-data.ts';
import { drive } from './sample-records.ts';
import { type SignedIn, signInBrowser, visit } from './visitor.ts';

const POSITIONS = 50_000;
const OF_A_BATCH = 5000;
/** Noise of a poor receiver: the server leaves out no more than a few points of such a track. */
const NOISE_DEGREES = 2e-4;
/** Least share of the positions that the track shows. */
const LEAST_SHOWN = 0.75;
const ROUNDS = 15;
const ZONE = 'Europe/Moscow';
const HOUR_MS = 3_600_000;
const MOST_NODES = 1500;
const BARE_PAGE = '/track';
/** Tells the bare page to draw a casing and arrows. */
const WHOLE_PICTURE = '#whole';
const LIBRARY = ['maplibre-gl.mjs', 'maplibre-gl-worker.mjs'] as const;

interface Day {
  readonly busId: number;
  readonly date: string;
  /** Query of the call that reads the track. */
  readonly query: string;
}

/** The answer of that call, with the number of points in it. */
interface Read {
  readonly answer: Answer;
  readonly points: number;
}

interface TrackVisit extends Painted {
  /** Time from the navigation to the painted line. */
  readonly openedMs: number;
  /** Time from the last byte of the track to the painted line. */
  readonly drawnMs: number;
  /** Time from the last byte of the track to all that the resting map shows: of the product, the casing and arrows, too. */
  readonly completeMs: number;
  readonly nodes: number;
}

/** Measures the map of a long track. */
export const track: Bench = {
  ids: ['W6'],
  run: async () => {
    const product = await startProduct();
    const browser = await openBrowser(process.stderr);
    try {
      const day = await driveDay(product);
      const read = await readTrack(product, day);
      const limit = await startByHand(day, read);
      try {
        return await compare(browser, { product, limit, day, read });
      } finally {
        await limit.close();
      }
    } finally {
      await browser.close();
      await product.remove();
    }
  },
};

interface Compared {
  readonly product: Product;
  readonly limit: Limit;
  readonly day: Day;
  readonly read: Read;
}

async function compare(
  browser: Browser,
  { product, limit, day, read }: Compared,
): Promise<Result[]> {
  const signedIn = await signInBrowser(browser, product.url, 'admin');
  const byHand = (picture = '') =>
    openTrack(browser, limit.url, signedIn, BARE_PAGE + day.query + picture);
  // The map of the product then adds a casing and arrows.
  const { corners: ofLine } = await byHand();
  const address = `/bus/${day.busId}/gps?date=${day.date}`;
  const byProduct = () => openTrack(browser, product.url, signedIn, address, ofLine);
  await byProduct();
  const rounds: Record<'product' | 'line' | 'whole', TrackVisit>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      product: await byProduct(),
      line: await byHand(),
      whole: await byHand(WHOLE_PICTURE),
    });
  }
  const pairs = (key: 'openedMs' | 'drawnMs' | 'completeMs', by: 'line' | 'whole') =>
    rounds.map((round) => ({ product: round.product[key], limit: round[by][key] }));
  const row = (what: string, target: string) => ({ id: 'W6', what, unit: 'ms', target });
  const counters = { points: read.points, bytes: read.answer.body.length };
  const nodes = { id: 'W6', what: 'DOM nodes of its page', unit: 'nodes' };
  return [
    resultOf(
      {
        ...row('a day of 50,000 positions, from its last byte to its line, ÷ a bare line', '≤ 1.2'),
        counters,
      },
      pairs('drawnMs', 'line'),
    ),
    resultOf(
      row('the same with casing and arrows, ÷ a bare map that draws them, too', '≤ 1.2'),
      pairs('completeMs', 'whole'),
    ),
    // Starts the whole application, as the first list does, and has its allowance (W3).
    resultOf(row('the same line from the navigation on', '≤ 2'), pairs('openedMs', 'line')),
    ofBudget(nodes, median(rounds.map((round) => round.product.nodes)), MOST_NODES),
  ];
}

function openTrack(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  address: string,
  least?: number,
): Promise<TrackVisit> {
  return visit(browser, url, signedIn, async (page) => {
    await watchDrawing(page);
    await page.goto(address);
    const painted = await linePainted(page, least);
    const openedMs = painted.lineMs;
    const answered = await answeredMs(page, listLaps.path);
    return {
      ...painted,
      openedMs,
      drawnMs: openedMs - answered,
      completeMs: painted.wholeMs - answered,
      nodes: await countNodes(page),
    };
  });
}

/** A bus without a route drives for 14 hours of yesterday: its day is one lap. */
async function driveDay({ url }: Product): Promise<Day> {
  const [unit] = await setUpFleet(url, planOf(1));
  if (unit === undefined) throw new Error('The fleet has no unit.');
  const date = addDays(dayOf(Date.now(), ZONE), -1);
  const startMs = dayRange(date, ZONE).startMs + 5 * HOUR_MS;
  for (let first = 0; first < POSITIONS; first += OF_A_BATCH) {
    const positions = drive(first, OF_A_BATCH, startMs, NOISE_DEGREES);
    await sendRecords(
      url,
      unit.credential,
      positions.map((position) => ({ ...position })),
    );
  }
  const token = await signIn(url, 'admin');
  const ofDay = `?workplaceId=${unit.bus_id}&date=${date}`;
  let lapId: number | undefined;
  await waitFor(async () => {
    const address = `/api/bus-stop/day-laps${ofDay}`;
    const { items, pending } = await ask<ResponseOf<typeof listDayLaps>>(
      url,
      token,
      'GET',
      address,
    );
    lapId = items[0]?.lap_id;
    return lapId !== undefined && !pending;
  }, 'the lap');
  return { busId: unit.bus_id, date, query: `${ofDay}&lapId=${lapId}` };
}

/** @throws Error if the track shows too few of the positions */
async function readTrack({ url }: Product, { query }: Day): Promise<Read> {
  const authorization = `Bearer ${await signIn(url, 'admin')}`;
  const address = url + listLaps.path + query;
  const answer = await fetch(address, { headers: { authorization } });
  const { items } = (await answer.json()) as ResponseOf<typeof listLaps>;
  const points = items[0]?.track.length ?? 0;
  if (points < LEAST_SHOWN * POSITIONS) throw new Error(`The track has only ${points} points.`);
  return {
    points,
    answer: await fetchAnswer(address, { authorization, 'accept-encoding': 'gzip' }),
  };
}

async function startByHand({ query }: Day, { answer }: Read): Promise<Limit> {
  const { resolve } = createRequire(path.resolve(import.meta.dirname, '../web/package.json'));
  const folder = path.dirname(resolve('maplibre-gl/dist/maplibre-gl.mjs'));
  const script = async (file: string): Promise<[string, Answer]> => [
    `/${file}`,
    {
      status: 200,
      headers: { 'content-type': 'text/javascript', 'content-encoding': 'gzip' },
      body: gzipSync(await readFile(path.join(folder, file))),
    },
  ];
  const page = await readFile(path.join(import.meta.dirname, 'bare-track.html'));
  const html = { status: 200, headers: { 'content-type': 'text/html' }, body: page };
  return startLimit({
    kind: 'answers',
    answers: {
      [BARE_PAGE + query]: html,
      [listLaps.path + query]: answer,
      ...Object.fromEntries(await Promise.all(LIBRARY.map(script))),
    },
  });
}
