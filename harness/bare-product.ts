import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser, type Visit } from './browser.ts';
import { type Product, startProduct } from './product.ts';
import { openVisit } from './visits.ts';

/** A product with its demo users alone, and a browser in which one of them visits it at a time. */
export interface BareProduct {
  readonly product: Product;
  readonly browser: Browser;
  /** Ends the visit before and opens an address. @param as login of a demo user; null: nobody */
  visit(address: string, as: string | null, options?: Visit): Promise<Page>;
  /** Ends the visit, if there is one. */
  leave(): Promise<void>;
  /** Ends the browser and removes the product. */
  close(): Promise<void>;
}

/** Starts a product without a fleet, and a browser. */
export async function startBareProduct(): Promise<BareProduct> {
  const product = await startProduct();
  const browser = await openBrowser().catch(async (error: unknown) => {
    await product.remove();
    throw error;
  });
  let context: BrowserContext | undefined;
  const leave = async () => {
    await context?.close();
    context = undefined;
  };
  return {
    product,
    browser,
    visit: async (address, as, options = {}) => {
      await leave();
      context = await openVisit(browser, product.url, { ...options, ...(as !== null && { as }) });
      const page = await context.newPage();
      await page.goto(address);
      return page;
    },
    leave,
    close: async () => {
      await browser.close();
      await product.remove();
    },
  };
}
