// The focus in the list and in the inputs of counts. It follows the current fragment, so that no key reaches a row that
// is not the one seen.

/** The input that gets the focus in another fragment: the one of the same count, or the first. */
export type CountField = 'same' | 'first';

const rowOf = (element: Element | null) => element?.closest<HTMLElement>('[data-fragment]');

/** Id of the fragment whose input has the focus. */
export function focusedFragment(): number | undefined {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLInputElement)) return undefined;
  const id = rowOf(activeElement.closest('[data-count]'))?.dataset.fragment;
  return id === undefined ? undefined : Number(id);
}

/** Moves the focus to the first input of a fragment, if it has inputs. */
export function focusCounts(fragmentId: number): void {
  find(`${rowSelector(fragmentId)} [data-count]`)?.focus({ preventScroll: true });
}

/** Moves a focus in another fragment to the same control of the current one, or removes it if there is none. */
export function followFocus(currentId: number | undefined, to: CountField): void {
  const { activeElement: focused } = document;
  if (!(focused instanceof HTMLElement)) return;
  const row = rowOf(focused);
  if (!row) return;
  const isCount = focused instanceof HTMLInputElement && focused.dataset.count !== undefined;
  const isThere = row.dataset.fragment === String(currentId);
  // Inputs below a video stay when the fragment changes.
  if (isThere && !isCount) return;
  const name = to === 'same' ? `="${focused.dataset.count}"` : '';
  const next = find(
    isCount
      ? `${rowSelector(currentId)} [data-count${name}]`
      : `[data-fragments] ${rowSelector(currentId)} button`,
  );
  if (!next) focused.blur();
  else if (next !== focused) next.focus({ preventScroll: true });
  // A digit replaces the count of the other fragment instead of lengthening it.
  else if (isCount) focused.select();
}

const rowSelector = (fragmentId: number | undefined) => `[data-fragment="${fragmentId}"]`;

function find(selector: string): HTMLElement | null {
  return document.querySelector(selector);
}
