// The cabin in a browser: recordings from the registrar, and two viewers of live video.
import type { BusList } from '@ridewatch/contract/buses';
import { addDays, dayOf, formatMoment } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { LiveStream } from '@ridewatch/contract/live';
import type { Recalculation } from '@ridewatch/contract/recalculation';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from './axe.ts';
import { openBrowser, openContext, playsVideos, type Visit } from './browser.ts';
import { type RunningFleet, startFleet } from './fleet.ts';
import { startProductOfFleet } from './prepared-fleet.ts';
import { ask, databaseUrl, type Product, signIn, waitFor } from './product.ts';
import { ZONE } from './zone.ts';

const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
let product: Product;
let fleet: RunningFleet;
let browser: Browser;
let canPlay: boolean;
let database: pg.Client;
let busId: number;
let cabinId: number;
let doorId: number;
let foreignCabinId: number;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  product = await startProductOfFleet();
  fleet = await startFleet(product);
  browser = await openBrowser();
  canPlay = await playsVideos(browser);
  database = new pg.Client({ connectionString: await databaseUrl(product) });
  await database.connect();
  busId = fleet.busIds.get('SIM-000001') ?? 0;
  const token = await signIn(product.url, 'admin');
  const { items } = await ask<BusList>(product.url, token, 'GET', '/api/bus_list');
  const cameraOf = (id: number, live: boolean): number =>
    items.find((bus) => bus.id === id)?.cameras.find((camera) => camera.live === live)?.id ?? 0;
  cabinId = cameraOf(busId, true);
  doorId = cameraOf(busId, false);
  foreignCabinId = cameraOf(fleet.busIds.get('SIM-000003') ?? 0, true);
  // On some days a camera of the simulated bus fails.
  await database.query("update cameras set status = 'online' where workplace_id = $1", [busId]);
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await database.end();
  await browser.close();
  await fleet.stop();
  await product.remove();
});

async function visit(login: string, options: Visit = {}): Promise<Page> {
  const context = await openContext(browser, product.url, { ...options, as: login });
  contexts.push(context);
  return context.newPage();
}

const service = (search: string): string => `/bus/${busId}/service?${search}`;
const periods = async (camera = cabinId): Promise<Fragment[]> => {
  const token = await signIn(product.url, 'admin');
  const path = `/api/period_list/${camera}?startdate=${yesterday}&enddate=${yesterday}`;
  return (await ask<{ items: Fragment[] }>(product.url, token, 'GET', path)).items;
};
const timeOf = ({ start_time }: Fragment): string =>
  formatMoment(Date.parse(start_time), ZONE, 'HH:mm');
const request = async (login: string, method: string, path: string, body?: object) => {
  const token = await signIn(product.url, login);
  const answer = await fetch(product.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status;
};

describe("the cabin's recordings", () => {
  it('are listed to the end of the window of a desktop', async () => {
    const page = await visit('operator');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(service(`date=${yesterday}`));
    const box = await page.locator('[data-fragments]').boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(288);
    const bottomPx = (box?.y ?? 0) + (box?.height ?? 0);
    expect(bottomPx).toBeGreaterThan(900 - 24);
    expect(bottomPx).toBeLessThanOrEqual(900);
  });

  it('are no longer sent when the request is cancelled, and can be asked for again', async () => {
    const page = await visit('owner1');
    // 13:00 to 13:40.
    await page.goto(service(`date=${yesterday}&span=46800-49200`));
    await page.getByRole('button', { name: 'С этой камеры' }).click();
    const request = page.getByRole('listitem').filter({ hasText: '13:00:00 – 13:40:00' });
    const wanted = async () => (await periods()).filter((one) => /^13:[0-3]/.test(timeOf(one)));
    await waitFor(
      async () => (await wanted()).some(({ status }) => status === 'LOADED'),
      'the first of the fragments',
      60_000,
    );
    await request.getByRole('button', { name: 'Отменить' }).click();
    await request.getByText('отменено').waitFor();
    await waitFor(
      async () => {
        const stopped = await database.query(
          "select 1 from unit_commands where kind = 'stop_fetch' and result = 'done'",
        );
        return stopped.rows.length === 1;
      },
      'the unit to stop',
      30_000,
    );
    const isGone = ({ fail_reason }: Fragment): boolean => fail_reason === 'cancelled';
    await waitFor(
      async () => (await wanted()).every((one) => isGone(one) || one.status === 'LOADED'),
      'each fragment to be whole or cancelled',
    );
    const gone = (await wanted()).filter(isGone);
    expect(gone.length).toBeGreaterThan(4);
    const open = "select 1 from unit_commands where kind like 'fetch_%' and finished_at is null";
    expect((await database.query(open)).rows).toEqual([]);
    await page.locator(`[data-fragment="${gone[0]?.id}"] button`).click();
    await page.getByText('Запрос отменён. Видео осталось на регистраторе').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Запросить ещё раз' }).click();
    await waitFor(
      async () => (await wanted()).find(({ id }) => id === gone[0]?.id)?.status === 'LOADED',
      'the fragment that was asked for again',
    );
  });

  it('are chosen by dragging along the timeline', async () => {
    const page = await visit('owner1');
    await page.goto(service(`date=${yesterday}`));
    const box = await page.locator('[data-range-layer]').boundingBox();
    if (box === null) throw new Error('no timeline');
    const y = box.y + box.height / 3;
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.42, y, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/span=\d+-\d+/);
    expect(await page.getByRole('button', { name: 'С этой камеры' }).isEnabled()).toBe(true);
  });

  it('of an offline camera are not asked for; the bus is asked how it is', async () => {
    const page = await visit('owner1', { phone: true });
    const offline =
      "update cameras set status = 'offline', status_at = now() - interval '1 hour' where id = $1";
    await database.query(offline, [cabinId]);
    await page.goto(service(`date=${yesterday}&span=32400-33600`));
    await page.getByText('Камера не в сети').last().waitFor();
    expect(await page.getByRole('button', { name: 'С этой камеры' }).isDisabled()).toBe(true);
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Обновить статус' }).click();
    await waitFor(async () => {
      const asked = await database.query(
        "select 1 from unit_commands where kind = 'report_camera_states' and result = 'done'",
      );
      return asked.rows.length === 1;
    }, 'the answer of the bus');
    await database.query("update cameras set status = 'online' where id = $1", [cabinId]);
    await page.getByRole('button', { name: 'Обновить статус' }).waitFor({ state: 'detached' });
  });
});

