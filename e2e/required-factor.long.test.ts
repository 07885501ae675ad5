// An installation whose administrators must have a second factor.
import { codeOf, stepOf } from '@ridewatch/server/src/auth/totp.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, openContext, typeSignIn } from '../harness/browser.ts';
import { ask, type Product, queryOf, signIn, startProduct } from '../harness/product.ts';
import { createAdministrator } from './book/products.ts';

const PATH = '/api/auth/second-factor';
const CHIEF = { login: 'chief', password: 'the password of the chief' };

let product: Product;
let browser: Browser;
/** The access token of another administrator, who has a second factor. */
let chief: string;
beforeAll(async () => {
  product = await startProduct({ env: { SECOND_FACTOR_ROLES: 'ADMIN' } });
  browser = await openBrowser();
  createAdministrator(product, CHIEF.login, CHIEF.password);
  chief = await signIn(product.url, CHIEF.login, CHIEF.password);
  await ask(product.url, chief, 'POST', PATH, { password: CHIEF.password });
  await ask(product.url, chief, 'PUT', PATH, { code: await codeToConfirm() });
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

/** The code of the set-up that is not confirmed yet. */
async function codeToConfirm(): Promise<string> {
  const { rows } = await queryOf<{ secret: Buffer }>(
    product,
    'select secret from second_factors where confirmed_at is null',
  );
  return codeOf(rows[0]?.secret ?? Buffer.alloc(0), stepOf(Date.now()));
}

/** The other administrator takes the second factor of a user away, if there is one. */
async function takeAway(login: string): Promise<void> {
  const { rows } = await queryOf<{ id: string }>(product, 'select id from users where login = $1', [
    login,
  ]);
  const { status } = await fetch(`${product.url}/api/admin/users/${rows[0]?.id}/second-factor`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${chief}` },
  });
  expect(status).toBe(204);
}

it.each([
  ['admin', {}],
  ['admin', { phone: true, dark: true }],
])(
  'leads %s to the set-up before anything else, then to the wanted page (%o)',
  async (login, look) => {
    await takeAway(login);
    const context = await openContext(browser, product.url, look);
    const page = await context.newPage();
    await page.goto('/buses');
    await page.waitForURL(/\/login/);
    await typeSignIn(page, login);
    await page.getByRole('heading', { name: 'Включите вход с кодом' }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByLabel('Пароль').fill('demo');
    await page.getByRole('button', { name: 'Далее' }).click();
    await page.getByRole('img', { name: 'QR-код для приложения с кодами' }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByLabel('Код из приложения').fill(await codeToConfirm());
    await page.getByRole('button', { name: 'Включить вход с кодом' }).click();
    await page.getByRole('heading', { name: 'Резервные коды' }).waitFor();
    await page.getByRole('button', { name: 'Я их сохранил' }).click();
    await page.waitForURL(/\/buses/);
    await page.getByRole('navigation', { name: 'Главное меню' }).waitFor();
    await context.close();
  },
);
