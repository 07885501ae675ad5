// An installation whose administrators must have a second factor.
import { codeOf, stepOf } from '@ridewatch/server/src/auth/totp.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, openContext, typeSignIn } from '../harness/browser.ts';
import { type Product, queryOf, startProduct } from '../harness/product.ts';

let product: Product;
let browser: Browser;
beforeAll(async () => {
  product = await startProduct({ env: { SECOND_FACTOR_ROLES: 'ADMIN' } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

it.each([
  ['admin', {}],
  ['admin', { phone: true, dark: true }],
])(
  'leads %s to the set-up before anything else, then to the wanted page (%o)',
  async (login, look) => {
    await queryOf(product, 'delete from recovery_codes');
    await queryOf(product, 'delete from second_factors');
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
    const { rows } = await queryOf<{ secret: Buffer }>(
      product,
      'select secret from second_factors',
    );
    const secret = rows[0]?.secret ?? Buffer.alloc(0);
    await page.getByLabel('Код из приложения').fill(codeOf(secret, stepOf(Date.now())));
    await page.getByRole('button', { name: 'Включить вход с кодом' }).click();
    await page.getByRole('heading', { name: 'Резервные коды' }).waitFor();
    await page.getByRole('button', { name: 'Я их сохранил' }).click();
    await page.waitForURL(/\/buses/);
    await page.getByRole('navigation', { name: 'Главное меню' }).waitFor();
    await context.close();
  },
);
