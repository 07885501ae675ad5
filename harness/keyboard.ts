// The hands of somebody without a mouse: Tab leads to a control, a key does something there.
import type { Locator, Page } from 'playwright-core';
import { tabToControl } from './tab-to.ts';

/** A page moves the focus within frames; alone that takes less than a second. */
const FOCUS_LIMIT_MS = 30_000;

const hasFocus = (control: Locator) => control.evaluate((one) => one === document.activeElement);

/**
 * Goes to a control with Tab, once it is shown and can be used.
 * @throws Error if no Tab leads there
 */
export async function reach(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  // A disabled control takes no focus.
  await control.and(page.locator(':enabled, a, [tabindex]')).waitFor();
  if (!(await hasFocus(control))) await tabToControl(page, control);
}

/** Goes to a control and presses a key there, Enter by default. */
export async function pressOn(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await reach(page, control);
  await page.keyboard.press(key);
}

/** Goes to a field and types a text instead of what is there. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await pressOn(page, field, 'ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** Waits until a control, or one in a part of the page, has the focus. @throws Error if none gets it */
export async function untilFocused(part: Locator): Promise<void> {
  const page = part.page();
  const focus = page.locator(':focus');
  await part
    .and(focus)
    .or(part.locator(':focus'))
    .waitFor({ timeout: FOCUS_LIMIT_MS })
    .catch(async () => {
      const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
      throw new Error(`the focus is not on ${part}, but on ${at}`);
    });
}
