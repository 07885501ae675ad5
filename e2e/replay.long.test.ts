// A recording and a route file become buses with laps on that route.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BusRoute } from '@ridewatch/contract/bus-routes';
import type { BusInfo, BusList } from '@ridewatch/contract/buses';
import type { LapSummary } from '@ridewatch/contract/laps';
import { readReplayFlags } from '@ridewatch/unit/src/replay/flags.ts';
import { replay } from '@ridewatch/unit/src/replay/replay.ts';
import { createTimers } from '@ridewatch/unit/src/uplink/timers.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drive, planOf } from '../harness/drive.ts';
import { gtfsZip } from '../harness/gtfs.ts';
import { ask, type Product, signIn, startProduct, waitFor } from '../harness/product.ts';

const DAY = '2026-03-10';
const CUSTOMER = 'Запись';
const LAPS = 3;

let product: Product;
let token: string;
let folder: string;
beforeAll(async () => {
  product = await startProduct();
  token = await signIn(product.url, 'admin');
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-replay-'));
});
afterAll(async () => {
  await product.remove();
  await rm(folder, { recursive: true });
});

const get = <T>(address: string): Promise<T> => ask<T>(product.url, token, 'GET', address);
const listBuses = () => get<BusList>('/api/bus_list');

async function file(name: string, content: string | Buffer): Promise<string> {
  const place = path.join(folder, name);
  await writeFile(place, content);
  return place;
}

/** Plays the positions of two buses; returns what the operator read. */
async function play(...more: readonly string[]): Promise<string[]> {
  const rows = ['A', 'B'].flatMap((vehicle, n) =>
    drive(Date.parse(`${DAY}T0${5 + n}:00:00Z`), LAPS)
      .filter(({ type }) => type === 'position')
      .map(({ time, latitude, longitude, speed_kmh }) =>
        [vehicle, time, latitude, longitude, speed_kmh].join(','),
      ),
  );
  const positions = await file('p.csv', ['vehicle,time,lat,lon,speed_kmh', ...rows].join('\n'));
  const lines: string[] = [];
  await replay({
    flags: readReplayFlags([
      ...['--url', product.url, '--password', 'demo', '--positions', positions],
      ...['--zone', 'Europe/Moscow', '--customer', CUSTOMER, ...more],
    ]),
    timers: createTimers(0),
    signal: AbortSignal.any([]),
    say: (line) => lines.push(line),
  });
  return lines;
}

it('a file with several routes is not guessed from: the replay lists them and sets up no bus', async () => {
  const feed = await file('feed.zip', gtfsZip());
  await expect(play('--route', feed)).rejects.toThrow(/several routes.*--route-choice ID:\n/s);
  const { items, customers } = await listBuses();
  const client = customers.find(({ name }) => name === CUSTOMER);
  expect(client).toBeDefined();
  expect(items.filter(({ clients }) => clients.includes(client?.id ?? 0))).toEqual([]);
});

it('a recording with a route file becomes laps on the route, also when it is played again', async () => {
  const stops = planOf('Europe/Moscow').customers[0]?.groups[0]?.stops ?? [];
  const table = stops.map(({ name, latitude, longitude, routeDirection }) =>
    [name, latitude, longitude, routeDirection].join(','),
  );
  const route = await file('Речной.csv', ['name,lat,lon,direction', ...table].join('\n'));
  const lines = await play('--route', route);
  expect(lines).toContain("Route 'Речной' made");
  const { items, customers } = await listBuses();
  const client = customers.find(({ name }) => name === CUSTOMER);
  const buses = items.filter(({ clients }) => clients.includes(client?.id ?? 0));
  expect(buses.map(({ name, group }) => [name, group?.name])).toEqual([
    ['A', 'Речной'],
    ['B', 'Речной'],
  ]);
  for (const { id } of buses) {
    const laps = async () =>
      (
        await get<{ items: LapSummary[] }>(`/api/bus-stop/day-laps?workplaceId=${id}&date=${DAY}`)
      ).items.filter(({ incomplete }) => incomplete === null);
    await waitFor(async () => (await laps()).length === LAPS, 'the laps of the recording', 120_000);
    expect((await laps()).map(({ group }) => group?.name)).toEqual(
      Array.from({ length: LAPS }, () => 'Речной'),
    );
    const before = await get<BusInfo>(`/api/bus/info/${id}?date=2026-03-09`);
    expect(before.group).toBeNull();
  }
  const again = await play('--route', route);
  expect(again).toContain("The customer has a route 'Речной', which stays as it is.");
  const routes = await get<{ items: BusRoute[] }>(`/api/groups/client/${client?.id}`);
  expect(routes.items).toHaveLength(1);
});
