// Notes what maps of a page draw, by the page's clock, ms since the start of its navigation.
import type { Page } from 'playwright-core';

/** One painted frame of a map. */
interface DrawnFrame {
  readonly ms: number;
  /** Corners of the drawn triangles. A longer line has more, and so has one with more parts. */
  readonly corners: number;
}

declare global {
  interface Window {
    drawnFrames: DrawnFrame[];
  }
}

/** A map that drew nothing for so long is at rest. */
const REST_MS = 1500;
const LIMIT_MS = 90_000;
/** A line has more corners than the ground, whose tiles have six each. */
const LEAST_OF_A_LINE = 500;

/** Adds the notes to the next page. The graphics library is watched, so no page needs to tell anything. */
export async function watchDrawing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.drawnFrames = [];
    let corners = 0;
    const { prototype } = WebGL2RenderingContext;
    const { drawElements } = prototype;
    prototype.drawElements = function draw(mode, count, type, offset) {
      if (corners === 0) {
        // A message that is posted in a frame arrives after its paint.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          window.drawnFrames.push({ ms: performance.now(), corners });
          corners = 0;
        };
        port2.postMessage(null);
      }
      corners += count;
      drawElements.call(this, mode, count, type, offset);
    };
  });
}

/** When a map painted its line, by the page's clock, ms. */
export interface Painted {
  /** The frame from which on the line was on the map. */
  readonly lineMs: number;
  /** The frame from which on everything was that the resting map shows. */
  readonly wholeMs: number;
  /** Corners of the resting map. */
  readonly corners: number;
}

/**
 * Waits until the map of the page is at rest.
 * @param least corners of the line alone; all of the resting map by default
 * @throws Error if no line was drawn
 */
export async function linePainted(page: Page, least = Infinity): Promise<Painted> {
  const handle = await page.waitForFunction(
    ({ leastCorners, restMs }) => {
      const last = window.drawnFrames.at(-1);
      const isAtRest = last && last.corners > leastCorners && performance.now() - last.ms > restMs;
      return isAtRest ? window.drawnFrames : undefined;
    },
    { leastCorners: LEAST_OF_A_LINE, restMs: REST_MS },
    { timeout: LIMIT_MS },
  );
  const frames = (await handle.jsonValue()) ?? [];
  const whole = frames.at(-1)?.corners ?? 0;
  const since = (isShort: (corners: number) => boolean): number => {
    const before = frames.findLastIndex(({ corners }) => isShort(corners));
    const painted = frames[before + 1];
    if (painted === undefined) throw new Error('The page drew no line.');
    return painted.ms;
  };
  return {
    lineMs: since((corners) => corners < Math.min(least, whole)),
    wholeMs: since((corners) => corners !== whole),
    corners: whole,
  };
}

/** When the last byte of the first answer of a call came, by the page's clock, ms. */
export function answeredMs(page: Page, call: string): Promise<number> {
  return page.evaluate((path) => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return all.find(({ name }) => new URL(name).pathname === path)?.responseEnd ?? Number.NaN;
  }, call);
}
