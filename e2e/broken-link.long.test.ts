// Twenty minutes of the cabin from the registrar, over a link that breaks.
import type { BusList } from '@ridewatch/contract/buses';
import { addDays, dayOf, formatMoment } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { type BrokenLink, openLink } from '../harness/broken-link.ts';
import { openBrowser, openContext, playsVideos } from '../harness/browser.ts';
import { type RunningFleet, startFleet } from '../harness/fleet.ts';
import { startProductOfFleet } from '../harness/prepared-fleet.ts';
import { ask, type Product, queryOf, signIn, waitFor } from '../harness/product.ts';
import { ZONE } from '../harness/zone.ts';

const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
let product: Product;
let link: BrokenLink;
let fleet: RunningFleet;
let browser: Browser;

beforeAll(async () => {
  product = await startProductOfFleet();
  link = await openLink(product.url);
  fleet = await startFleet({ ...product, url: link.url });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await link?.close();
  await product?.remove();
});

it("the cabin's recordings come from the registrar over a link that breaks twice, and play", async () => {
  const busId = fleet.busIds.get('SIM-000001') ?? 0;
  const token = await signIn(product.url, 'admin');
  const { items } = await ask<BusList>(product.url, token, 'GET', '/api/bus_list');
  const cabin = items.find(({ id }) => id === busId)?.cameras.find(({ live }) => live);
  // On some days a camera of the simulated bus fails.
  await queryOf(product, "update cameras set status = 'online' where workplace_id = $1", [busId]);
  const periods = async (): Promise<Fragment[]> => {
    const path = `/api/period_list/${cabin?.id}?startdate=${yesterday}&enddate=${yesterday}`;
    return (await ask<{ items: Fragment[] }>(product.url, token, 'GET', path)).items;
  };
  const timeOf = ({ start_time }: Fragment): string =>
    formatMoment(Date.parse(start_time), ZONE, 'HH:mm');
  const context = await openContext(browser, product.url, { as: 'operator' });
  const page = await context.newPage();
  await page.goto(`/bus/${busId}/service?date=${yesterday}`);
  await page.getByText('Ничего не выбрано').waitFor();
  expect(await page.getByRole('button', { name: 'С этой камеры' }).isDisabled()).toBe(true);
  const [from, to] = [
    page.getByLabel('С', { exact: true }),
    page.getByLabel('По', { exact: true }),
  ];
  await from.fill('9:00');
  await to.fill('11:00');
  await to.press('Enter');
  await page.getByText('Выбран слишком большой отрезок, выберите меньше часа').waitFor();
  await to.fill('9:20');
  await to.press('Enter');
  link.breakAfter([60_000, 250_000]);
  await page.getByRole('button', { name: 'С этой камеры' }).click();
  await page.getByRole('listitem').filter({ hasText: '09:00:00 – 09:20:00' }).waitFor();
  const bar = page.getByRole('progressbar', { name: '09:00:00 – 09:20:00' });
  await bar.waitFor();
  const firstRow = page.locator('[data-fragments]').evaluate((frame) => {
    const { top } = frame.getBoundingClientRect();
    const rows = [...frame.querySelectorAll('li')];
    const inSight = rows.filter((row) => row.getBoundingClientRect().top >= top - 1);
    const ys = inSight.map((row) => row.getBoundingClientRect().top);
    return inSight[ys.indexOf(Math.min(...ys))]?.textContent;
  });
  expect(await firstRow).toContain('09:00');
  const shares: number[] = [];
  await waitFor(
    async () => {
      shares.push(
        ...(await bar.evaluateAll((found) =>
          found.map((one) => (one as HTMLProgressElement).value),
        )),
      );
      const wanted = (await periods()).filter((one) => /^09:[01]/.test(timeOf(one)));
      return wanted.length >= 8 && wanted.every(({ status }) => status === 'LOADED');
    },
    'twenty minutes of the cabin',
    150_000,
  );
  expect(link.breaks).toBe(2);
  // The progress never decreases.
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(new Set(shares).size).toBeGreaterThan(3);
  const ended = page.getByRole('listitem').filter({ hasText: 'передано' });
  const [, here, total] = /(\d+) из (\d+)/.exec((await ended.textContent()) ?? '') ?? [];
  expect(Number(total)).toBeGreaterThanOrEqual(8);
  expect(here).toBe(total);
  if (!(await playsVideos(browser))) return;
  await page.locator('[data-fragment] button', { hasText: '09:01' }).first().click();
  await page.getByRole('button', { name: 'Воспроизвести' }).click();
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
  expect(await findAxeFaults(page)).toEqual([]);
});