describe('the cabin live', () => {
  it('costs the bus one stream for two who watch, and ends when both have left', async ({
    skip,
  }) => {
    if (!canPlay) skip('this browser plays no H.264 video');
    const pages = [await visit('owner1'), await visit('operator')];
    for (const page of pages) await page.goto(service('part=live'));
    for (const page of pages) {
      await page.waitForFunction(
        () => (document.querySelector('video')?.currentTime ?? 0) > 2,
        undefined,
        { timeout: 60_000 },
      );
      await page.getByText('эфир', { exact: true }).waitFor();
    }
    const count = async (statement: string): Promise<number> =>
      Number((await database.query<{ count: string }>(statement, [cabinId])).rows[0]?.count);
    expect(await count('select count(*) from live_streams where camera_id = $1')).toBe(1);
    const told = "select count(*) from unit_commands where camera_id = $1 and kind = 'start_live'";
    expect(await count(told)).toBe(1);
    for (const context of contexts.splice(0)) await context.close();
    const token = await signIn(product.url, 'admin');
    await waitFor(
      async () => {
        const path = `/api/live/${cabinId}`;
        return (await ask<LiveStream>(product.url, token, 'GET', path)).state === 'ended';
      },
      'the end of the stream',
      45_000,
    );
    await waitFor(
      async () =>
        (await count(
          "select count(*) from unit_commands where camera_id = $1 and kind = 'stop_live' and result = 'done'",
        )) === 1,
      'the unit to stop',
    );
    const left =
      'select count(*) from live_pieces join live_streams on live_streams.id = stream_id where camera_id = $1';
    expect(await count(left)).toBe(0);
  });
});

describe('requests made by hand', () => {
  it('for what one may not do are refused', async () => {
    const range = {
      startTime: `${yesterday}T06:00:00Z`,
      endTime: `${yesterday}T06:30:00Z`,
    };
    const preload = '/api/segments/set-downloading';
    expect(await request('owner1', 'POST', preload, { cameraId: foreignCabinId, ...range })).toBe(
      404,
    );
    expect(await request('owner1', 'POST', `/api/live/${foreignCabinId}`)).toBe(404);
    expect(await request('owner1', 'POST', `/api/live/${doorId}`)).toBe(409);
    const recount = `/api/segments/recalculate/${doorId}`;
    const day = { from: range.startTime, to: range.endTime };
    for (const login of ['owner1', 'integrator', 'operator']) {
      expect(await request(login, 'POST', recount, day), login).toBe(403);
      expect(await request(login, 'GET', recount), login).toBe(403);
    }
    expect(await request('owner2', 'POST', `/api/workplaces/status/${busId}`)).toBe(404);
  });

  it('with the signed address of another fragment, another variant or another camera give nothing', async () => {
    const own = (await periods()).filter(({ playback_uri }) => playback_uri !== null);
    const [first, second] = own;
    const uri = first?.playback_uri ?? '';
    const get = async (address: string): Promise<number> =>
      (await fetch(product.url + address)).status;
    expect(uri).toContain('hash=');
    expect(await get(uri)).toBe(200);
    expect(await get(uri.replace(`/${first?.id}?`, `/${second?.id}?`))).toBe(403);
    expect(await get(uri.replace('processed=1', 'processed=0'))).toBe(403);
    const hash = uri.split('hash=')[1] ?? '';
    expect(await get(`/api/video_feed2/live/${cabinId}?hash=${hash}`)).toBe(403);
    // Another user's id in the signed header.
    const forged = Buffer.from(hash, 'base64url');
    forged[9] = (forged[9] ?? 0) ^ 1;
    expect(await get(uri.replace(hash, forged.toString('base64url')))).toBe(403);
    // A later expiry.
    const longer = Buffer.from(hash, 'base64url');
    longer.writeUInt32BE(longer.readUInt32BE(0) + 3600, 0);
    expect(await get(uri.replace(hash, longer.toString('base64url')))).toBe(403);
  });
});

describe('counting anew', () => {
  it('is asked for in the header by an administrator, who sees how far it is', async () => {
    const page = await visit('admin');
    await page.goto(`/bus/${busId}?date=${yesterday}`);
    await page.getByRole('button', { name: 'Пересчёт' }).click();
    await page.getByRole('button', { name: 'Пересчитать' }).click();
    await page.getByText(/Пересчитано|пересчитывать нечего/).waitFor();
    const token = await signIn(product.url, 'admin');
    const path = `/api/segments/recalculate/${cabinId}`;
    const { recalculation } = await ask<{ recalculation: Recalculation }>(
      ...([product.url, token, 'GET', path] as const),
    );
    expect(recalculation).toMatchObject({ state: 'done', failed: 0 });
    const owner = await visit('owner1');
    await owner.goto(`/bus/${busId}?date=${yesterday}`);
    await owner.locator('[data-fragments] li').first().waitFor();
    expect(await owner.getByRole('button', { name: 'Пересчёт' }).count()).toBe(0);
  });
});
