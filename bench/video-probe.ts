// Times at which videos of a page start and end, by the page's clock, ms.
import type { Page } from 'playwright-core';

export interface Moment {
  readonly kind: 'click' | 'first frame' | 'ended' | 'playing';
  readonly ms: number;
}

declare global {
  interface Window {
    videoMoments: Moment[];
  }
}

/** Adds the recording of these times to the next page. */
export async function watchVideos(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.videoMoments = [];
    const note = (kind: Moment['kind'], ms: number): void => {
      window.videoMoments.push({ kind, ms });
    };
    addEventListener('click', ({ timeStamp }) => note('click', timeStamp), true);
    // Media events do not bubble, but they can be captured.
    addEventListener('ended', ({ timeStamp }) => note('ended', timeStamp), true);
    const onPlaying = (): void => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => note('playing', performance.now());
        port2.postMessage(null);
      });
    };
    addEventListener('playing', onPlaying, true);
    const seen = new WeakSet<HTMLVideoElement>();
    new MutationObserver(() => {
      for (const video of document.querySelectorAll('video')) {
        if (seen.has(video)) continue;
        seen.add(video);
        video.requestVideoFrameCallback((ms) => note('first frame', ms));
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Time from a click to the first frame of the opened video. */
export async function openedMs(page: Page, click: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    window.videoMoments = [];
  });
  await click();
  const handle = await page.waitForFunction(() => {
    const msOf = (wanted: Moment['kind']) =>
      window.videoMoments.find(({ kind }) => kind === wanted)?.ms;
    const [from, to] = [msOf('click'), msOf('first frame')];
    return from !== undefined && to !== undefined ? to - from : undefined;
  });
  return (await handle.jsonValue()) ?? Number.NaN;
}

/** Times from the end of each video to the first visible frame of the next one. */
export function gapsBetween(moments: readonly Moment[]): number[] {
  return moments.flatMap(({ kind, ms }, at) => {
    if (kind !== 'ended') return [];
    const next = moments.slice(at + 1).find((later) => later.kind === 'playing');
    return next ? [next.ms - ms] : [];
  });
}
