// I6: the database is away for a while, and the fleet goes on. Senders keep what is not confirmed and send it again, so
// nothing may be lost or doubled, the server's memory stays bounded, and the backlog is worked off faster than it grew.
// Ten minutes of outage would take the bench half an hour: it is scaled down to one.
import { setTimeout as pause } from 'node:timers/promises';
import { type EgtsFleet, startEgtsFleet } from './egts-fleet.ts';
import { A_FRAME, type Work } from './egts-frames.ts';
import { startIngestProcess } from './egts-process.ts';
import { expectStored } from './egts-stored.ts';
import { type Bench, ofBudget, type Result, resultOf } from './measure.ts';
import { residentBytes } from './processes.ts';

/** That the database is away is no news here. */
const QUIET = { LOG_LEVEL: 'fatal' } as const;
const UNITS = 1000;
/** Two packets a second of each unit: 20,000 positions a second of a thousand. */
const FRAMES_PER_S_OF_UNIT = 2;
const BEFORE_S = 10;
const AWAY_S = 60;
/** It sends on for so long after the outage. */
const AFTER_S = 60;
const LOOK_MS = 500;
const WINDOW = 16;
const MEBIBYTE = 2 ** 20;
const MOST_MIB = 300;
/** The backlog is worked off when less than this is waiting, s of input. */
const ALMOST_S = 1;

/** Measures an outage. */
export const egtsOutage: Bench = {
  ids: ['I6'],
  run: async (_, { units = UNITS }) => {
    const fleet = await startEgtsFleet(units, { env: QUIET });
    const ingest = await startIngestProcess(fleet.product, await fleet.freePort(), QUIET);
    try {
      return await outage(fleet, ingest);
    } finally {
      await ingest.remove();
      await fleet.close();
    }
  },
};

async function outage(
  fleet: EgtsFleet,
  ingest: Awaited<ReturnType<typeof startIngestProcess>>,
): Promise<Result[]> {
  const count = fleet.units.length;
  const framesPerS = FRAMES_PER_S_OF_UNIT * count;
  const work: Work = {
    ...{ kind: 'positions', isDisordered: false },
    startS: Math.floor(Date.now() / 1000) - 3 * 3600,
    frames: FRAMES_PER_S_OF_UNIT * (BEFORE_S + AWAY_S + AFTER_S),
  };
  const memory = { before: 0, most: 0 };
  const look = async (): Promise<number> => {
    const mib = (await residentBytes(ingest.pid())) / MEBIBYTE;
    memory.most = Math.max(memory.most, mib);
    return mib;
  };
  await fleet.open({ port: fleet.ingestPort(), work, window: WINDOW });
  memory.before = await look();
  const ended = fleet.send({ framesPerS });
  const startMs = performance.now();
  await until(BEFORE_S, look);
  await fleet.product.signalDatabase('SIGSTOP');
  await until(BEFORE_S + AWAY_S, look);
  await fleet.product.signalDatabase('SIGCONT');
  const backMs = performance.now();
  // From here on the backlog shrinks by what is confirmed and grows by what is sent.
  const first = await fleet.report();
  let last = first;
  let lastMs = backMs;
  const waiting = (frames: number, atMs: number): number =>
    Math.min(((atMs - startMs) / 1000) * framesPerS, work.frames * count) - frames;
  while (!last.isDone && waiting(last.frames, lastMs) > ALMOST_S * framesPerS) {
    await pause(LOOK_MS);
    await look();
    last = await fleet.report();
    lastMs = performance.now();
  }
  const caughtUp = ((last.frames - first.frames) * A_FRAME) / ((lastMs - backMs) / 1000);
  const { resent } = last.isDone ? last : await ended;
  // Throws if a record is missing or there twice.
  await expectStored(fleet.client, fleet.units, work);
  const counters = {
    'lost or doubled': 0,
    'worked off after, s': Math.round((lastMs - backMs) / 100) / 10,
    'packets sent again': resent,
    'RSS before, MiB': Math.round(memory.before),
  };
  const input = framesPerS * A_FRAME;
  const what = `database away for ${AWAY_S} s at ${input} positions/s, ${count} connections`;
  const rate = { id: 'I6', unit: 'positions/s', target: '≥ 5', counters };
  return [
    resultOf({ ...rate, what: `${what}: catching up, ÷ input` }, [
      { product: caughtUp, limit: input },
    ]),
    ofBudget(
      { id: 'I6', what: `${what}: peak of a process that ingests`, unit: 'MiB' },
      memory.most,
      MOST_MIB,
    ),
  ];

  async function until(second: number, work: () => Promise<unknown>): Promise<void> {
    while (performance.now() - startMs < second * 1000) {
      await pause(LOOK_MS);
      await work();
    }
  }
}
