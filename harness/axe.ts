import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { triesEverything } from './tries.ts';

/** Checks a page with axe. @returns the violated rules and their places */
export function findAxeFaults(page: Page): Promise<string[]> {
  return run(page, {});
}

/** Checks only the colours of a page, which are all that a theme changes. @returns the violated rules and their places */
export function findColorFaults(page: Page): Promise<string[]> {
  return run(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } });
}

interface Options {
  readonly runOnly?: { readonly type: 'rule'; readonly values: readonly string[] };
}

async function run(page: Page, options: Options): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async (chosen) => {
    type Answer = { violations: { id: string; nodes: { target: string[] }[] }[] };
    const { axe: tool } = window as unknown as {
      axe: { run(options: Options): Promise<Answer> };
    };
    const { violations } = await tool.run(chosen);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
    );
  }, options);
}

/**
 * Checks a page in a theme: a desktop in the light one, a phone in the dark one. Where stories try everything, it checks
 * both themes. @returns the violated rules, with the theme
 */
export async function findAxeFaultsInThemes(page: Page): Promise<string[]> {
  const isPhone = (page.viewportSize()?.width ?? 0) < 600;
  const themes = triesEverything
    ? (['light', 'dark'] as const)
    : ([isPhone ? 'dark' : 'light'] as const);
  const faults: string[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`:root[data-theme=${colorScheme}]`).waitFor({ state: 'attached' });
    faults.push(...(await findAxeFaults(page)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}
