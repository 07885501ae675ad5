/** Safari on iPhones shows only the video itself full screen, by a call of its own. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void;
}

/** Whether this browser can show anything full screen. */
export function canFillScreen(): boolean {
  return document.fullscreenEnabled || 'webkitEnterFullscreen' in HTMLVideoElement.prototype;
}

/** Shows the player full screen, or takes it back; a refusal of the browser changes nothing. */
export async function toggleFullScreen(frame: HTMLElement, video: PhoneVideo): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else if (document.fullscreenEnabled) await frame.requestFullscreen();
    else video.webkitEnterFullscreen?.();
  } catch (error) {
    // Only what was not asked for by hand, or has no picture yet, is refused.
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
  }
}
