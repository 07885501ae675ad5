// Reads which fragment a browser shows as the current one of the count tab, and what the user did there.
import type { Page } from 'playwright-core';

/** Something that may change the current fragment, in the order in which the page received it. */
export type Sign =
  | { readonly kind: 'key'; readonly code: string }
  | { readonly kind: 'row'; readonly id: number }
  | { readonly kind: 'button'; readonly label: string }
  | { readonly kind: 'filter'; readonly name: string };

/** The fragment that each part of the page shows. */
export interface Seen {
  /** Id of the selected row. */
  readonly row: number | null;
  /** Start of the fragment in the panel, as a clock. */
  readonly panel: string | null;
  /** Id in the address of the video. */
  readonly video: number | null;
  /** Id of the row with the focus. */
  readonly focus: number | null;
  readonly address: number | null;
  /** Positions and states of the preloaded videos that do not stand at their start. */
  readonly moving: readonly string[];
}

interface Watched {
  readonly events: (KeyboardEvent | Sign)[];
  /** Counts that were typed into another row than the selected one. */
  readonly astray: string[];
}

/** Records the user's signs; an init script of the browser, which uses nothing outside itself. */
export function watchSigns(): void {
  const watched: Watched = { events: [], astray: [] };
  Object.assign(window, { watchedSigns: watched });
  const rowOf = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLElement>('li[data-fragment]') : null;
  const noteRow = (target: EventTarget | null) => {
    const row = rowOf(target);
    if (row) watched.events.push({ kind: 'row', id: Number(row.dataset.fragment) });
  };
  // Whether the page handled a key is known after all listeners.
  window.addEventListener('keydown', (event) => watched.events.push(event));
  window.addEventListener(
    'mousedown',
    ({ target }) => {
      if (target instanceof HTMLInputElement) noteRow(target);
    },
    true,
  );
  window.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element)) return;
      const label = target.closest('aside button')?.getAttribute('aria-label');
      if (label) watched.events.push({ kind: 'button', label });
      const filter = target.closest<HTMLElement>('[data-filter]')?.dataset.filter;
      if (filter) watched.events.push({ kind: 'filter', name: filter });
      // A drag from a row's button to its input clicks what both lie in.
      if (target.closest('li[data-fragment] > button')) noteRow(target);
    },
    true,
  );
  window.addEventListener('input', ({ target }) => {
    const typed = rowOf(target)?.dataset.fragment;
    const selected = rowOf(document.querySelector('[data-fragments] [aria-current]'));
    if (typed !== undefined && typed !== selected?.dataset.fragment) {
      watched.astray.push(`${typed}, while ${selected?.dataset.fragment} was selected`);
    }
  });
}

/** Takes what was recorded since the last call. */
export function takeSigns(page: Page): Promise<{ signs: Sign[]; astray: string[] }> {
  return page.evaluate(() => {
    const { watchedSigns } = window as unknown as { watchedSigns: Watched };
    const signs = watchedSigns.events.splice(0).flatMap((one): Sign[] => {
      if (!(one instanceof KeyboardEvent)) return [one];
      return one.defaultPrevented ? [{ kind: 'key', code: one.code }] : [];
    });
    return { signs, astray: watchedSigns.astray.splice(0) };
  });
}

/** Reads what the page shows. */
export function seeFragment(page: Page): Promise<Seen> {
  return page.evaluate(() => {
    const idOf = (element: Element | null | undefined) => {
      const id = element?.closest<HTMLElement>('[data-fragment]')?.dataset.fragment;
      return id === undefined ? null : Number(id);
    };
    const videos = [...document.querySelectorAll('video')];
    const chosen = videos.find((video) => video.ariaHidden !== 'true');
    const path = chosen ? new URL(chosen.src, location.href).pathname : undefined;
    const clocks = [...document.querySelectorAll('aside strong')].map(
      (one) => one.textContent ?? '',
    );
    const named = new URL(location.href).searchParams.get('fragment');
    return {
      row: idOf(document.querySelector('[data-fragments] [aria-current]')),
      panel: clocks.find((text) => /^\d\d:\d\d:\d\d$/.test(text)) ?? null,
      video: path === undefined ? null : Number(path.split('/').at(-1)),
      focus: idOf(document.activeElement),
      address: named === null ? null : Number(named),
      moving: videos
        .filter((video) => video !== chosen && (!video.paused || video.currentTime > 0))
        .map((video) => `${video.src} at ${video.currentTime}`),
    };
  });
}
