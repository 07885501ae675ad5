// Reads what a page's video shows.
import type { JSHandle, Page } from 'playwright-core';

/** Where the first video of a page is, s, how many frames it has drawn, and where they come from. */
export function watchedOn(page: Page): Promise<{ atS: number; frames: number; source: string }> {
  return page.evaluate(() => {
    const video = document.querySelector('video');
    return {
      atS: video?.currentTime ?? -1,
      frames: video?.getVideoPlaybackQuality().totalVideoFrames ?? 0,
      source: video?.currentSrc ?? '',
    };
  });
}

/** Waits until the first video of a page can be shown. */
export function untilLoadedOn(page: Page): Promise<JSHandle> {
  return page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
}
