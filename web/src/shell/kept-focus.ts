// Keeps the focus of somebody without a mouse. A control that goes, or is disabled while it works, leaves the focus
// nowhere: keys do nothing then, and a screen reader is at the top of the page.
import { focusScreen } from './skip-link.tsx';

const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
const LAYERS = 'dialog, [role=dialog]';
/**
 * Rows of lists: the focus of one that scrolls away is not another one's, whose buttons do something else; and fields of
 * counts, after which the keys belong to the next fragment.
 */
const LEFT_ALONE = 'article, [aria-rowindex], [data-row], [data-fragment], [data-count]';

/** The place of a control. */
interface Place {
  readonly control: HTMLElement;
  /** It is in a row of a list of the page. */
  readonly isOfRow: boolean;
  /** The dialog around it; null: the page. */
  readonly layer: Element | null;
  /** The elements around it, the innermost first, each with what stands before the control in it. */
  readonly around: readonly { readonly parent: Element; readonly before: readonly Element[] }[];
}

/**
 * Begins to keep the focus: where the control goes that had it, the next one has it, or the one that opened its dialog;
 * with a whole screen, the next screen. A control that was disabled for a while has it again. Pointing changes nothing.
 * @returns a function that ends it
 */
export function keepFocus(): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  /** The last place of each layer, the newest first. */
  let places: readonly Place[] = [];
  let isPointing = false;
  let wasDisabled = false;
  let frame = 0;
  const note = () => {
    const control = document.activeElement;
    if (isPointing || !(control instanceof HTMLElement) || control === document.body) return;
    wasDisabled = false;
    const place = placeOf(control);
    places = [place, ...places.filter(({ layer }) => layer !== place.layer)];
  };
  const look = () => {
    const [last] = places;
    if (last === undefined || document.activeElement !== document.body) return;
    const { control, layer } = last;
    if (isUsable(control)) {
      if (wasDisabled) control.focus();
      // It was left on purpose. In a dialog that is no place for the focus, once the control is gone.
      else if (layer === null) places = [];
      return;
    }
    if (isBusy(control)) return;
    if (last.isOfRow && leftAround(last).length > 0) places = [];
    else goOn(places);
  };
  // The page has moved the focus itself by then, where it does.
  const lookSoon = () => {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        frame = 0;
        look();
      });
    });
  };
  const observer = new MutationObserver(() => {
    const [last] = places;
    if (last === undefined) return;
    wasDisabled ||= last.control.matches(':disabled, [inert] *');
    if (document.activeElement === document.body || wasDisabled) lookSoon();
  });
  const attributeFilter = ['disabled', 'hidden', 'inert', 'aria-busy'];
  observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter });
  document.addEventListener('focusin', note, { signal });
  document.addEventListener('focusout', lookSoon, { signal });
  const point = () => {
    isPointing = true;
    places = [];
  };
  document.addEventListener('pointerdown', point, { signal, capture: true });
  const type = () => {
    isPointing = false;
    note();
  };
  document.addEventListener('keydown', type, { signal, capture: true });
  return () => {
    ended.abort();
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

function placeOf(control: HTMLElement): Place {
  const around: { parent: Element; before: Element[] }[] = [];
  for (let inner: Element = control; inner.parentElement; inner = inner.parentElement) {
    const parent = inner.parentElement;
    const siblings = [...parent.children];
    around.push({ parent, before: siblings.slice(0, siblings.indexOf(inner)) });
    if (parent.matches(LAYERS)) break;
  }
  const layer = control.closest(LAYERS);
  const isOfRow = layer === null && control.closest(LEFT_ALONE) !== null;
  return { control, isOfRow, layer, around };
}

function goOn(places: readonly Place[]): void {
  const next = places.map(nextOf).find((one) => one !== undefined);
  if (next) next.focus();
  else focusScreen();
}

// The first control after the place, in what is left around it; the last one before it where none comes after.
function nextOf(place: Place): HTMLElement | undefined {
  if (isUsable(place.control)) return place.control;
  const left = leftAround(place).map(({ parent, before }) => ({
    previous: before.findLast((one) => one.parentElement === parent),
    controls: [...parent.querySelectorAll<HTMLElement>(CONTROLS)].filter(isUsable),
  }));
  for (const { previous, controls } of left) {
    const next = controls.find((one) => previous === undefined || isAfter(one, previous));
    if (next) return next;
  }
  return left.map(({ controls }) => controls.at(-1)).find((one) => one !== undefined);
}

function leftAround({ around }: Place): Place['around'] {
  const end = around.findIndex(({ parent }) => isScreen(parent));
  return around.slice(0, end === -1 ? undefined : end).filter(({ parent }) => parent.isConnected);
}

/** Around another screen nothing is near what went. */
const isScreen = (one: Element) => one.matches('body, main') || one.querySelector('main') !== null;

const isAfter = (one: Element, other: Element) =>
  !other.contains(one) &&
  (other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** It, or a part around it, works, and takes the focus again when it is done. */
const isBusy = (one: Element) => one.isConnected && one.closest('[aria-busy=true]') !== null;

function isUsable(one: Element): boolean {
  const isShown = one.checkVisibility?.({ visibilityProperty: true }) ?? true;
  return (
    one.isConnected &&
    isShown &&
    !one.matches(':disabled, :is([inert], [hidden], [aria-hidden=true]) *, [aria-hidden=true]')
  );
}
