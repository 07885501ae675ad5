// Getting in: a second factor from its set-up to a lost phone, a link for a forgotten password, and a program's key.
import { codeOf, stepOf } from '@ridewatch/server/src/auth/totp.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { bytesOfBase32 } from '../harness/base32.ts';
import { openBrowser, openContext, typeSignIn, type Visit } from '../harness/browser.ts';
import { ask, type Product, signIn, startProduct } from '../harness/product.ts';

let product: Product;
let browser: Browser;
const contexts: BrowserContext[] = [];
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

/** Opens an address in a browser of its own. */
async function open(address: string, options: Visit = {}): Promise<Page> {
  const context = await openContext(browser, product.url, options);
  contexts.push(context);
  page = await context.newPage();
  await page.goto(address);
  return page;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const part = (name: string) => page.getByRole('region', { name, exact: true });
const isIn = () => page.getByRole('navigation', { name: 'Главное меню' }).waitFor();

const stepNow = () => stepOf(Date.now());

describe('a second factor', () => {
  it('is set up in the account, asked for at sign-in, and replaced by a recovery code', async () => {
    await open('/account', { as: 'operator' });
    const factor = part('Вход с кодом');
    await factor.getByRole('button', { name: 'Включить' }).click();
    await factor.getByLabel('Пароль').fill('demo');
    await button('Далее').click();
    await page.getByRole('img', { name: 'QR-код для приложения с кодами' }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    const secret = bytesOfBase32((await factor.locator('code').textContent()) ?? '');
    await factor.getByLabel('Код из приложения').fill(codeOf(secret, stepNow()));
    await button('Включить вход с кодом').click();
    await factor.getByText('Резервные коды', { exact: true }).waitFor();
    const codes = await factor.getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    expect(await findAxeFaults(page)).toEqual([]);
    await button('Я их сохранил').click();
    await factor.getByText(/Включён с/).waitFor();
    await button('Выйти').click();

    await page.waitForURL(/\/login/);
    await typeSignIn(page, 'operator');
    await field('Код').fill('000000');
    expect(await findAxeFaults(page)).toEqual([]);
    await button('Войти').click();
    await page.getByRole('alert').getByText('Не удалось войти').waitFor();
    await field('Код').fill(codeOf(secret, stepNow() + 1));
    await button('Войти').click();
    await isIn();

    await open('/login', { phone: true });
    await typeSignIn(page, 'operator');
    await field('Код').fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await isIn();
    await page.goto('/account');
    await page.getByText('резервных кодов осталось: 9').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    const isWide = () =>
      document.documentElement.scrollWidth > document.documentElement.clientWidth;
    expect(await page.evaluate(isWide)).toBe(false);
  });

  it('is taken away by an administrator when it is lost', async () => {
    await open('/admin/users?q=operator', { as: 'admin' });
    await page
      .getByRole('row', { name: /operator/ })
      .getByRole('link')
      .click();
    await button('Отключить вход с кодом').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Отключить вход с кодом' }).click();
    await button('Отключить вход с кодом').waitFor({ state: 'detached' });
    await open('/login');
    await typeSignIn(page, 'operator');
    await isIn();
  });
});

describe('a forgotten password', () => {
  it('is replaced by a link that an administrator passes on, once', async () => {
    await open('/admin/users?q=owner3', { as: 'admin' });
    await page
      .getByRole('row', { name: /owner3/ })
      .getByRole('link')
      .click();
    await button('Сделать ссылку').click();
    const note = page.getByRole('status').filter({ hasText: 'Ссылка для нового пароля' });
    const link = (await note.locator('code').textContent()) ?? '';
    expect(link).toMatch(/^http:.*\/new-password#[\w-]{43}$/);
    expect(await findAxeFaults(page)).toEqual([]);

    await open(link, { phone: true, dark: true });
    await page.getByText('Для входа под логином owner3').waitFor();
    await field('Новый пароль').fill('a long password');
    await field('Ещё раз').fill('a long passwort');
    await button('Сохранить пароль').click();
    await page.getByText('Пароли не совпадают').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await field('Ещё раз').fill('a long password');
    await button('Сохранить пароль').click();
    await page.getByRole('heading', { name: 'Пароль задан' }).waitFor();
    await page.getByRole('link', { name: 'Войти' }).click();
    await typeSignIn(page, 'owner3', 'a long password');
    await isIn();

    await open(link);
    await page.getByRole('heading', { name: 'Ссылка не действует' }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
  });
});

describe('a server that restarts', () => {
  it('leaves a signed-in user where they are, with what they typed', async () => {
    await open('/account', { as: 'owner2' });
    const old = part('Пароль').getByLabel('Текущий пароль', { exact: true });
    await old.fill('demo');
    await part('Пароль').getByLabel('Новый пароль').fill('a long password');
    await part('Пароль').getByLabel('Ещё раз').fill('a long password');
    await product.stop();
    await part('Пароль').getByRole('button', { name: 'Сохранить' }).click();
    const bar = page.getByText('Нет связи с сервером');
    await bar.waitFor();
    expect(await old.inputValue()).toBe('demo');
    await product.restart();
    await bar.waitFor({ state: 'detached' });
    await part('Пароль').getByRole('button', { name: 'Сохранить' }).click();
    await page.getByText('Пароль сменён').waitFor();
    expect(page.url()).toMatch(/\/account$/);
  });

  it('is named on the sign-in page, which then signs in', async () => {
    await open('/login');
    await button('Войти').waitFor();
    await product.stop();
    await typeSignIn(page, 'integrator');
    await page.getByRole('alert').getByText('Ошибка сети').waitFor();
    await product.restart();
    await button('Войти').click();
    await isIn();
  });
});

describe('a blocked customer', () => {
  const set = async (status: number) => {
    const token = await signIn(product.url, 'admin');
    const { items } = await ask<{ items: { id: number; name: string }[] }>(
      product.url,
      token,
      'GET',
      '/api/admin/customers?search=Иван&perPage=10',
    );
    const [client] = items;
    const address = `/api/admin/customers/${client?.id}`;
    await ask(product.url, token, 'PUT', address, { status });
  };

  it('sees on the sign-in page why its session has ended', async () => {
    await open('/account', { as: 'owner1' });
    await set(3);
    await page.waitForURL(/\/login/, { timeout: 60_000 });
    await page.getByRole('alert').getByText('Учётная запись заблокирована').waitFor();
    await set(1);
  });
});

describe('an API key', () => {
  const call = async (secret: string, method: string, address: string) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const body = method === 'GET' ? undefined : '{}';
    return (await fetch(product.url + address, { method, headers, ...(body && { body }) })).status;
  };

  it('is made by a customer in the account, reads, and ends when it is revoked', async () => {
    await open('/account', { as: 'owner1' });
    const keys = part('Ключи API');
    const add = keys.getByRole('button', { name: 'Новый ключ' });
    await add.waitFor();
    // Until all parts above are read, the button may move while it is pressed.
    await expect.poll(() => page.getByText('Загрузка…').count()).toBe(0);
    await add.click();
    await keys.getByLabel('Название').fill('Табло на остановке');
    await keys.getByLabel('Автобусы и маршруты').check();
    await button('Создать ключ').click();
    const secret = (await keys.locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^rwk_/);
    expect(await findAxeFaults(page)).toEqual([]);
    expect(await call(secret, 'GET', '/api/bus_list')).toBe(200);
    expect(await call(secret, 'GET', '/api/gps/all')).toBe(403);
    expect(await call(secret, 'PUT', '/api/auth/password')).toBe(403);

    await open('/admin/keys', { as: 'integrator' });
    await page.getByRole('row', { name: /Табло на остановке/ }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page
      .getByRole('row', { name: /Табло на остановке/ })
      .getByRole('link')
      .click();
    await button('Отозвать').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Отозвать' }).click();
    await page.getByText('Здесь пока пусто').waitFor();
    const token = await signIn(product.url, 'integrator');
    expect(await ask(product.url, token, 'GET', '/api/keys')).toMatchObject({ total: 0 });
    await expect.poll(() => call(secret, 'GET', '/api/bus_list'), { timeout: 6000 }).toBe(401);
  });

  it('is made for a customer in the administration', async () => {
    await open('/admin/keys/new', { as: 'admin', phone: true });
    const form = page.getByRole('complementary');
    await form.getByLabel('Название').fill('Сводка');
    await button('Создать').click();
    await form.getByText('Заполните поле').first().waitFor();
    await form.getByLabel('Клиент').click();
    await page.getByRole('option').first().click();
    await button('Создать').click();
    await form.getByText('Выберите, что можно читать').waitFor();
    await form.getByLabel('Статистика и выгрузки').check();
    await button('Создать').click();
    await form.getByText('больше он не будет показан').waitFor();
    expect(await form.locator('code').textContent()).toMatch(/^rwk_/);
    expect(await findAxeFaults(page)).toEqual([]);
  });
});
