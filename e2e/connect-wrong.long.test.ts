// Somebody connects a unit, and something is wrong: the credential, the clock of the machine, or the address. The page or
// what the terminal shows beside it says what, and the right command arrives.
import { spawnSync } from 'node:child_process';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { type Product, setUpFleet, startProduct } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';

const HOUR_S = 3600;
let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** The first command of the page, as it is copied. */
let command: string;

beforeAll(async () => {
  product = await startProduct();
  await setUpFleet(product.url, plainFleet({ buses: 1, cameras: 1 }));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

/** Each story has a new credential; the page says only what was wrong since. */
beforeEach(async () => {
  context = await openVisit(browser, product.url, { as: 'admin' });
  page = await context.newPage();
  await page.goto('/connect');
  await page.getByRole('button', { name: 'Выпустить ключ и показать команды' }).click();
  command = (await page.locator('[data-command="1"]').textContent()) ?? '';
  await waiting().nth(1).waitFor();
});

const waiting = () => page.getByText('Ждём…', { exact: true });
const arrived = () => page.getByText(/^Пришло в .*55\.75580, 37\.61730/);
const faults = () => page.locator('[role=status] [data-warning]');
const fault = (said: string) => faults().filter({ hasText: said });

/**
 * Pastes a command into a shell. @param clockS how far the shell's clock is ahead of the server's, s
 * @returns all that the terminal shows
 */
function paste(text: string, clockS = 0): string {
  const aheadS = Math.round(Number(process.env.CLOCK_OFFSET_MS || '0') / 1000) + clockS;
  const clock = `date() { command date -d "${aheadS} seconds" "$@"; }\n`;
  const { stdout, stderr } = spawnSync('sh', ['-c', clock + text], { encoding: 'utf8' });
  return stdout + stderr;
}

it('a credential that was not copied whole is said to belong to no unit, until the right one arrives', async () => {
  const shown = paste(command.replace(/rwu_[\w-]+/, (credential) => credential.slice(0, -1)));
  expect(shown).toContain('"error":"unauthorized"');
  await fault('прислали ключ, которого нет ни у одного прибора').waitFor();
  await page.getByText(/^Неизвестному ключу последний раз отказано в \d\d:\d\d:\d\d МСК/).waitFor();
  expect(await waiting().count()).toBe(2);
  expect(paste(command)).toContain('"refused":[]');
  await arrived().waitFor();
  await fault('прислали ключ').waitFor({ state: 'detached' });
});

it.each([
  ['3 hours behind', -3 * HOUR_S, /^Часы отстают на 3\sч/],
  // The difference becomes smaller while the command is on its way.
  ['6 hours ahead', 6.5 * HOUR_S, /^Часы спешат на 6\sч/],
])('a clock that is %s is said to be wrong, until it is set', async (_, clockS, said) => {
  expect(paste(command, clockS)).toMatch(/"refused":\[\].*"reason":"clock"/);
  await fault('Часы прибора идут неверно').waitFor();
  await page.getByText(said).waitFor();
  // The server has corrected its time.
  await arrived().waitFor();
  expect(paste(command)).toContain('"refused":[]');
  await fault('Часы прибора').waitFor({ state: 'detached' });
  expect(await waiting().count()).toBe(1);
});

describe('an address that is wrong', () => {
  it.each([
    ['in its port', (right: string) => right.replace(/:\d+\//, ':1/'), 'Проверьте адрес'],
    ['in its path', (right: string) => right.replace('/batches', '/batch'), '/unit/v1/batches'],
  ])('%s shows something in the terminal that the page explains', async (_, spoil, remedy) => {
    const wrong = spoil(command);
    expect(wrong).not.toBe(command);
    const shown = paste(wrong);
    await page.getByText('Ничего не приходит?').click();
    const explained = page.locator('details dl > div');
    const phrases = await explained.locator('dt').allTextContents();
    const at = phrases.findIndex((one) => one.split(', ').some((said) => shown.includes(said)));
    expect(phrases[at], `no phrase is in: ${shown}`).toBeDefined();
    const answer = explained.nth(at).locator('dd');
    expect(await answer.textContent()).toContain(remedy);
    expect(await answer.textContent()).toContain(product.url);
    expect(await faults().count()).toBe(0);
    expect(await waiting().count()).toBe(2);
    expect(paste(command)).toContain('"refused":[]');
    await arrived().waitFor();
  });
});

it('the credential that the drawer has just shown is in the commands, and gone after a reload', async () => {
  await page.goto('/admin/units');
  await page.getByRole('link', { name: 'unit-1' }).click();
  const drawer = page.getByRole('complementary');
  await drawer.getByRole('button', { name: 'Сменить ключ' }).click();
  const issued = await drawer.getByText(/^rwu_/).textContent();
  await drawer.getByRole('link', { name: 'Подключить' }).click();
  const shown = page.locator('[data-command="1"]');
  expect(await shown.textContent()).toContain(`Bearer ${issued}'`);
  expect(paste((await shown.textContent()) ?? '')).toContain('"refused":[]');
  await arrived().waitFor();
  expect(page.url()).not.toContain('rwu_');
  await page.reload();
  await page.getByRole('button', { name: 'Выпустить ключ и показать команды' }).waitFor();
  expect(await page.getByText(/rwu_/).count()).toBe(0);
});
