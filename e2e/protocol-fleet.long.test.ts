// The fleet's buses whose units speak other protocols: each day that arrives over their own ports is the day that was
// driven, also when the units are switched off while they tell it, and the server while it listens.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CalculationParts } from '@ridewatch/contract/calculation';
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { kopecksOf } from '@ridewatch/contract/money';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import { unpackPoints } from '@ridewatch/server/src/positions/pack.ts';
import { busDay } from '@ridewatch/unit/src/simulated/day.ts';
import { positionAt, positionTimes } from '@ridewatch/unit/src/simulated/gps.ts';
import { planFleet } from '@ridewatch/unit/src/simulated/plan.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningFleet, startFleet, type Truth } from '../harness/fleet.ts';
import {
  ask,
  nowSql,
  type Product,
  queryOf,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { ZONE } from '../harness/zone.ts';

const LIMIT_MS = 300_000;
/** In this time a unit has tried again. */
const AGAIN_MS = 60_000;
const HISTORY_EVERY_MS = 5000;
const buses = planFleet(0, 1, ZONE, ['egts', 'jt808', 'osmand']).buses;
const DEVICES = buses.map(({ deviceId }) => deviceId);
const FLEET = ['--days', '2', '--protocols'];
const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
const beforeYesterday = addDays(yesterday, -1);

let product: Product;
let fleet: RunningFleet;
let stopFleet: (() => Promise<void>) | undefined;
let token: string;

beforeAll(async () => {
  const [EGTS_PORT, JT808_PORT] = [String(await findFreePort()), String(await findFreePort())];
  product = await startProduct({ env: { EGTS_PORT, JT808_PORT } });
  token = await signIn(product.url, 'admin');
  await killWhileTelling();
  fleet = await startFleet(product, 1, { more: [...FLEET, '--truth', truthFile()] });
  stopFleet = fleet.stop;
}, LIMIT_MS);
afterAll(async () => {
  await stopFleet?.();
  await product?.remove();
});

const truthFile = (): string => path.join(product.dataDir, 'truth.json');

/** Runs the fleet until one of these buses has told its first day, and kills it. */
async function killWhileTelling(): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      path.resolve(import.meta.dirname, '../unit/src/simulated/main.ts'),
      ...['--url', product.url, '--buses', '1', '--zone', ZONE, ...FLEET],
      ...['--login', 'admin', '--password', 'demo', '--data', product.dataDir],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await waitFor(
    async () => buses.some(({ name }) => text.includes(`history of ${name}`)),
    'a day of a bus of another protocol',
    LIMIT_MS,
  );
  child.kill('SIGKILL');
  await ended;
  expect(text).not.toMatch(/^ready$/m);
}

const sum = ({ adult, kids }: { adult: number; kids: number }): number => adult + kids;

async function dayOfBus(device: string, day: string) {
  const about = `workplaceId=${fleet.busIds.get(device)}&date=${day}`;
  const get = <T>(address: string) => ask<T>(product.url, token, 'GET', `${address}?${about}`);
  const { events, entered, exited, calculation } = await get<DayFragments>(
    '/api/segments/day-segments',
  );
  const hours = events.flatMap((one) => one.events);
  return {
    hours,
    entered,
    exited,
    calculation,
    parts: () => get<CalculationParts>('/api/workplaces/calculation/parts'),
  };
}

/** The people of a day, in the form of the truth. */
async function peopleOf(device: string, day: string) {
  const { hours, entered, exited } = await dayOfBus(device, day);
  return {
    entered: entered,
    exited: exited,
    hours: hours.map((hour) => [hour.start_time, hour.entered, hour.exited]),
  };
}

const truePeople = ({ entered, exited, hours }: Truth) => ({
  entered: entered,
  exited: exited,
  hours: hours.map((hour) => [hour.start, sum(hour.entered), sum(hour.exited)]),
});

