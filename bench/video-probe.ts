// When videos of a page begin and end to be seen, by the page's own clock, ms.
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

/** Lets the next page that is opened note the moments of its videos. */
export async function watchVideos(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.videoMoments = [];
    const note = (kind: Moment['kind'], ms: number): void => {
      window.videoMoments.push({ kind, ms });
    };
    addEventListener('click', ({ timeStamp }) => note('click', timeStamp), true);
    // Events of media do not bubble, but they are caught on their way down.
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

/** From a click to the first frame of the video that it opens. */
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

/** From the end of each video until the next one plays before one's eyes. */
export function gapsBetween(moments: readonly Moment[]): number[] {
  return moments.flatMap(({ kind, ms }, at) => {
    if (kind !== 'ended') return [];
    const next = moments.slice(at + 1).find((later) => later.kind === 'playing');
    return next ? [next.ms - ms] : [];
  });
}
