// The registrar of the fleet's bus of JT/T 808: what its cameras recorded is listed and fetched, and its cabin is watched
// live, as with any other bus.
import type { BusList } from '@ridewatch/contract/buses';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import type { SimulatedCamera } from '@ridewatch/unit/src/simulated/bus.ts';
import { busDay, cameraStateAt, type Span } from '@ridewatch/unit/src/simulated/day.ts';
import { planFleet } from '@ridewatch/unit/src/simulated/plan.ts';
import { listRecorded } from '@ridewatch/unit/src/simulated/registrar.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, playsVideos } from '../harness/browser.ts';
import { type RunningFleet, startFleet } from '../harness/fleet.ts';
import {
  ask,
  nowSql,
  type Product,
  queryOf,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';
import { untilLoadedOn, watchedOn } from '../harness/watched-video.ts';
import { ZONE } from '../harness/zone.ts';

const LIMIT_MS = 180_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEVICE = 'SIM-JT808';
const [bus] = planFleet(0, 1, ZONE, ['jt808']).buses;
const [door, cabin] = bus?.cameras ?? [];
if (bus === undefined || door === undefined || cabin === undefined) throw new Error('no bus');
const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
const day = busDay(1, bus, yesterday);

let product: Product;
let fleet: RunningFleet;
let browser: Browser;
let canPlay: boolean;
let busId: number;
let context: BrowserContext | undefined;

beforeAll(async () => {
  const [jt808, jt1078, ftp] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const env = { JT808_PORT: String(jt808), JT1078_PORT: String(jt1078), FTP_PORT: String(ftp) };
  product = await startProduct({ env });
  fleet = await startFleet(product, 1, { more: ['--protocols'] });
  busId = fleet.busIds.get(DEVICE) ?? 0;
  browser = await openBrowser();
  canPlay = await playsVideos(browser);
}, LIMIT_MS);
afterEach(async () => {
  await context?.close();
  context = undefined;
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await product?.remove();
});

async function visit(address: string): Promise<Page> {
  context = await openVisit(browser, product.url, { as: 'owner2' });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

const get = async <T>(path: string): Promise<T> =>
  ask<T>(product.url, await signIn(product.url, 'admin'), 'GET', path);
async function cameraId(name: string): Promise<number> {
  const { items } = await get<BusList>('/api/bus_list');
  const { cameras = [] } = items.find(({ id }) => id === busId) ?? {};
  return cameras.find((camera) => camera.name === name)?.id ?? 0;
}
/** Fragments of a camera on a day, as an administrator sees them. */
async function fragmentsOf(name: string, date = yesterday): Promise<Fragment[]> {
  const address = `/api/period_list/${await cameraId(name)}`;
  return (await get<{ items: Fragment[] }>(`${address}?startdate=${date}&enddate=${date}`)).items;
}
const isStored = ({ status }: Fragment): boolean =>
  status === 'PROCESSED' || status === 'LOADED' || status === 'PROCESSING';

/** Whether a camera of the simulated bus has failed; on some days one does. */
const isBroken = (camera: SimulatedCamera): boolean => {
  const nowMs = Date.now();
  return cameraStateAt(busDay(1, bus, dayOf(nowMs, ZONE)), camera, nowMs) === 'offline';
};

/** Ten minutes of yesterday in which the cabin was recorded without a gap. */
function recordedMinutes(): Span {
  for (let startMs = day.startMs + 12 * 60 * MINUTE_MS; startMs < day.endMs; startMs += MINUTE_MS) {
    const span = { startMs, endMs: startMs + 10 * MINUTE_MS };
    const found = listRecorded(1, day, cabin?.streamId ?? '', span, day.endMs);
    if (startMs % (10 * MINUTE_MS) === 0 && found.length === 3) return span;
  }
  throw new Error('The cabin was recorded in no ten minutes.');
}

describe('recorded video of a registrar of JT/T 808', () => {
  it('of the cabin is loaded for a range, and plays', async ({ skip }) => {
    if (isBroken(cabin)) skip('the camera has a fault now');
    const { startMs } = recordedMinutes();
    const fromS = (startMs - dayRange(yesterday, ZONE).startMs) / 1000;
    const page = await visit(
      `/bus/${busId}/service?date=${yesterday}&span=${fromS + 120}-${fromS + 400}`,
    );
    await page.getByRole('button', { name: 'С этой камеры' }).click();
    const stored = async (): Promise<Fragment[]> =>
      (await fragmentsOf(cabin.name)).filter(isStored);
    const starts = async () => (await stored()).map(({ start_time }) => Date.parse(start_time));
    await expect
      .poll(starts, { timeout: LIMIT_MS })
      .toEqual([startMs + MINUTE_MS, startMs + 4 * MINUTE_MS]);
    if (!canPlay) skip('this browser plays no H.264 video');
    const [first] = await stored();
    await page.goto(`/bus/${busId}/service?date=${yesterday}&fragment=${first?.id}`);
    await untilLoadedOn(page);
  });

  it('of the door is listed with its counts, is fetched on request, and plays', async ({
    skip,
  }) => {
    if (isBroken(door)) skip('the camera has a fault now');
    // The server looks back one day at first.
    const fromMs = Date.now() - 23 * HOUR_MS;
    const date = dayOf(fromMs + HOUR_MS, ZONE);
    const recorded = busDay(1, bus, date).fragments.find(
      ({ camera, startMs }) => camera === door && startMs > fromMs,
    );
    if (recorded?.scene.kind !== 'door') throw new Error('The door was not recorded.');
    const listed = async (): Promise<Fragment | undefined> =>
      (await fragmentsOf(door.name, date)).find(
        ({ start_time }) => Date.parse(start_time) === recorded.startMs,
      );
    await waitFor(async () => (await listed()) !== undefined, 'the recording', LIMIT_MS);
    const entered = recorded.scene.door.crossings.filter(
      ({ direction }) => direction === 'entered',
    );
    const fragment = await listed();
    expect(fragment?.entered).toEqual({ adult: entered.length, kids: 0 });
    expect(fragment?.status).toBe('LIVE');

    const page = await visit(`/bus/${busId}?date=${date}&fragment=${fragment?.id}`);
    await page.getByRole('button', { name: 'Запросить видео' }).click();
    await expect
      .poll(async () => (await listed())?.status, { timeout: LIMIT_MS })
      .toBe('PROCESSED');
    if (!canPlay) skip('this browser plays no H.264 video');
    await untilLoadedOn(page);
  });
});

describe('the cabin of a bus of JT/T 808', () => {
  it('is watched live, and is left when nobody watches', async ({ skip }) => {
    if (isBroken(cabin)) skip('the camera has a fault now');
    if (!canPlay) skip('this browser plays no H.264 video');
    const page = await visit(`/bus/${busId}/service?part=live`);
    await page.waitForFunction(
      () => (document.querySelector('video')?.currentTime ?? 0) > 2,
      undefined,
      { timeout: LIMIT_MS },
    );
    await page.getByText('эфир', { exact: true }).waitFor();
    expect((await watchedOn(page)).frames).toBeGreaterThan(10);
    await context?.close();
    context = undefined;
    // As if the time had passed for which the last viewer has asked.
    await queryOf(product, `update live_streams set wanted_until = ${nowSql()}`);
    const told = "select result from unit_commands where kind = 'stop_live'";
    await expect
      .poll(async () => (await queryOf(product, told)).rows, { timeout: LIMIT_MS })
      .toEqual([{ result: 'done' }]);
  });
});
