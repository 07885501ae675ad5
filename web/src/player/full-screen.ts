/** Safari on iPhones shows only the video itself full screen, by its own method. */
interface PhoneVideo extends HTMLVideoElement {
  webkitEnterFullscreen?: () => void;
}

/** Whether this browser can show something full screen. */
export function canFillScreen(): boolean {
  return document.fullscreenEnabled || 'webkitEnterFullscreen' in HTMLVideoElement.prototype;
}

/**
 * Toggles full screen; ignores a refusal of the browser. Somebody without a mouse has the focus where it was, once the
 * rest of the page is back.
 */
export async function toggleFullScreen(frame: HTMLElement, video: PhoneVideo): Promise<void> {
  const { activeElement: control } = document;
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else if (document.fullscreenEnabled) {
      const isByKeys = control?.matches(':focus-visible');
      await frame.requestFullscreen();
      if (isByKeys) focusAfterwards(control);
    } else video.webkitEnterFullscreen?.();
  } catch (error) {
    // The browser refuses without a user gesture, or before the first frame.
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
  }
}

// The browser takes the focus from everything that does not fill the screen.
function focusAfterwards(control: Element | null): void {
  const look = () => {
    if (document.fullscreenElement) return;
    document.removeEventListener('fullscreenchange', look);
    if (document.activeElement === document.body && control instanceof HTMLElement) control.focus();
  };
  document.addEventListener('fullscreenchange', look);
}
