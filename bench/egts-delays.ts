// I4: how long an acknowledgement takes while the server has half of what it can. I7: how long people wait meanwhile.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dayOf } from '@ridewatch/contract/day';
import { signIn } from '../harness/product.ts';
import { type EgtsFleet, startEgtsFleet } from './egts-fleet.ts';
import { A_FRAME, type Work } from './egts-frames.ts';
import type { EgtsReport } from './egts-load.ts';
import { expectStored } from './egts-stored.ts';
import { percentile } from './live-report.ts';
import { fetchAnswer } from './load.ts';
import { type Bench, interleave, type Result } from './measure.ts';

const UNITS = 1000;
/** Packets of a unit while the own maximum is looked for: each waits for the answer to the one before. */
const MOST_FRAMES = 20;
const ROUND_S = 8;
/** Calls of people a second. */
const CALLS_PER_S = 25;
const CALLS = 200;
const ZONE = 'Europe/Moscow';

/** Measures both. */
export const egtsDelays: Bench = {
  ids: ['I4', 'I7'],
  run: async (isWanted, { units = UNITS }) => {
    const fleet = await startEgtsFleet(units);
    try {
      const next = roundsOf();
      const half = (await ownMost(fleet, next(MOST_FRAMES))) / 2;
      const results: Result[] = [];
      if (isWanted('I4')) results.push(await besideEcho(fleet, half, next));
      if (isWanted('I7')) results.push(await callsBeside(fleet, half, next));
      return results;
    } finally {
      await fleet.close();
    }
  },
};

/** The next stretch of time, for so many packets of a unit. */
type Next = (frames: number) => Work;

function roundsOf(): Next {
  let startS = Math.floor(Date.now() / 1000) - 8 * 3600;
  return (frames) => {
    const work: Work = { kind: 'positions', isDisordered: false, startS, frames };
    startS += frames * A_FRAME;
    return work;
  };
}

// Packets a second of units of which each waits for its answers.
async function ownMost(fleet: EgtsFleet, work: Work): Promise<number> {
  let framesPerS = 0;
  for (const turn of [0, 1]) {
    const own = { ...work, startS: work.startS - turn * work.frames * A_FRAME };
    await fleet.open({ work: own, window: 1 });
    const { frames, tookMs } = await fleet.send();
    framesPerS = frames / (tookMs / 1000);
  }
  return framesPerS;
}

const framesFor = (fleet: EgtsFleet, framesPerS: number): number =>
  Math.max(1, Math.ceil((framesPerS * ROUND_S) / fleet.units.length));

async function besideEcho(fleet: EgtsFleet, framesPerS: number, next: Next): Promise<Result> {
  const echo = fork(path.join(import.meta.dirname, 'egts-echo.ts'));
  try {
    const [echoPort] = (await once(echo, 'message')) as [number];
    const counters: Record<string, number> = { 'packets a second': Math.round(framesPerS) };
    const delay = async (who: string, port: number): Promise<number> => {
      const work = next(framesFor(fleet, framesPerS));
      await fleet.open({ port, work, window: Number.POSITIVE_INFINITY });
      const { confirmedMs, resent } = await fleet.send({ framesPerS });
      if (port === fleet.port) await expectStored(fleet.client, fleet.units, work);
      if (resent > 0) throw new Error(`${resent} packets were sent again.`);
      counters[`p50 of ${who}, ms`] = rounded(percentile([...confirmedMs], 0.5));
      return percentile([...confirmedMs], 0.99);
    };
    const what = `p99 of an answer at half of the own maximum, ${fleet.units.length} connections, ÷ echo with fdatasync`;
    return await interleave(
      { id: 'I4', what, unit: 'ms', target: '≤ 3', counters },
      () => delay('the server', fleet.port),
      () => delay('the echo', echoPort),
    );
  } finally {
    echo.disconnect();
  }
}

async function callsBeside(fleet: EgtsFleet, framesPerS: number, next: Next): Promise<Result> {
  const counters: Record<string, number> = { 'packets a second': Math.round(framesPerS) };
  const calls = async (): Promise<number> => {
    const token = await signIn(fleet.product.url, 'admin');
    const { p50, p99 } = await askForDays(fleet, token);
    counters['p50, ms'] = p50;
    return p99;
  };
  const beside = async (): Promise<number> => {
    const frames = Math.ceil((framesFor(fleet, framesPerS) * CALLS) / CALLS_PER_S / ROUND_S) + 1;
    const work = next(frames);
    await fleet.open({ work, window: Number.POSITIVE_INFINITY });
    const sending: Promise<EgtsReport> = fleet.send({ framesPerS });
    const p99 = await calls();
    await sending;
    await expectStored(fleet.client, fleet.units, work);
    counters['p50 beside it, ms'] = counters['p50, ms'] ?? Number.NaN;
    return p99;
  };
  const what = `p99 of a bus's day while ${fleet.units.length} connections send half of the maximum, ÷ idle`;
  const row = { id: 'I7', what, unit: 'ms', target: '≤ 2', counters };
  return interleave(row, beside, calls);
}

// Calls at times of their own, whether those before were answered or not.
async function askForDays(
  { product, units }: EgtsFleet,
  token: string,
): Promise<{ p50: number; p99: number }> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
  const date = dayOf(Date.now(), ZONE);
  const startMs = performance.now();
  const tookMs = await Promise.all(
    Array.from({ length: CALLS }, async (_, n) => {
      const dueMs = startMs + (n / CALLS_PER_S) * 1000;
      await pause(Math.max(0, dueMs - performance.now()));
      const busId = units[(n * 7) % units.length]?.busId;
      const address = `/api/segments/day-segments?workplaceId=${busId}&date=${date}`;
      await fetchAnswer(product.url + address, headers);
      return performance.now() - dueMs;
    }),
  );
  return { p50: rounded(percentile(tookMs, 0.5)), p99: percentile(tookMs, 0.99) };
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
