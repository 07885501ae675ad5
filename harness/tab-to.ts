import type { Locator, Page } from 'playwright-core';

/** More than the controls of a page. */
const MOST_TABS = 150;

/**
 * Presses Tab until a control has the focus.
 * @param key Shift+Tab goes back
 * @throws Error if no Tab leads there
 */
export async function tabToControl(
  page: Page,
  control: Locator,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  for (let press = 0; press < MOST_TABS; press += 1) {
    await page.keyboard.press(key);
    if (await control.evaluate((one) => one === document.activeElement)) return;
  }
  throw new Error(`no Tab leads to ${control}`);
}

/**
 * Presses Tab until a control of this name has the focus.
 * @param role of the control, if several have the name
 * @throws Error if no Tab leads there
 */
export async function tabTo(page: Page, name: string, role?: string): Promise<void> {
  for (let press = 0; press < MOST_TABS; press += 1) {
    await page.keyboard.press('Tab');
    const isThere = await page.evaluate(
      ([wanted, wantedRole]) => {
        const focused = document.activeElement;
        const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : null;
        const named = focused?.getAttribute('aria-label') ?? label ?? focused?.textContent ?? '';
        const isOfRole = !wantedRole || focused?.getAttribute('role') === wantedRole;
        return isOfRole && named.trim() === wanted;
      },
      [name, role] as const,
    );
    if (isThere) return;
  }
  throw new Error(`no Tab leads to '${name}'`);
}
