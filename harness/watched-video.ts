// Reads what a page's video shows.
import type { JSHandle, Page } from 'playwright-core';

/** The time of the first video of a page, s, the number of frames that it has drawn, and their source. */
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
