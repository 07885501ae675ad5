import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { type Board, listBoard } from '@ridewatch/contract/board';
import type { BusInfo, BusList } from '@ridewatch/contract/buses';
import { addDays, dayOf, formatMoment } from '@ridewatch/contract/day';
import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import type { MergeRequest } from '@ridewatch/contract/merges';
import type { ReviewQueue } from '@ridewatch/contract/review';
import type { PassengerTraffic } from '@ridewatch/contract/stats';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import { DEMO_BUSES, DEMO_ZONE } from '@ridewatch/unit/src/simulated/plan.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openContext, signInAs } from '../harness/browser.ts';
import { ask, type Product, signIn, startProduct, waitFor } from '../harness/product.ts';

const START_LIMIT_MS = 600_000;
const HOUR_MS = 3_600_000;
/** A day of all buses takes a quarter of a minute; the first one is sent at once. */
const EARLIER_LIMIT_MS = 60_000;
/** The server looks for the broken unit every minute. */
const SILENT_LIMIT_MS = 90_000;

let product: Product;
let fleet: ChildProcess;
let token: string;
let buses: BusList['items'];
/** The fragments of each bus's latest day. */
const days = new Map<number, DayFragments>();
/** The board as a user saw it who came at once. */
let board: Board;

const get = <T>(address: string) => ask<T>(product.url, token, 'GET', address);
const isThere = ({ status }: Fragment) => status === 'PROCESSED' || status === 'WAS_MERGED';
const stateOf = ({ status }: Fragment) => status;
const readDays = async () => {
  for (const { id } of buses) {
    const { latest_day } = await get<BusInfo>(`/api/bus/info/${id}`);
    if (latest_day === null) continue;
    const address = `/api/segments/day-segments?workplaceId=${id}&date=${latest_day}`;
    days.set(id, await get<DayFragments>(address));
  }
};

