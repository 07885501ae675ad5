// I1 to I3: how fast a fleet's records are stored, until each is confirmed and visible.
import { dayOf } from '@ridewatch/contract/day';
import type { DayFragments } from '@ridewatch/contract/fragments';
import type pg from 'pg';
import { ask, signIn, waitFor } from '../harness/product.ts';
import { makeCopyPeer } from './copy-peer.ts';
import { expectControls } from './egts-controls.ts';
import { type EgtsFleet, startEgtsFleet } from './egts-fleet.ts';
import { A_FRAME, recordsOf, VARIANTS, type Work } from './egts-frames.ts';
import type { EgtsReport } from './egts-load.ts';
import { expectStored } from './egts-stored.ts';
import { percentile } from './live-report.ts';
import { type Bench, interleave, type Result, type Row } from './measure.ts';
import { cpuOf, processesOf } from './processes.ts';

const UNITS = 1000;
/** Packets of a unit in a round: two million positions of a thousand units. */
const FRAMES = 200;
/** The same of units that wait for each answer, of counts, and of disorder. */
const FEW_FRAMES = 20;
const SOME_FRAMES = 50;
/** Packets without an answer of a unit that sends what it has kept. */
const WINDOW = 16;
const ROUNDS = 7;
/** Buses whose calls are asked within the measured time. */
const SEEN = 5;
/** A confirmed record is visible at once; a busy server may answer later, ms. */
const SEEN_MS = 20_000;
const ZONE = 'Europe/Moscow';

/** Measures the rates. */
export const egtsRates: Bench = {
  ids: ['I1', 'I2', 'I3'],
  run: async (isWanted, { units = UNITS }) => {
    const results: Result[] = [];
    if (isWanted('I1')) {
      results.push(await besideCopy('I1', 'positions', units, FRAMES, WINDOW));
      results.push(await besideCopy('I1', 'positions', units, FEW_FRAMES, 1));
    }
    if (isWanted('I2')) results.push(await besideCopy('I2', 'counts', units, SOME_FRAMES, WINDOW));
    if (isWanted('I3')) results.push(await disorderBesideOrder(units));
    return results;
  },
};

async function besideCopy(
  id: string,
  kind: Work['kind'],
  units: number,
  frames: number,
  window: number,
): Promise<Result> {
  return withFleet(units, async (fleet, token) => {
    await expectControls(fleet, kind);
    // A unit of which positions are known, as those of buses are.
    const known = roundsOf('positions', 1).first(false);
    await fleet.open({ work: known, window: 1 });
    await fleet.send();
    const next = roundsOf(kind, frames);
    const peer = await makeCopyPeer(fleet.client, units, next.first(false));
    const counters: Record<string, number> = {};
    const costs = await costsOf(fleet, counters);
    const work = async (): Promise<number> => {
      const round = next.take(false);
      return (await storeRound(fleet, token, round, window, costs)).rate;
    };
    const noun = kind === 'counts' ? 'events' : 'positions';
    const manner = window === 1 ? 'each answer waited for' : `${window} packets ahead`;
    const what = `${units} connections, packets of ${A_FRAME} ${noun}, ${manner}, ÷ COPY`;
    const target = kind === 'counts' ? '≥ 0.4' : '≥ 1';
    const row: Row = { id, what, unit: `${noun}/s`, target, counters };
    return interleave(row, work, peer.copy, ROUNDS);
  });
}

async function disorderBesideOrder(units: number): Promise<Result> {
  return withFleet(units, async (fleet, token) => {
    const next = roundsOf('positions', SOME_FRAMES);
    const counters: Record<string, number> = {};
    const costs = await costsOf(fleet, counters);
    const round = (isDisordered: boolean) => async (): Promise<number> => {
      const work = next.take(isDisordered);
      return (await storeRound(fleet, token, work, WINDOW, isDisordered ? costs : undefined)).rate;
    };
    const what = `${units} connections, 10 % late, 2 % days late, 5 % twice, 1 % replayed, ÷ ordered`;
    const row: Row = { id: 'I3', what, unit: 'positions/s', target: '≥ 0.7', counters };
    return interleave(row, round(true), round(false), ROUNDS);
  });
}

