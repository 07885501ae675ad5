import { afterEach, describe, expect, it, vi } from 'vitest';
import { canFillScreen, toggleFullScreen } from './full-screen.ts';

const phoneVideo = (enter: () => void) =>
  ({ webkitEnterFullscreen: enter }) as unknown as HTMLVideoElement;
const frameThat = (request: () => Promise<void>) =>
  ({ requestFullscreen: request }) as unknown as HTMLElement;
const noVideo = {} as HTMLVideoElement;

function browserWith(document: Partial<Document>, prototype: object = {}) {
  vi.stubGlobal('document', document);
  vi.stubGlobal('HTMLVideoElement', { prototype });
}

afterEach(() => vi.unstubAllGlobals());

describe('the full screen', () => {
  it('is offered where the page or the video can fill the screen, and only there', () => {
    browserWith({ fullscreenEnabled: true });
    expect(canFillScreen()).toBe(true);
    browserWith({ fullscreenEnabled: false }, { webkitEnterFullscreen: () => undefined });
    expect(canFillScreen()).toBe(true);
    browserWith({ fullscreenEnabled: false });
    expect(canFillScreen()).toBe(false);
  });

  it('shows the player with its controls, and takes it back', async () => {
    const exitFullscreen = vi.fn(async () => undefined);
    const request = vi.fn(async () => undefined);
    browserWith({ fullscreenEnabled: true, fullscreenElement: null, exitFullscreen });
    await toggleFullScreen(frameThat(request), noVideo);
    expect(request).toHaveBeenCalledOnce();
    browserWith({ fullscreenEnabled: true, fullscreenElement: {} as Element, exitFullscreen });
    await toggleFullScreen(frameThat(request), noVideo);
    expect(exitFullscreen).toHaveBeenCalledOnce();
  });

  it('gives the focus of the keyboard back to the control that it was asked for with', async () => {
    class Control {
      focus = vi.fn();
      matches = (selector: string) => selector === ':focus-visible';
    }
    const control = new Control();
    const changed: (() => void)[] = [];
    const body = {} as HTMLElement;
    const page = {
      ...{ fullscreenEnabled: true, fullscreenElement: null as unknown, body },
      activeElement: control as unknown,
      addEventListener: (_name: string, listener: () => void) => changed.push(listener),
      removeEventListener: () => changed.splice(0),
    };
    browserWith(page as unknown as Document);
    vi.stubGlobal('HTMLElement', Control);
    await toggleFullScreen(
      frameThat(async () => {
        Object.assign(page, { fullscreenElement: {}, activeElement: body });
      }),
      noVideo,
    );
    for (const listener of [...changed]) listener();
    expect(control.focus).not.toHaveBeenCalled();
    page.fullscreenElement = null;
    for (const listener of [...changed]) listener();
    expect(control.focus).toHaveBeenCalledOnce();
    expect(changed).toEqual([]);
  });

  it('shows the video alone on iPhones', async () => {
    const enter = vi.fn();
    browserWith({ fullscreenEnabled: false });
    await toggleFullScreen({} as HTMLElement, phoneVideo(enter));
    expect(enter).toHaveBeenCalledOnce();
  });

  it('changes nothing when the browser refuses, or can not do it at all', async () => {
    browserWith({ fullscreenEnabled: true });
    const refuse = () => Promise.reject(new TypeError('not by hand'));
    await expect(toggleFullScreen(frameThat(refuse), noVideo)).resolves.toBeUndefined();
    browserWith({ fullscreenEnabled: false });
    const early = phoneVideo(() => {
      throw new DOMException('no picture yet', 'InvalidStateError');
    });
    await expect(toggleFullScreen({} as HTMLElement, early)).resolves.toBeUndefined();
    await expect(toggleFullScreen({} as HTMLElement, noVideo)).resolves.toBeUndefined();
  });
});
