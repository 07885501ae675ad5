// The guide in a browser: every picture of it is served and can be drawn, on the page that has it, in both languages.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readMarkdown } from '@ridewatch/web/src/features/help/markdown.ts';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BareProduct, startBareProduct } from '../harness/bare-product.ts';
import { openContext } from '../harness/browser.ts';

const guide = path.resolve(import.meta.dirname, '../docs/guide');

let bare: BareProduct;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  bare = await startBareProduct();
});
afterAll(() => bare?.close());

/** The texts that stand for the pictures of a page, in their order. */
function picturesOf(language: string, name: string): string[] {
  const text = readFileSync(path.join(guide, language, `${name}.md`), 'utf8');
  return readMarkdown(text).flatMap((block) => (block.kind === 'picture' ? [block.text] : []));
}

describe.each([
  ['ru', 'ru_RU'],
  ['en', 'en_US'],
] as const)('the guide in %s', (language, locale) => {
  const names = readdirSync(path.join(guide, language))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replace(/\.md$/, ''));
  /** Addresses of the pictures that the pages have drawn. */
  const drawn = new Set<string>();

  beforeAll(async () => {
    context = await openContext(bare.browser, bare.product.url, { as: 'admin' });
    page = await context.newPage();
    await page.addInitScript(
      (value) => localStorage.setItem('ridewatch.language', JSON.stringify(value)),
      locale,
    );
  });
  afterAll(() => context?.close());

  it.each(names)('draws the pictures of the page %s', async (name) => {
    await page.goto(`/help/${name}`);
    const images = page.getByRole('main').locator('img');
    await images.first().waitFor();
    expect(await images.evaluateAll((all) => all.map((one) => one.getAttribute('alt')))).toEqual(
      picturesOf(language, name),
    );
    for (const image of await images.all()) {
      await image.scrollIntoViewIfNeeded();
      // Rejects if it is not there or is no picture.
      const { address, width } = await image.evaluate(async (one: HTMLImageElement) => {
        await one.decode();
        return { address: one.currentSrc, width: one.naturalWidth };
      });
      expect(width).toBeGreaterThan(300);
      drawn.add(address);
    }
  });

  it('has no picture that no page draws', () => {
    expect(drawn.size).toBe(readdirSync(path.join(guide, language, 'pictures')).length);
  });
});