async function withFleet<T>(
  units: number,
  work: (fleet: EgtsFleet, token: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const fleet = await startEgtsFleet(units);
  try {
    return await work(fleet, () => signIn(fleet.product.url, 'admin'));
  } finally {
    await fleet.close();
  }
}

// Each round has its own stretch of time, and the last one ends before the present.
function roundsOf(kind: Work['kind'], frames: number) {
  const lengthS = frames * A_FRAME;
  let startS = Math.floor(Date.now() / 1000) - 2 * (ROUNDS + 2) * lengthS;
  const of = (isDisordered: boolean): Work => ({ kind, isDisordered, startS, frames });
  return {
    first: of,
    take: (isDisordered: boolean): Work => {
      const work = of(isDisordered);
      startS += lengthS;
      return work;
    },
  };
}

/** Sends and waits, and notes what that costs. */
type Costs = (sent: () => Promise<EgtsReport>) => Promise<EgtsReport>;

async function storeRound(
  fleet: EgtsFleet,
  token: () => Promise<string>,
  work: Work,
  window: number,
  costs: Costs = (sent) => sent(),
): Promise<{ readonly rate: number }> {
  await fleet.open({ work, window });
  const user = await token();
  let tookS = 0;
  await costs(async () => {
    const fromMs = performance.now();
    const report = await fleet.send();
    await expectVisible(fleet, user, work);
    tookS = (performance.now() - fromMs) / 1000;
    return report;
  });
  await expectStored(fleet.client, fleet.units, work);
  const records = fleet.units.reduce((sum, _, n) => sum + recordsOf(work, n % VARIANTS).length, 0);
  // Different records a second.
  return { rate: records / tookS };
}

// Confirmed records are in the calls of people, too.
async function expectVisible(
  { product, client, units }: EgtsFleet,
  token: string,
  work: Work,
): Promise<void> {
  const lastMs = Math.max(...recordsOf(work, 0).map(({ second }) => second)) * 1000;
  const step = Math.ceil(units.length / SEEN);
  const isSeen = async (busId: number): Promise<boolean> => {
    if (work.kind === 'positions') {
      const address = `/api/gps?busId=${busId}`;
      const { time } = await ask<{ time: string }>(product.url, token, 'GET', address);
      return Date.parse(time) >= lastMs;
    }
    const date = dayOf(lastMs, ZONE);
    const address = `/api/segments/day-segments?workplaceId=${busId}&date=${date}`;
    const { entered } = await ask<DayFragments>(product.url, token, 'GET', address);
    return entered.adult === (await countOfDay(client, busId, date));
  };
  for (const { busId } of units.filter((_, n) => n % step === 0)) {
    await waitFor(() => isSeen(busId), `the last records of bus ${busId} in its calls`, SEEN_MS);
  }
}

// The events themselves tell it; that each of them is there once is looked at later.
async function countOfDay(client: pg.Client, busId: number, date: string): Promise<number> {
  const { rows } = await client.query<{ people: number }>(
    `select coalesce(sum(count), 0)::int as people from passenger_events
     where workplace_id = $1 and (time at time zone $2)::date = $3`,
    [busId, ZONE, date],
  );
  return rows[0]?.people ?? 0;
}

// The costs of a packet are those of the last round.
async function costsOf(
  { product, client }: EgtsFleet,
  counters: Record<string, number>,
): Promise<Costs> {
  const processes = await processesOf(product);
  const walBytes = async (): Promise<number> => {
    const { rows } = await client.query<{ bytes: number }>(
      "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes",
    );
    return rows[0]?.bytes ?? 0;
  };
  const look = async () => ({ cpu: await cpuOf(processes), wal: await walBytes() });
  return async (sent) => {
    const before = await look();
    const report = await sent();
    const after = await look();
    const { frames } = report;
    const rounded = (value: number): number => Number(value.toPrecision(3));
    const msAFrame = (seconds: number): number => rounded((seconds * 1000) / frames);
    Object.assign(counters, {
      'server CPU ms a packet': msAFrame(after.cpu.server - before.cpu.server),
      'database CPU ms a packet': msAFrame(after.cpu.database - before.cpu.database),
      'WAL bytes a packet': Math.round((after.wal - before.wal) / frames),
      'load CPU ms a packet': msAFrame(report.cpuS),
      'confirmed p50, ms': rounded(percentile([...report.confirmedMs], 0.5)),
      'confirmed p99, ms': rounded(percentile([...report.confirmedMs], 0.99)),
      'sent again': report.resent,
    });
    return report;
  };
}
