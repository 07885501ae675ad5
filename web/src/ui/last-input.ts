let byKey = false;
const note = (is: boolean) => () => {
  byKey = is;
};
document.addEventListener('keydown', note(true), { capture: true });
document.addEventListener('pointerdown', note(false), { capture: true });

/** Whether a key was the last thing that was pressed, not a mouse or a finger; false on a page that was just opened. */
export function isByKey(): boolean {
  return byKey;
}