// The fleet of `npm start`, until it says that the demo is ready.
beforeAll(async () => {
  const env: Record<string, string> = {};
  for (const name of ['EGTS_PORT', 'JT808_PORT', 'JT1078_PORT', 'FTP_PORT']) {
    env[name] = String(await findFreePort());
  }
  product = await startProduct({ env });
  fleet = spawn(
    process.execPath,
    [
      path.resolve(import.meta.dirname, '../unit/src/simulated/main.ts'),
      ...['--demo', '--protocols', '--url', product.url],
      ...['--data', product.dataDir, '--password', 'demo'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  fleet.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await waitFor(
    async () => {
      if (fleet.exitCode !== null) throw new Error(`the fleet ended:\n${text}`);
      return /^ready$/m.test(text);
    },
    'the demo to be ready',
    START_LIMIT_MS,
  );
  token = await signIn(product.url, 'admin');
  board = await get<Board>(listBoard.path);
  buses = (await get<BusList>('/api/bus_list')).items;
  await readDays();
}, START_LIMIT_MS);
afterAll(async () => {
  const ended = new Promise((resolve) => fleet?.once('exit', resolve));
  fleet?.kill('SIGTERM');
  await ended;
  await product?.remove();
});

describe('the demo, as soon as it is ready,', () => {
  it('has a bus of each other protocol, heard and with people on its latest day', async () => {
    const ids = ['SIM-EGTS', 'SIM-JT808', 'SIM-OSMAND'].map(
      (device) => buses.find(({ group_device_id }) => group_device_id === device)?.id ?? 0,
    );
    expect(buses).toHaveLength(DEMO_BUSES + ids.length);
    for (const id of ids) {
      const heard = buses.find((bus) => bus.id === id)?.last_seen_at ?? '';
      expect(Date.now() - Date.parse(heard)).toBeLessThan(HOUR_MS / 2);
      expect(days.get(id)?.entered.adult).toBeGreaterThan(0);
      expect(days.get(id)?.entered.kids).toBe(0);
    }
  });

  it('has what the registrar of JT/T 808 recorded, to be fetched', async () => {
    const id = buses.find(({ group_device_id }) => group_device_id === 'SIM-JT808')?.id;
    const { latest_day } = await get<BusInfo>(`/api/bus/info/${id}`);
    const address = `/api/segments/day-segments?workplaceId=${id}&date=${latest_day}`;
    // The server asks registrars for their lists in the first minutes.
    const states = async () => new Set((await get<DayFragments>(address)).segments.map(stateOf));
    await expect.poll(states, { timeout: EARLIER_LIMIT_MS * 2 }).toEqual(new Set(['LIVE']));
  });

  it('has an hour of video of one bus', () => {
    const filmed = [...days.values()].map(({ segments }) => segments.filter(isThere));
    const most = Math.max(...filmed.map((all) => all.length));
    const hour = filmed.find((all) => all.length === most) ?? [];
    const hours = Map.groupBy(hour, ({ start_time }) =>
      Math.floor(Date.parse(start_time) / HOUR_MS),
    );
    expect(Math.max(...[...hours.values()].map((all) => all.length))).toBeGreaterThan(9);
  });

  it('says of every bus that carried people today where it is on its lap', ({ skip }) => {
    // After midnight people leave a lap of the day before.
    const isMorningOver = (zone: string) => formatMoment(Date.now(), zone, 'HH') >= '07';
    const onRoutes = new Set(
      buses
        .filter(({ group, timezone }) => group !== null && isMorningOver(timezone))
        .map(({ id }) => id),
    );
    if (onRoutes.size === 0) skip('it is night where the buses are');
    const driven = board.items.filter(
      ({ id, entered }) => onRoutes.has(id) && entered !== null && entered > 0,
    );
    expect(driven.length).toBeGreaterThan(0);
    expect(driven.filter(({ lap }) => lap === null).map(({ id }) => id)).toEqual([]);
  });

  it('has twenty fragments that wait for review', async () => {
    let waiting = 0;
    // The demo does not wait longer than a minute for a slow machine to count the last of them.
    await waitFor(
      async () => {
        waiting = (await get<ReviewQueue>('/api/segments/review-queue')).total;
        return waiting > 19;
      },
      'the fragments to be counted',
      EARLIER_LIMIT_MS,
    );
    expect(waiting).toBeGreaterThan(19);
  });

  it('has three clips in which two people cross at once', () => {
    const filmed = [...days.values()].flatMap(({ segments }) => segments.filter(isThere));
    const pairs = filmed.filter(({ events = [] }) =>
      events.some(({ offset_ms, entered, exited }, index) => {
        const before = events[index - 1];
        const isClose = before !== undefined && offset_ms - before.offset_ms <= 250;
        return isClose || entered + exited > 1;
      }),
    );
    expect(pairs.length).toBeGreaterThan(2);
  });

  it('has a merged file, for its customer too', async () => {
    const { items } = await get<{ items: MergeRequest[] }>('/api/concatenated-medias');
    expect(items.map(({ status }) => status)).toEqual(['COMPLETE']);
    const file = await fetch(product.url + items[0]?.download, { headers: { range: 'bytes=0-9' } });
    expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([206, 10]);
    const owners = ['owner1', 'owner2', 'owner3'];
    const seen = await Promise.all(
      owners.map(async (login) => {
        const own = await signIn(product.url, login);
        const list = await ask<{ total: number }>(
          product.url,
          own,
          'GET',
          '/api/concatenated-medias',
        );
        return list.total;
      }),
    );
    expect(seen.toSorted()).toEqual([0, 0, 1]);
  });

  it('has a camera that is offline, and a bus that is silent', async () => {
    await waitFor(
      async () => {
        const { items } = await get<BusList>('/api/bus_list');
        const silent = items.filter(({ last_seen_at }) => {
          return last_seen_at !== null && Date.now() - Date.parse(last_seen_at) > HOUR_MS / 2;
        });
        return silent.length === 1;
      },
      'one bus to be silent',
      SILENT_LIMIT_MS,
    );
    const { items } = await get<BusList>('/api/bus_list');
    const speaking = items.filter(({ last_seen_at }) => {
      return last_seen_at !== null && Date.now() - Date.parse(last_seen_at) < HOUR_MS / 2;
    });
    const offline = speaking.flatMap(({ cameras }) =>
      cameras.filter(({ status }) => status === 'offline'),
    );
    expect(offline.map(({ name }) => name)).toContain('Задняя площадка');
  });

  it('opens every bus on a day that has data', async () => {
    const browser = await openBrowser();
    try {
      const context = await openContext(browser, product.url);
      const page = await context.newPage();
      await signInAs(page, 'admin');
      for (const [id, { date, segments }] of days) {
        if (segments.length === 0) continue;
        await page.goto(`/bus/${id}`);
        await page.locator('[data-fragments] li button').first().waitFor();
        const opened = new URL(page.url()).searchParams.get('date');
        const { date: today } = await get<BusInfo>(`/api/bus/info/${id}`);
        expect(opened ?? today).toBe(date);
      }
    } finally {
      await browser.close();
    }
  });
});

describe('the demo, some minutes later,', () => {
  it('receives the weeks before, the newest day first, and its statistics say so', async () => {
    const today = dayOf(Date.now(), DEMO_ZONE);
    const [dateFrom, newest] = [addDays(today, -84), addDays(today, -8)];
    const address = `/api/stat/passenger-traffic?dateFrom=${dateFrom}&dateTo=${newest}&tick=day&groupby=route`;
    let traffic: PassengerTraffic | undefined;
    await waitFor(
      async () => {
        traffic = await get<PassengerTraffic>(address);
        return traffic.arriving !== null && traffic.items.some((row) => row.start_time === newest);
      },
      'the day before the last week',
      EARLIER_LIMIT_MS,
    );
    expect(traffic?.arriving?.from).toBe(dateFrom);
    expect(traffic?.items.some(({ start_time }) => start_time === dateFrom)).toBe(false);
  });

  it('goes on with the rest of that day', async () => {
    const before = Math.max(
      ...[...days.values()].map(({ segments }) => segments.filter(isThere).length),
    );
    await waitFor(
      async () => {
        await readDays();
        const now = [...days.values()].map(({ segments }) => segments.filter(isThere).length);
        return Math.max(...now) > before + 2;
      },
      'more clips',
      120_000,
    );
  });
});
