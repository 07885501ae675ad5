// When a picture of a page can be taken: nothing of it is on its way any more. A page that does not come so far says what
// it lacks.
import { en as dayEn } from '@ridewatch/web/src/features/bus-day/texts-en.ts';
import { ru as dayRu } from '@ridewatch/web/src/features/bus-day/texts-ru.ts';
import { en as listEn } from '@ridewatch/web/src/features/bus-list/texts-en.ts';
import { ru as listRu } from '@ridewatch/web/src/features/bus-list/texts-ru.ts';
import { en as moneyEn } from '@ridewatch/web/src/features/calculator/texts-en.ts';
import { ru as moneyRu } from '@ridewatch/web/src/features/calculator/texts-ru.ts';
import { en as gpsEn } from '@ridewatch/web/src/features/gps/texts-en.ts';
import { ru as gpsRu } from '@ridewatch/web/src/features/gps/texts-ru.ts';
import { en as homeEn } from '@ridewatch/web/src/features/home/texts-en.ts';
import { ru as homeRu } from '@ridewatch/web/src/features/home/texts-ru.ts';
import { en as routesEn } from '@ridewatch/web/src/features/routes/texts-en.ts';
import { ru as routesRu } from '@ridewatch/web/src/features/routes/texts-ru.ts';
import { common as commonEn } from '@ridewatch/web/src/i18n/en/common.ts';
import { common as commonRu } from '@ridewatch/web/src/i18n/ru/common.ts';
import { en as mapEn } from '@ridewatch/web/src/map/texts-en.ts';
import { ru as mapRu } from '@ridewatch/web/src/map/texts-ru.ts';
import type { Page, Request } from 'playwright-core';

/** A page of a busy machine is complete after some seconds, and home asks again every 40 s. */
export const LIMIT_MS = 60_000;
/** Code that has loaded asks for more within this time, ms. */
const QUIET_MS = 250;
const POLL_MS = 50;
/** Requests that a complete page may leave open. */
const LASTING = new Set(['media', 'ping', 'eventsource', 'websocket']);

const mapTexts = [mapRu, mapEn, gpsRu, gpsEn, routesRu.mapNames, routesEn.mapNames];
const loading = [commonRu, commonEn].map((text) => text.loading);
const withoutMap = mapTexts.flatMap(({ mapWaits, mapUnable, mapFailed }) => [
  mapWaits,
  mapUnable,
  mapFailed,
]);
/** The demo's one broken unit stays silent, and its bus incomplete. */
const MOST_BUSES = 12;
const uncounted = [
  ...[homeRu, homeEn].flatMap(({ incomplete }) =>
    Array.from({ length: MOST_BUSES - 1 }, (_, index) => incomplete(index + 2)),
  ),
  ...[listRu, listEn].map((text) => text.recounting),
  ...[gpsRu, gpsEn].flatMap((text) => [text.pending, text.workingTitle]),
  ...[dayRu, dayEn].map((text) => text.moneyWaits),
  ...[moneyRu, moneyEn].map((text) => text.waits),
];

/** The state of a page, by its own words. */
export interface PageState {
  /** All that can be read on it, each piece by itself: the guide quotes in its sentences what a page says while it waits. */
  readonly texts: readonly string[];
  /** Names of the parts that say that they are busy. */
  readonly busy: readonly string[];
  /** Maps that do not say that they are drawn. */
  readonly undrawnMaps: number;
  /** Addresses of visible images without their data. */
  readonly images: readonly string[];
}

/**
 * Finds what a page still lacks.
 * @param isCounted the days of its product are worked out: no screen may say that they are not
 * @returns one phrase for each thing; none for a complete page
 */
export function findMissing(
  { texts, busy, undrawnMaps, images }: PageState,
  isCounted: boolean,
): string[] {
  const said = new Set([...loading, ...withoutMap, ...(isCounted ? uncounted : [])]);
  return [
    ...[...said].filter((one) => texts.includes(one)).map((one) => `it says “${one}”`),
    ...busy.map((name) => `${name} is busy`),
    ...(undrawnMaps > 0 ? [`${undrawnMaps} of its maps not drawn`] : []),
    ...images.map((address) => `the image ${address} not loaded`),
  ];
}

/** A page did not become complete within the limit; the message says what it lacks. */
export class NotComplete extends Error {}

/** Reads what a page says of itself. */
function readPage(page: Page): Promise<PageState> {
  return page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll(selector)];
    const nameOf = (element: Element): string => {
      const named = element.closest('[aria-label], [id]:not(#root)');
      const own = element.textContent?.trim() || element.className;
      return `${element.localName} (${own}) in ${named?.ariaLabel ?? named?.id ?? 'the page'}`;
    };
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode.textContent?.trim() ?? '');
    return {
      texts,
      busy: all('[aria-busy=true]').map(nameOf),
      undrawnMaps: all('.maplibregl-map:not([data-drawn])').length,
      images: all('img')
        .filter((image) => image instanceof HTMLImageElement && !image.complete)
        .filter((image) => image.checkVisibility())
        .map((image) => image.getAttribute('src') ?? ''),
    };
  });
}

/** Watches what a page loads. Stop it afterwards. */
export function watchRequests(page: Page) {
  const open = new Set<Request>();
  const begin = (request: Request) => {
    if (!LASTING.has(request.resourceType())) open.add(request);
  };
  const end = (request: Request) => {
    open.delete(request);
  };
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  return {
    open,
    stop: () => {
      page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
    },
  };
}

/**
 * Waits until a page is complete, and stays so for a moment.
 * @param open requests of the page that have no answer yet
 * @throws NotComplete with what the page lacks after the limit
 */
export async function untilComplete(
  page: Page,
  options: {
    readonly open?: ReadonlySet<Request>;
    readonly isCounted: boolean;
    readonly limitMs?: number;
  },
): Promise<void> {
  const { open = new Set<Request>(), isCounted, limitMs = LIMIT_MS } = options;
  const beginMs = performance.now();
  let wholeMs: number | undefined;
  for (;;) {
    const missing = [
      ...findMissing(await readPage(page), isCounted),
      ...Array.from(open, (request) => `${request.method()} ${request.url()} not answered`),
    ];
    const nowMs = performance.now();
    wholeMs = missing.length > 0 ? undefined : (wholeMs ?? nowMs);
    if (wholeMs !== undefined && nowMs - wholeMs >= QUIET_MS) return;
    // A page that changes all the time lacks something else at each look.
    if (nowMs - beginMs > limitMs && missing.length > 0) {
      throw new NotComplete(`not complete after ${limitMs / 1000} s: ${missing.join('; ')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
