// I8: memory of ten thousand connections of which each sends a packet in half a minute, and how long its answer takes.
import { setTimeout as pause } from 'node:timers/promises';
import { type EgtsFleet, startEgtsFleet } from './egts-fleet.ts';
import type { Work } from './egts-frames.ts';
import { startIngestProcess } from './egts-process.ts';
import { expectStored } from './egts-stored.ts';
import { percentile } from './live-report.ts';
import { type Bench, ofBudget, type Result } from './measure.ts';
import { residentBytes } from './processes.ts';

const UNITS = 10_000;
const EVERY_S = 30;
const WARM_UNITS = 500;
/** The first packets of all units, a round in which what waits is worked off, and one whose answers count. */
const ROUNDS = 3;
/** Of ten thousand: the heap grows by 50 to 150 MiB while packets come, however few connections there are. */
const MOST_BYTES = 40_000;
/** A sender sends again after this time, ms. */
const MOST_MS = 5000;
const LOOK_MS = 1000;

/** Measures idle senders. */
export const egtsIdle: Bench = {
  ids: ['I8'],
  run: async (_, { units = UNITS }) => {
    const fleet = await startEgtsFleet(units);
    const ingest = await startIngestProcess(fleet.product, await fleet.freePort());
    try {
      return await idleSenders(fleet, ingest);
    } finally {
      await ingest.remove();
      await fleet.close();
    }
  },
};

async function idleSenders(
  fleet: EgtsFleet,
  ingest: Awaited<ReturnType<typeof startIngestProcess>>,
): Promise<Result[]> {
  const count = fleet.units.length;
  const work: Work = {
    ...{ kind: 'positions', isDisordered: false },
    startS: Math.floor(Date.now() / 1000) - 3600,
    frames: ROUNDS,
  };
  const port = fleet.ingestPort();
  // The process has done all this before, so that its programs and caches are no memory of the connections.
  const objects = fleet.units.slice(0, WARM_UNITS).map(({ object }) => object);
  await fleet.open({ port, objects, work: { ...work, startS: work.startS - 3600 }, window: 1 });
  await fleet.send();
  const before = await residentBytes(ingest.pid());
  await fleet.open({ port, work, window: 1 });
  const ended = fleet.send({ framesPerS: count / EVERY_S });
  const beganMs = performance.now();
  let most = 0;
  let last = await fleet.report();
  let firstS = 0;
  const times: number[] = [];
  while (last.frames < ROUNDS * count && !last.isDone) {
    await pause(LOOK_MS);
    most = Math.max(most, await residentBytes(ingest.pid()));
    last = await fleet.report();
    // A process that has never heard a unit reads all about it.
    if (firstS === 0 && last.frames >= count) firstS = (performance.now() - beganMs) / 1000;
    if (last.frames >= 2 * count) times.push(...last.confirmedMs);
  }
  if (!last.isDone) await ended;
  await expectStored(fleet.client, fleet.units, work);
  const what = `${count} connections, a packet each ${EVERY_S} s`;
  const counters = {
    'RSS before, MiB': Math.round(before / 2 ** 20),
    'RSS with them, MiB': Math.round(most / 2 ** 20),
    'as many packets as units after, s': Math.round(firstS),
  };
  return [
    ofBudget(
      { id: 'I8', what: `${what}: memory`, unit: 'bytes a connection', counters },
      Math.round((most - before) / count),
      MOST_BYTES,
    ),
    ofBudget(
      { id: 'I8', what: `${what}: p99 of an answer`, unit: 'ms' },
      percentile(times, 0.99),
      MOST_MS,
    ),
  ];
}
