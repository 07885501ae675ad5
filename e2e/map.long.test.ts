import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, momentOf } from '@ridewatch/contract/day';
import { type MapFeature, makeMapFile } from '@ridewatch/unit/src/simulated/map/map-file.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, openContext } from '../harness/browser.ts';
import { drive, planOf } from '../harness/drive.ts';
import {
  ask,
  type Product,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { ZONE } from '../harness/zone.ts';

/** The middle of the driven route (harness/drive.ts). */
const TOWN = { latitude: 55.711, longitude: 37.6 };
const FILE_ZOOM = 12;
/** As web/src/map/map.module.css has them. */
const WATER = { light: [0xbc, 0xd5, 0xee], dark: [0x14, 0x26, 0x3a] };
const HALO = [0xf7, 0xf8, 0xfa];
const PLAIN = [0xe9, 0xec, 0xf1];

/** Left and top, and right and bottom, in shares of the map. */
interface Area {
  from: [number, number];
  to: [number, number];
}
const WHOLE: Area = { from: [0, 0], to: [1, 1] };
const EAST: Area = { from: [0.55, 0.3], to: [0.9, 0.7] };
const yesterday = addDays(dayOf(Date.now(), ZONE), -1);

let folder: string;
let browser: Browser;
let context: BrowserContext | undefined;
let page: Page;
let errors: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-map-'));
  browser = await openBrowser();
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a product on which a bus drove yesterday. @returns it with the address of the bus's map */
async function startWithTrack(env: Record<string, string>) {
  const product = await startProduct({ env });
  const units = await setUpFleet(product.url, planOf(ZONE));
  const startMs = momentOf(`${yesterday}T08:00`, ZONE);
  await sendRecords(product.url, units[0]?.credential ?? '', drive(startMs, 2));
  const token = await signIn(product.url, 'admin');
  const { items } = await ask<{ items: { id: number; group_device_id: string }[] }>(
    product.url,
    token,
    'GET',
    '/api/bus_list',
  );
  const busId = items.find(({ group_device_id }) => group_device_id === 'ROUTE-1')?.id;
  await waitFor(async () => {
    const query = `workplaceId=${busId}&date=${yesterday}`;
    const address = `/api/bus-stop/day-laps?${query}`;
    const laps = await ask<{ items: unknown[]; pending: boolean }>(
      product.url,
      token,
      'GET',
      address,
    );
    return laps.items.length > 0 && !laps.pending;
  }, 'the laps');
  return { product, address: `/bus/${busId}/gps?date=${yesterday}` };
}

async function openMap(product: Product, address: string): Promise<void> {
  context = await openContext(browser, product.url, { as: 'admin' });
  page = await context.newPage();
  errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(address);
  await page.getByRole('button', { name: /Крупнее|Zoom in/ }).waitFor();
}

const attribution = () => page.locator('.maplibregl-ctrl-attrib');

/** The share of the map's pixels that have a colour. */
const shareOf = async (colour: readonly number[]) => (await pixelsOf(colour, WHOLE)).share;
/** The width of the name of the district, px: the light edges of its letters, east of the route. */
const nameWidth = async () => (await pixelsOf(HALO, EAST, 40)).widthPx;

/**
 * Finds the pixels of a colour on the map.
 * @param area in shares of the map
 * @param tolerance of each part of the colour; thin letters do not reach theirs
 * @returns their share, and the width of the box around them, px
 */
async function pixelsOf(
  [red = 0, green = 0, blue = 0]: readonly number[],
  area: Area,
  tolerance = 3,
) {
  const image = await page.locator('.maplibregl-canvas').screenshot();
  return page.evaluate(
    async ({ base64, wanted, from, to, most }) => {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const at = (share: [number, number]) => [share[0] * bitmap.width, share[1] * bitmap.height];
      const [left = 0, top = 0] = at(from).map(Math.round);
      const [right = 0, bottom = 0] = at(to).map(Math.round);
      const [width, height] = [right - left, bottom - top];
      const drawing = new OffscreenCanvas(width, height).getContext('2d');
      if (!drawing) throw new Error('the browser has no 2D canvas context');
      drawing.drawImage(bitmap, -left, -top);
      const { data } = drawing.getImageData(0, 0, width, height);
      const columns: number[] = [];
      for (let pixel = 0; pixel < width * height; pixel += 1) {
        const isFar = (value: number, part: number) =>
          Math.abs(value - (data[4 * pixel + part] ?? 0)) > most;
        if (!wanted.some(isFar)) columns.push(pixel % width);
      }
      columns.sort((one, other) => one - other);
      const widthPx = (columns.at(-1) ?? 0) - (columns[0] ?? 0);
      return { share: columns.length / (width * height), widthPx };
    },
    { base64: image.toString('base64'), wanted: [red, green, blue], ...area, most: tolerance },
  );
}

describe('the map file', () => {
  let product: Product;
  let address: string;
  beforeAll(async () => {
    const MAP_FILE = path.join(folder, 'town.pmtiles');
    await writeFile(MAP_FILE, townMap());
    ({ product, address } = await startWithTrack({ MAP_FILE }));
  });
  afterAll(() => product?.remove());

  it("shows streets in the theme's colours, and the server of no one else is asked", async () => {
    const asked = new Set<string>();
    await openMap(product, address);
    page.on('request', (request) => asked.add(new URL(request.url()).host));
    await page.reload();
    await expect.poll(() => shareOf(WATER.light)).toBeGreaterThan(0.4);
    await attribution().getByRole('link', { name: '© OpenStreetMap' }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => shareOf(WATER.dark)).toBeGreaterThan(0.4);
    expect([...asked]).toEqual([new URL(product.url).host]);
    expect(await findAxeFaults(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('names places in the language of the viewer, if it knows it', async () => {
    await openMap(product, address);
    await expect.poll(nameWidth).toBeGreaterThan(80);
    await page.getByRole('button', { name: 'admin' }).click();
    await page.getByText('English', { exact: true }).click();
    await page.getByRole('button', { name: 'Zoom in' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(nameWidth).toBeLessThan(40);
    expect(await nameWidth()).toBeGreaterThan(4);
  });
});

describe('a tile server', () => {
  let tiles: Server;
  let asked: { url: string; headers: IncomingHttpHeaders }[] = [];
  let product: Product;
  let address: string;
  beforeAll(async () => {
    tiles = createServer((request, response) => {
      asked.push({ url: request.url ?? '', headers: request.headers });
      response.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' });
      response.end(BLACK_TILE);
    });
    tiles.listen(0, '127.0.0.1');
    await once(tiles, 'listening');
    const { port } = tiles.address() as AddressInfo;
    const TILE_URL = `http://127.0.0.1:${port}/{z}/{x}/{y}.png`;
    ({ product, address } = await startWithTrack({ TILE_URL }));
  });
  afterAll(async () => {
    tiles.close();
    await product?.remove();
  });

  it('is told which site shows its tiles, but not which page, and its map is attributed', async () => {
    asked = [];
    await openMap(product, address);
    await attribution().getByRole('link', { name: '© OpenStreetMap' }).waitFor();
    await expect.poll(() => shareOf(PLAIN)).toBeLessThan(0.05);
    expect(asked.length).toBeGreaterThan(1);
    for (const { url, headers } of asked) {
      expect(url).toMatch(/^\/\d+\/\d+\/\d+\.png$/);
      expect(headers.referer).toBe(`${product.url}/`);
      expect(headers.cookie ?? headers.authorization).toBeUndefined();
    }
    expect(errors).toEqual([]);
  });

  it('that is away leaves the plain ground, on which the track is drawn', async () => {
    const closed = once(tiles, 'close');
    tiles.close();
    tiles.closeAllConnections();
    await closed;
    await openMap(product, address);
    await expect.poll(() => shareOf(PLAIN)).toBeGreaterThan(0.5);
    await page.locator('button[data-shape]').first().waitFor();
    expect(await attribution().count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(errors).toEqual([]);
  });
});

// A pixel, which the map stretches over the tile.
const BLACK_TILE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

// Water everywhere, a street, and a district east of the route with a long Russian and a short English name.
function townMap() {
  const at = (north: number, east: number) => ({
    latitude: TOWN.latitude + north,
    longitude: TOWN.longitude + east,
  });
  const features: MapFeature[] = [
    {
      layer: 'water',
      shape: 'Polygon',
      places: [at(0.05, -0.1), at(0.05, 0.1), at(-0.05, 0.1), at(-0.05, -0.1)],
      properties: { kind: 'ocean' },
    },
    {
      layer: 'roads',
      shape: 'LineString',
      places: [at(-0.02, -0.01), at(0.02, -0.01)],
      properties: { kind: 'major_road', name: 'Quay' },
    },
    {
      layer: 'places',
      shape: 'Point',
      places: [at(0, 0.02)],
      properties: {
        kind: 'neighbourhood',
        name: 'Nowhere',
        'name:ru': 'Преображенское-Новое',
        'name:en': 'Io',
      },
    },
  ];
  const area = { southWest: at(-0.1, -0.2), northEast: at(0.1, 0.2) };
  return makeMapFile(features, area, { least: FILE_ZOOM, greatest: FILE_ZOOM });
}
