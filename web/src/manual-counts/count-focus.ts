// The focused input of a count. The focus moves at once, the address later; fast typing must not reach the row that is
// being left.

const field = (): HTMLElement | undefined => {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement.dataset.count !== undefined
    ? activeElement
    : undefined;
};

/** Id of the fragment whose input has the focus. */
export function focusedFragment(): number | undefined {
  const id = field()?.closest<HTMLElement>('[data-fragment]')?.dataset.fragment;
  return id === undefined ? undefined : Number(id);
}

/**
 * Moves the focus to an input of a fragment: the same one as before, or the first.
 * @returns whether the fragment's row is rendered
 */
export function focusCounts(fragmentId: number, to: 'same' | 'first'): boolean {
  const name = to === 'same' ? field()?.dataset.count : undefined;
  const wanted = name === undefined ? '[data-count]' : `[data-count="${name}"]`;
  const found = document.querySelector<HTMLElement>(`[data-fragment="${fragmentId}"] ${wanted}`);
  found?.focus({ preventScroll: true });
  return found !== null;
}

/** Removes the focus from the inputs. */
export function leaveCounts(): void {
  field()?.blur();
}
