import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Checks a page with axe. @returns the violated rules and their places */
export async function findAxeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: tool } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }> };
    };
    const { violations } = await tool.run();
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
    );
  });
}
