// Set-up of component tests: the features of browsers that jsdom lacks and the screens need.
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

/** The current time of all component tests: a Tuesday afternoon in Moscow. */
export const NOW = '2026-03-10T12:00:00.000Z';
/** The local day of `NOW`. */
export const TODAY = '2026-03-10';

// A limit for what hangs; it does not delay what is there.
configure({ asyncUtilTimeout: 60_000 });

/** Size of every measured element, px. */
const BOX = { width: 1000, height: 600 };

let widthPx = 1280;
const queries = new Set<FakeQuery>();

class FakeQuery extends EventTarget {
  readonly media: string;
  onchange = null;

  constructor(media: string) {
    super();
    this.media = media;
    queries.add(this);
  }

  get matches(): boolean {
    const least = /min-width: ([\d.]+)px/.exec(this.media)?.[1];
    const most = /max-width: ([\d.]+)px/.exec(this.media)?.[1];
    if (least === undefined && most === undefined) return this.media.includes('reduced-motion');
    return widthPx >= Number(least ?? 0) && widthPx <= Number(most ?? Number.POSITIVE_INFINITY);
  }

  addListener(): void {}
  removeListener(): void {}
}

const widths = { phone: 390, desktop: 1280, wide: 1680 };

/** Resizes the window to that of a device, or to a width in px. */
export function resizeTo(width: keyof typeof widths | number): void {
  widthPx = typeof width === 'number' ? width : widths[width];
  for (const query of queries) query.dispatchEvent(new Event('change'));
}

class FakeResizeObserver {
  readonly #notify: ResizeObserverCallback;

  constructor(notify: ResizeObserverCallback) {
    this.#notify = notify;
  }

  observe(target: Element): void {
    const contentRect = target.getBoundingClientRect();
    const borderBoxSize = [{ inlineSize: contentRect.width, blockSize: contentRect.height }];
    this.#notify([{ target, contentRect, borderBoxSize } as unknown as ResizeObserverEntry], this);
  }

  unobserve(): void {}
  disconnect(): void {}
}

const shown = new WeakSet<Element>();
const playing = new WeakSet<HTMLMediaElement>();

function show(this: HTMLElement): void {
  change(this, true);
}
function hide(this: HTMLElement): void {
  change(this, false);
}
function change(element: HTMLElement, isOpen: boolean): void {
  if (shown.has(element) === isOpen) return;
  if (isOpen) shown.add(element);
  else shown.delete(element);
  element.style.display = isOpen ? 'block' : '';
  const event = new Event('toggle');
  queueMicrotask(() =>
    element.dispatchEvent(Object.assign(event, { newState: isOpen ? 'open' : 'closed' })),
  );
}

// A button with popovertarget opens its panel after all listeners of the click.
window.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('[popovertarget]') : null;
  const panel = document.getElementById(button?.getAttribute('popovertarget') ?? '');
  if (panel) change(panel, !shown.has(panel));
});

const define = (prototype: object, members: Record<string, PropertyDescriptor | object>): void => {
  for (const [name, member] of Object.entries(members)) {
    const isDescriptor = 'get' in member || 'value' in member;
    const descriptor = isDescriptor ? member : { value: member, writable: true };
    Object.defineProperty(prototype, name, { configurable: true, ...descriptor });
  }
};

define(window, {
  isSecureContext: { value: true },
  matchMedia: (media: string) => new FakeQuery(media),
  ReadableStream: { value: new Response('').body?.constructor },
  ResizeObserver: FakeResizeObserver,
  scrollTo: () => undefined,
  innerHeight: { get: () => BOX.height },
  innerWidth: { get: () => widthPx },
});
define(HTMLElement.prototype, {
  showPopover: show,
  hidePopover: hide,
  offsetWidth: { get: () => BOX.width },
  offsetHeight: { get: () => BOX.height },
});
define(Element.prototype, {
  scrollIntoView: () => undefined,
  scrollTo: () => undefined,
  setPointerCapture: () => undefined,
  releasePointerCapture: () => undefined,
  hasPointerCapture: () => false,
  clientWidth: { get: () => BOX.width },
  clientHeight: { get: () => BOX.height },
  getBoundingClientRect: () => new DOMRect(0, 0, BOX.width, BOX.height),
});
define(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.open = true;
  },
  close(this: HTMLDialogElement) {
    if (!this.open) return;
    this.open = false;
    this.dispatchEvent(new Event('close'));
  },
});
define(HTMLMediaElement.prototype, {
  paused: {
    get(this: HTMLMediaElement) {
      return !playing.has(this);
    },
  },
  async play(this: HTMLMediaElement) {
    playing.add(this);
    this.dispatchEvent(new Event('play'));
  },
  pause(this: HTMLMediaElement) {
    if (playing.delete(this)) this.dispatchEvent(new Event('pause'));
  },
  load: () => undefined,
});
define(document, { fonts: { value: { ready: Promise.resolve() } } });
// No canvas context: maps say that they cannot draw, the timeline stays blank.
define(HTMLCanvasElement.prototype, { getContext: () => null });

// Fake only the date; timers run, for polling and delays.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(NOW) });
  resizeTo('desktop');
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
// A test may end while the code of a screen that it went to still loads.
afterAll(() => vi.dynamicImportSettled());
