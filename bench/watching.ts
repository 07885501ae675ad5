// M3, M4: the player opens a fragment, and continues with the next one, over a link with a round trip of 40 ms; against
// bare video elements with the same files.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { startProduct } from '../harness/product.ts';
import { type ClipDay, makeClipDay } from './clip-day.ts';
import { type Bench, interleave, median, type Result, resultOf } from './measure.ts';
import { settle } from './page-probe.ts';
import { startLine } from './slow-line.ts';
import { gapsBetween, type Moment, openedMs, watchVideos } from './video-probe.ts';
import { type SignedIn, signInBrowser, visit } from './visitor.ts';

const ROUND_TRIP_MS = 40;
const FRAGMENTS = 8;
const FRAGMENT_S = 4;
const MOST_GAP_MS = 80;

interface Scene {
  readonly browser: Browser;
  readonly url: string;
  readonly signedIn: SignedIn;
  readonly day: ClipDay;
}

/** Measures the waits of a reviewer. */
export const watching: Bench = {
  ids: ['M3', 'M4'],
  run: async (isWanted) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-bench-'));
    const product = await startProduct();
    const browser = await openBrowser(process.stderr);
    const line = await startLine(product.url, ROUND_TRIP_MS);
    try {
      const day = await makeClipDay(product, folder, FRAGMENTS, FRAGMENT_S);
      const signedIn = await signInBrowser(browser, product.url, 'admin');
      const scene = { browser, url: line.url, signedIn, day };
      return [
        ...(isWanted('M3') ? [await measureOpening(scene)] : []),
        ...(isWanted('M4') ? [await measureGaps(scene)] : []),
      ];
    } finally {
      await browser.close();
      await line.close();
      await product.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function measureOpening({ browser, url, signedIn, day }: Scene): Promise<Result> {
  const address = url + day.segments[0]?.playback_uri;
  const open = (work: (page: Page) => Promise<number>) => () =>
    visit(browser, url, signedIn, work, { slowed: 1 });
  return interleave(
    { id: 'M3', what: 'a fragment opens, ÷ a bare video', unit: 'ms', target: '≤ 1.2' },
    open(async (page) => {
      await watchVideos(page);
      await page.goto(`/bus/${day.busId}?date=${day.date}`);
      const row = page.locator('[data-fragments] li button').first();
      await row.waitFor();
      await settle(page);
      return openedMs(page, () => row.click({ position: { x: 30, y: 20 } }));
    }),
    open(async (page) => {
      await watchVideos(page);
      await openBare(page);
      await page.evaluate((src) => {
        document.querySelector('button')?.addEventListener('click', () => {
          const video = document.createElement('video');
          video.preload = 'auto';
          video.src = src;
          document.body.append(video);
        });
      }, address);
      return openedMs(page, () => page.locator('button').click());
    }),
  );
}

async function measureGaps({ browser, url, signedIn, day }: Scene): Promise<Result> {
  const play = (work: (page: Page) => Promise<void>): Promise<number[]> =>
    visit(
      browser,
      url,
      signedIn,
      async (page) => {
        await watchVideos(page);
        await work(page);
        await page.waitForFunction(
          (wanted) => window.videoMoments.filter(({ kind }) => kind === 'ended').length >= wanted,
          day.segments.length,
          { timeout: 2 * FRAGMENTS * FRAGMENT_S * 1000 },
        );
        const moments: readonly Moment[] = await page.evaluate(() => window.videoMoments);
        return gapsBetween(moments);
      },
      { slowed: 1 },
    );
  const byProduct = await play(async (page) => {
    await page.addInitScript(() => localStorage.setItem('ridewatch.autoplay', 'true'));
    await page.goto(`/bus/${day.busId}?date=${day.date}&fragment=${day.segments[0]?.id}`);
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
    await page.keyboard.press('Space');
  });
  const byHand = await play(async (page) => {
    await openBare(page);
    await page.evaluate(
      (sources) => {
        const videos = sources.map((src) => {
          const video = document.createElement('video');
          Object.assign(video, { muted: true, hidden: true, preload: 'none', src });
          document.body.append(video);
          return video;
        });
        const show = (at: number): void => {
          const [video, next] = videos.slice(at);
          if (video === undefined) return;
          video.hidden = false;
          if (next) next.preload = 'auto';
          void video.play();
          video.onended = () => {
            video.hidden = true;
            show(at + 1);
          };
        };
        show(0);
      },
      day.segments.map(({ playback_uri }) => url + playback_uri),
    );
  });
  const counters = { 'by hand': Math.round(median(byHand)) };
  return resultOf(
    { id: 'M4', what: 'to the next fragment by itself', unit: 'ms', target: '≤ 1', counters },
    byProduct.map((gapMs) => ({ product: gapMs, limit: MOST_GAP_MS })),
  );
}

// An empty page of the same origin.
async function openBare(page: Page): Promise<void> {
  await page.route('**/bare', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><button>open</button>' }),
  );
  await page.goto('/bare');
}
