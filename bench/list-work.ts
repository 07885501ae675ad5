// Uses the bus list: opens it, types into the search, scrolls.
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { countNodes, firstPaintedMs, keyToPaintMs, layoutShift, longFrames } from './page-probe.ts';

/** Keys that narrow and widen the list. */
export const KEYS = ['0', '4', '5', 'Backspace', 'Backspace', 'Backspace'] as const;
const BETWEEN_KEYS_MS = 150;
/** Fast scrolling down and up; it takes longer than the list's refresh interval. */
const SCROLL_PX = 12_000;
const SCROLL_PX_A_S = 2500;

/** Measurements of one visit. */
export interface ListVisit {
  /** Time from the navigation to the first painted bus. */
  readonly listMs: number;
  readonly nodes: number;
  /** Time of each of KEYS until its result was painted; NaN for the one that never was, and none after it. */
  readonly keysMs: readonly number[];
  /** Time of the slowest key until no row waited for its details. */
  readonly wholeMs: number;
  /** Names of the elements that did not appear within the timeout. */
  readonly problem: string | undefined;
  readonly longFrames: number;
  readonly shift: number;
}

/**
 * Uses a list.
 * @param counts number of shown buses after each of KEYS
 * @param onScroll called when the scrolling begins
 */
export async function useList(
  page: Page,
  address: string,
  counts: readonly number[],
  onScroll: () => Promise<void>,
): Promise<ListVisit> {
  await page.goto(address);
  const listMs = await firstPaintedMs(page);
  const nodes = await countNodes(page);
  await page.locator('input[type=text]').focus();
  const keys: { keyMs: number; wholeMs: number }[] = [];
  let problem: string | undefined;
  for (const [at, key] of KEYS.entries()) {
    await pause(BETWEEN_KEYS_MS);
    const times = await keyToPaintMs(page, key, counts[at] ?? 0).catch((error: Error) => {
      problem = error.message;
      return { keyMs: Number.NaN, wholeMs: Number.NaN };
    });
    keys.push(times);
    if (problem !== undefined) break;
  }
  await onScroll();
  const share = await longFrames(page, () => scroll(page));
  return {
    listMs,
    nodes,
    keysMs: keys.map(({ keyMs }) => keyMs),
    wholeMs: Math.max(...keys.map(({ wholeMs }) => wholeMs)),
    problem,
    longFrames: share,
    shift: await layoutShift(page),
  };
}

async function scroll(page: Page): Promise<void> {
  const developer = await page.context().newCDPSession(page);
  for (const yDistance of [-SCROLL_PX, SCROLL_PX]) {
    await developer.send('Input.synthesizeScrollGesture', {
      x: 600,
      y: 600,
      yDistance,
      speed: SCROLL_PX_A_S,
      gestureSourceType: 'mouse',
    });
  }
}
