// A page that somebody goes through with keys alone, and sees where they are: after each key the focus is on a control
// that is in view and shows it.
import type { Browser, Locator, Page } from 'playwright-core';
import { untilFocused } from './keyboard.ts';
import { tabToControl } from './tab-to.ts';
import { openVisit } from './visits.ts';

/** The focus is moved within frames, and a control that works has it again when it is done. */
const SEEN_LIMIT_MS = 30_000;

export interface Walk {
  readonly page: Page;
  main(): Locator;
  /** The dialog that was opened last. */
  dialog(): Locator;
  region(name: string): Locator;
  button(name: string, within?: Locator): Locator;
  /** Goes to a control. @throws Error if no Tab leads there */
  reach(control: Locator): Promise<void>;
  /** Goes to a control and presses a key there, Enter by default. */
  press(control: Locator, key?: string): Promise<void>;
  /** Presses a key where the focus is. */
  key(key: string): Promise<void>;
  /** Goes to a field and types a text instead of what is there. */
  type(field: Locator, text: string): Promise<void>;
  /** Waits until a control, or one in a part of the page, has the focus, and shows it. */
  at(part: Locator): Promise<void>;
  /** The text that was copied last. */
  copied(): Promise<string>;
  /** Waits until no dialog is open. */
  closed(): Promise<void>;
  leave(): Promise<void>;
}

/**
 * Opens a page as somebody who has no pointer.
 * @param as login of a demo user; absent: nobody is signed in
 */
export async function openWalk(
  browser: Browser,
  url: string,
  address: string,
  as?: string,
): Promise<Walk> {
  const context = await openVisit(browser, url, as === undefined ? {} : { as });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  await page.goto(address);
  return {
    page,
    main: () => page.getByRole('main'),
    dialog: () => page.getByRole('dialog').last(),
    region: (name) => page.getByRole('region', { name, exact: true }),
    button: (name, within) => (within ?? page).getByRole('button', { name, exact: true }),
    reach: (control) => reach(page, control),
    press: async (control, key = 'Enter') => {
      await reach(page, control);
      await page.keyboard.press(key);
      await expectSeen(page);
    },
    key: async (key) => {
      await page.keyboard.press(key);
      await expectSeen(page);
    },
    type: async (field, text) => {
      await reach(page, field);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
      await expectSeen(page);
    },
    at: async (part) => {
      await untilFocused(part);
      await expectSeen(page);
    },
    copied: () => page.evaluate(() => navigator.clipboard.readText()),
    closed: () => page.getByRole('dialog').waitFor({ state: 'detached' }),
    leave: () => context.close(),
  };
}

/** Goes to a control on the shorter way, and sees it there. @throws Error if no Tab leads there */
async function reach(page: Page, control: Locator): Promise<void> {
  // A disabled control takes no focus.
  await control.and(page.locator(':enabled, a, summary, [tabindex]')).waitFor();
  const place = await control.evaluate((one) => {
    const { activeElement: focused } = document;
    if (focused === one) return 'here';
    const isBefore =
      focused && focused.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING;
    return isBefore && !one.contains(focused) ? 'before' : 'after';
  });
  if (place !== 'here') await tabToControl(page, control, place === 'before' ? 'Shift+Tab' : 'Tab');
  await expectSeen(page);
}

/** Waits until the focus is where it can be seen. @throws Error that says why it cannot */
async function expectSeen(page: Page): Promise<void> {
  let fault: string | undefined;
  const endMs = Date.now() + SEEN_LIMIT_MS;
  do {
    fault = await page.evaluate(faultOfFocus);
    if (fault === undefined) return;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  } while (Date.now() < endMs);
  throw new Error(`the focus cannot be seen: ${fault}`);
}

// Runs in the page.
function faultOfFocus(): string | undefined {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return 'nothing has it';
  const said = focused.outerHTML.slice(0, 200);
  const CONTROLS = 'a[href], button, input, select, textarea, summary, canvas, [tabindex="0"]';
  // A whole screen, a dialog or a heading that has just come: there is nothing yet to press.
  if (!focused.matches(CONTROLS)) return undefined;
  if (!focused.matches(':focus-visible')) return `it is not :focus-visible: ${said}`;
  const hasRing = ({ outlineStyle, outlineWidth, boxShadow }: CSSStyleDeclaration, own: boolean) =>
    (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) ||
    (own && boxShadow !== 'none');
  // Some fields show it on the box around them, and rows on a layer over them.
  const boxes = [focused.parentElement, focused.parentElement?.parentElement];
  const isRinged =
    // The ring of a slider is around its handle, of which no script can read the style.
    focused.matches('input[type=range]') ||
    hasRing(getComputedStyle(focused), false) ||
    hasRing(getComputedStyle(focused, '::after'), false) ||
    boxes.some((box) => box && hasRing(getComputedStyle(box), true));
  if (!isRinged) return `no ring is around it: ${said}`;
  const { left, top, right, bottom } = focused.getBoundingClientRect();
  const isWithin = left < innerWidth && right > 0 && top < innerHeight && bottom > 0;
  if (!isWithin) return `it is out of view: ${said}`;
  const places = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y] as const));
  const overIt = places.map(([x, y]) =>
    document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y),
  );
  if (overIt.some((one) => one && (focused.contains(one) || one.contains(focused))))
    return undefined;
  return `${overIt[0]?.outerHTML.slice(0, 200)} lies over it: ${said}`;
}
