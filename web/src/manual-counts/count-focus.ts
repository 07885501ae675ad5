// Where in the list somebody types. The focus moves at once, the address a moment later: who types fast must not hit the
// row that is being left.

const field = (): HTMLElement | undefined => {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement.dataset.count !== undefined
    ? activeElement
    : undefined;
};

/** The fragment whose counts have the focus. */
export function focusedFragment(): number | undefined {
  const id = field()?.closest<HTMLElement>('[data-fragment]')?.dataset.fragment;
  return id === undefined ? undefined : Number(id);
}

/**
 * Moves the focus to the counts of a fragment: to the same field as before, or to the first.
 * @returns whether the fragment's row is drawn
 */
export function focusCounts(fragmentId: number, to: 'same' | 'first'): boolean {
  const name = to === 'same' ? field()?.dataset.count : undefined;
  const wanted = name === undefined ? '[data-count]' : `[data-count="${name}"]`;
  const found = document.querySelector<HTMLElement>(`[data-fragment="${fragmentId}"] ${wanted}`);
  found?.focus({ preventScroll: true });
  return found !== null;
}

/** Takes the focus out of the counts. */
export function leaveCounts(): void {
  field()?.blur();
}
