/** Safari on iPhones shows only the video itself full screen, by its own method. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void;
}

/** Whether this browser can show something full screen. */
export function canFillScreen(): boolean {
  return document.fullscreenEnabled || 'webkitEnterFullscreen' in HTMLVideoElement.prototype;
}

/** Toggles full screen; ignores a refusal of the browser. */
export async function toggleFullScreen(frame: HTMLElement, video: PhoneVideo): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else if (document.fullscreenEnabled) await frame.requestFullscreen();
    else video.webkitEnterFullscreen?.();
  } catch (error) {
    // The browser refuses without a user gesture, or before the first frame.
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
  }
}
