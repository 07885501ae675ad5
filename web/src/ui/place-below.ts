const GAP_PX = 4;

/** Places a floating panel below a button, or above it if there is no room; their right edges align. */
export function placeBelow(button: HTMLElement, panel: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const width = panel.offsetWidth;
  const below = at.bottom + GAP_PX;
  const fitsBelow = below + panel.offsetHeight <= innerHeight;
  const left = Math.max(GAP_PX, Math.min(at.right - width, innerWidth - width - GAP_PX));
  panel.style.left = `${left}px`;
  panel.style.top = `${fitsBelow ? below : Math.max(GAP_PX, at.top - GAP_PX - panel.offsetHeight)}px`;
}