describe.each(DEVICES)('the bus of %s', (device) => {
  it.each([yesterday, beforeYesterday])('has the people of each hour of %s', async (day) => {
    const truth = await fleet.truthOf(device, day);
    expect(sum(truth.entered)).toBeGreaterThan(50);
    expect(truth.entered.kids).toBe(0);
    expect(await peopleOf(device, day)).toEqual(truePeople(truth));
  });

  it('has each position of yesterday once', async () => {
    const bus = buses.find(({ deviceId }) => deviceId === device);
    if (bus === undefined) throw new Error('no bus');
    const day = busDay(1, bus, yesterday);
    const times = positionTimes(day, HISTORY_EVERY_MS).list(day.startMs, day.endMs);
    const { rows } = await queryOf<{ points: Buffer }>(
      product,
      `select points from position_blocks join units on units.id = unit_id
       where device_id = '${device}'`,
    );
    const stored = rows.flatMap(({ points }) => unpackPoints(points)).map(({ sentMs }) => sentMs);
    expect(
      stored.filter((ms) => ms >= day.startMs && ms < day.endMs).sort((a, b) => a - b),
    ).toEqual(
      times.map(({ atMs }) => atMs).filter((atMs) => positionAt(1, day, atMs).fix !== false),
    );
  });

  it('has the laps that it drove, and what they brought', async () => {
    const truth = await fleet.truthOf(device, yesterday);
    let parts: CalculationParts | undefined;
    await waitFor(
      async () => {
        parts = await (await dayOfBus(device, yesterday)).parts();
        return !parts.pending && parts.laps.length > 0;
      },
      'the laps of yesterday',
      LIMIT_MS,
    );
    const found = parts?.laps.filter(({ open }) => !open) ?? [];
    const driven = truth.laps.map(({ departure, fare }) => {
      const startMs = Date.parse(departure);
      const lap = found.find(({ start }) => Math.abs(Date.parse(start) - startMs) < 120_000);
      return { lap, fare: kopecksOf(fare ?? '0') };
    });
    expect(driven.length).toBeGreaterThan(4);
    expect(driven.filter(({ lap }) => lap === undefined)).toEqual([]);
    const { calculation } = await dayOfBus(device, yesterday);
    if (truth.fare?.type === 'FIXED') {
      expect(calculation?.total).toBe(truth.fare.total);
      return;
    }
    const missed = driven.filter(
      ({ lap, fare }) =>
        Math.abs(kopecksOf(lap?.total ?? '0') - fare) > kopecksOf(lap?.error ?? '0'),
    );
    // The error that a lap states holds for nineteen of twenty laps.
    expect(missed.length).toBeLessThan(1 + driven.length / 10);
  });
});

it('goes on in the present after the server was away, and loses nobody', async () => {
  await product.kill();
  await product.restart();
  const restarted = nowSql();
  await waitFor(
    async () => {
      const { rows } = await queryOf(
        product,
        `select from units where device_id = any($1) and last_seen_at > ${restarted}`,
        [DEVICES],
      );
      return rows.length === DEVICES.length;
    },
    'the units after the restart',
    AGAIN_MS,
  );
  await fleet.stop();
  stopFleet = undefined;
  const { days } = JSON.parse(await readFile(truthFile(), 'utf8')) as {
    days: (Truth & { device_id: string; day: string })[];
  };
  const today = dayOf(Date.now(), ZONE);
  for (const device of DEVICES) {
    const truth = days.find((one) => one.device_id === device && one.day === today);
    if (truth === undefined) throw new Error(`no truth of ${device}`);
    const told = await peopleOf(device, today);
    // An opening of the doors that has not ended is not told yet.
    const open = device === 'SIM-JT808' ? 60 : 0;
    expect(sum(truth.entered) - sum(told.entered), device).toBeLessThanOrEqual(open);
    expect(sum(told.entered), device).toBeLessThanOrEqual(sum(truth.entered));
    if (open === 0) expect(told, device).toEqual(truePeople(truth));
  }
});
