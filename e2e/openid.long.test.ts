// Sign-in by a real provider of OpenID Connect, in a browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, openContext } from '../harness/browser.ts';
import { CLIENT } from '../harness/openid-provider.ts';
import { type Product, queryOf, startProduct } from '../harness/product.ts';

let product: Product;
let provider: ChildProcess;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  const program = path.resolve(import.meta.dirname, '../harness/openid-provider.ts');
  provider = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  const [issuer] = (await once(createInterface(provider.stdout as Readable), 'line')) as [string];
  product = await startProduct({
    env: (url) => ({
      ...{ PUBLIC_URL: url, OIDC_ISSUER: issuer, OIDC_NAME: 'Парк ID' },
      ...{ OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    }),
  });
  provider.send(`${product.url}/openid`);
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  provider?.kill();
});
afterEach(() => context?.close());

/** Presses the button of the sign-in page. */
async function goToProvider(options = {}): Promise<void> {
  context = await openContext(browser, product.url, options);
  // The provider's pages wait for a font of the internet.
  await context.route(/fonts\.googleapis/, (route) => route.abort());
  page = await context.newPage();
  await page.goto('/buses?q=472');
  await page.getByRole('button', { name: 'Войти через Парк ID' }).click();
  await page.locator('input[name=login]').waitFor();
}

/** Signs in at the provider. */
async function goThrough(login: string, options = {}): Promise<void> {
  await goToProvider(options);
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

it.each([
  ['at a desk', {}],
  ['on a phone', { phone: true }],
])('signs in whom the provider knows, and leads to the wanted page, %s', async (_, options) => {
  await goThrough('owner1', options);
  await page.waitForURL(/\/buses\?q=472/);
  await page.getByRole('navigation', { name: 'Главное меню' }).waitFor();
  const { rows } = await queryOf<{ openid_subject: string }>(
    product,
    "select openid_subject from users where login = 'owner1'",
  );
  expect(rows).toEqual([{ openid_subject: 'owner1' }]);
});

it('says that the installation has no such user, and leads back to sign-in', async () => {
  await goThrough('stranger');
  await page.getByText('Такого пользователя здесь нет').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Войти' }).click();
  await page.getByRole('button', { name: 'Войти через Парк ID' }).waitFor();
});

it('says so when the user turns back at the provider', async () => {
  await goToProvider();
  await page.getByRole('link', { name: /cancel/i }).click();
  await page.getByText('Сервис входа не подтвердил вход').waitFor();
});
