// The installed application in a real browser: it opens offline and says so, keeps nothing that a call answers, and
// loads a newer version when the user wants it. Between browser and product is a proxy, as in a deployment.
import { Agent, request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openContext, signInAs } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { type Product, setUpFleet, startProduct } from '../harness/product.ts';
import { createRelease, type Release } from '../harness/release.ts';

/** A page asks this often in vain while a server restarts: a page that gives up has done so by then. */
const TRIES = 8;
let release: Release;
let product: Product;
let proxy: Server;
/** Holds the connections from the proxy to the product. */
const agent = new Agent();
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Whether the proxy finds no server. */
let isAway = false;
/** Requests that the proxy has refused. */
let refused = 0;

beforeAll(async () => {
  release = await createRelease();
  product = await startProduct({ code: release.root, env: { COMPANY_NAME: 'Автопарк' } });
  await setUpFleet(product.url, plainFleet({ buses: 2, cameras: 1 }));
  proxy = createServer((incoming, outgoing) => {
    const refuse = () => {
      refused += 1;
      return outgoing.writeHead(502, 'Bad Gateway').end('<h1>502 Bad Gateway</h1>');
    };
    if (isAway) return refuse();
    const { method, headers } = incoming;
    const passed = ask(product.url + incoming.url, { agent, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.once('error', () => (outgoing.headersSent ? outgoing.destroy() : refuse()));
    return incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  proxy?.closeAllConnections();
  proxy?.close();
  agent.destroy();
  await product?.remove();
  await release?.remove();
});
afterEach(async () => {
  isAway = false;
  await context?.close();
});

/** Opens the bus list. @param installs whether the page gets its worker */
async function openPage(installs = false): Promise<void> {
  const { port } = proxy.address() as AddressInfo;
  context = await openContext(browser, `http://127.0.0.1:${port}`, { installs });
  page = await context.newPage();
  await signInAs(page, 'admin');
  await page.goto('/buses');
  await page.getByRole('link', { name: 'Автобус 1' }).waitFor();
}

/** Opens the bus list, and waits until the worker serves the page. */
async function install(): Promise<void> {
  await openPage(true);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Puts a build into place whose files all have new names, and restarts the server. */
async function deployNewer(): Promise<void> {
  await product.stop();
  await release.deployNewer();
  await product.restart();
}
/** Names of the scripts and styles that the page has loaded. */
const loadedFiles = () =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
const entryOf = () => page.locator('script[type=module]').first().getAttribute('src');
const keptAddresses = () =>
  page.evaluate(async () => {
    const kept: string[] = [];
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      kept.push(...requests.map(({ url }) => new URL(url).pathname));
    }
    return kept;
  });

describe('the application', () => {
  it('can be installed under the name of the company, with icons of the right sizes', async () => {
    await install();
    const manifest = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
      return (await fetch(link?.href ?? '')).json();
    });
    expect(manifest).toMatchObject({ name: 'Автопарк', display: 'standalone', start_url: '/' });
    for (const { src, sizes } of manifest.icons as { src: string; sizes: string }[]) {
      const size = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      expect(size).toBe(sizes);
    }
  });

  it('opens offline and says so, keeps nothing that a call answers, and recovers by itself', async () => {
    await install();
    await context.setOffline(true);
    await page.goto('/');
    await page
      .getByText(/Нет связи с сервером/)
      .first()
      .waitFor();
    await page.getByRole('navigation', { name: 'Главное меню' }).waitFor();
    const kept = await keptAddresses();
    expect(kept).toContain('/');
    expect(kept.filter((address) => address !== '/' && !address.startsWith('/assets/'))).toEqual(
      [],
    );
    await context.setOffline(false);
    await page.getByRole('region', { name: 'Показатели дня' }).waitFor();
  });

  it('leaves no data of the user behind after sign-out', async () => {
    await install();
    await page.getByRole('button', { name: 'Выйти' }).first().click();
    await page.waitForURL(/\/login$/);
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    expect(stored).not.toMatch(/access|refresh|admin|Автобус/);
    expect((await keptAddresses()).some((address) => address.startsWith('/api'))).toBe(false);
    await context.setOffline(true);
    await page.goto('/buses');
    await page.getByRole('heading', { name: 'Вход' }).waitFor();
    expect(await page.getByText('Автобус 1').count()).toBe(0);
  });

  it('opens while a proxy finds no server, says so, and recovers by itself', async () => {
    await install();
    isAway = true;
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Главное меню' }).waitFor();
    await page.getByText('502: Bad Gateway').first().waitFor();
    await page.getByRole('heading', { name: 'Не удалось загрузить' }).waitFor();
    isAway = false;
    await page.getByRole('region', { name: 'Показатели дня' }).waitFor({ timeout: 10_000 });
  });

  it('says nothing of a newer version while the page is of the newest', async () => {
    await install();
    await page.evaluate(async () => {
      const { serviceWorker } = navigator;
      const answered = new Promise((done) => {
        serviceWorker.addEventListener('message', done, { once: true });
      });
      serviceWorker.controller?.postMessage('which');
      await answered;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
    expect(await page.getByText('Вышла новая версия.').count()).toBe(0);
  });

  it('shows screens that a page of the build before had not loaded, and says that there is a newer version', async () => {
    await install();
    const entry = await entryOf();
    await deployNewer();
    expect(await (await fetch(product.url)).text()).not.toContain(entry);
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.getRegistration())?.update();
    });
    await page.getByText('Вышла новая версия.').waitFor();
    const before = [...(await loadedFiles()), ...(await keptAddresses())];
    expect(before.filter((name) => name.includes('stats'))).toEqual([]);
    await page.getByRole('link', { name: 'Статистика' }).click();
    await page.waitForURL(/\/stats/);
    await page.getByRole('heading', { name: 'Статистика' }).waitFor();
    expect(await entryOf()).toBe(entry);
    await page.getByRole('button', { name: 'Загрузить' }).click();
    await expect.poll(entryOf, { timeout: 20_000 }).not.toBe(entry);
    await page.getByRole('heading', { name: 'Статистика' }).waitFor();
    const newer = await entryOf();
    expect(await page.getByText('Вышла новая версия.').count()).toBe(0);
    await context.setOffline(true);
    await page.reload();
    await page
      .getByText(/Нет связи с сервером/)
      .first()
      .waitFor();
    expect(await entryOf()).toBe(newer);
  });

  it('shows screens of two builds before, which no worker keeps', async () => {
    await openPage();
    await deployNewer();
    await deployNewer();
    expect((await loadedFiles()).filter((name) => name.includes('stats'))).toEqual([]);
    await page.getByRole('link', { name: 'Статистика' }).click();
    await page.getByRole('heading', { name: 'Статистика' }).waitFor();
    expect(await page.getByRole('button', { name: 'Обновить страницу' }).count()).toBe(0);
  });

  it('shows a screen that was opened while a proxy found no server when there is one again', async () => {
    await openPage();
    isAway = true;
    await page.getByRole('link', { name: 'Статистика' }).click();
    await page
      .getByText(/Нет связи с сервером/)
      .last()
      .waitFor();
    const tried = refused + TRIES;
    await expect.poll(() => refused, { timeout: 60_000 }).toBeGreaterThan(tried);
    isAway = false;
    await page.getByRole('heading', { name: 'Статистика' }).waitFor();
  });
});
