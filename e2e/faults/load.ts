// Units that send while faults come, each with a ledger of what was acknowledged, and one behind a server with a fault.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeClip } from '@ridewatch/server/src/test/clip.ts';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import pg from 'pg';
import { type HastyServer, startHastyServer } from '../../harness/hasty-server.ts';
import { plainFleet } from '../../harness/plain-fleet.ts';
import { databaseUrl, type Product, setUpFleet } from '../../harness/product.ts';
import { createSendingUnit, LOST, type SendingUnit } from '../../harness/sending-unit.ts';
import { faultsOf, videoFaultsOf } from '../../harness/stored-records.ts';
import type { Probe } from './probe.ts';

const SOUND_UNITS = 3;
/** Pause of a unit before it tries again, ms, and between two batches: all of them send some 30 batches a second. */
const TRY_AGAIN_MS = 150;
const BETWEEN_MS = 60;
/** A full run makes records of some days, one a second: they begin so long ago. */
const DAYS_BACK = 30;
/** Sentences that are told of a ledger. */
const MOST_FAULTS = 5;

/** One piece of an upload: many are begun, so few bytes have to do. */
const VIDEO_BYTES = 2_000_000;

/** The ledgers compared with the database. */
export interface Ledger {
  readonly records: number;
  readonly videos: number;
  /** Records, videos whose file is not there byte for byte, and bytes of uploads. */
  readonly lost: number;
  readonly doubled: number;
  /** The faults as sentences, the first few. */
  readonly sentences: readonly string[];
  /** Records of the unit behind the server that acknowledges too early: acknowledged, and not there. */
  readonly controlLost: number;
}

export interface Load {
  readonly hasty: HastyServer;
  /** Lets the units send until `work` is done, and then until everything is acknowledged. */
  during(work: () => Promise<void>): Promise<void>;
  /** Waits for a moment in the middle of the sending. */
  untilBusy(chance: Chance): Promise<void>;
  /** Compares what is stored with what was made and acknowledged. */
  compare(): Promise<Ledger>;
  close(): Promise<void>;
}

export interface LoadOptions {
  readonly seed: number;
  /** Whether each unit uploads a video at each busy moment. */
  readonly withVideos: boolean;
}

/** Sets up buses whose units send to the product; silent until `during`. */
export async function createLoad(
  product: Product,
  probe: Probe,
  { seed, withVideos }: LoadOptions,
): Promise<Load> {
  const clip = makeClip();
  const hasty = await startHastyServer(product.url);
  const fleet = plainFleet({ buses: SOUND_UNITS + 1, cameras: 2 });
  let stopped = true;
  let begun = 0;
  const units = (await setUpFleet(product.url, fleet)).map(({ device_id, credential }, index) =>
    createSendingUnit({
      seed,
      deviceId: device_id,
      credential,
      url: index === SOUND_UNITS ? hasty.url : product.url,
      clip,
      folder: tmpdir(),
      videos: withVideos && index < SOUND_UNITS ? 1 : 0,
      videoBytes: VIDEO_BYTES,
      daysBack: DAYS_BACK,
      onBatch: () => {
        begun += 1;
      },
      onAnswer: (status, code, sinceMs) => {
        if (index < SOUND_UNITS && code !== LOST) probe.note('a batch', status, code, sinceMs);
      },
      onPiece: (status, code, sinceMs) => {
        // A lost answer is no failure of the server: the next one tells how far the upload is.
        const isTold = status === 404 || status === 409;
        // The answer to HEAD has no body that could name the error.
        const named = code === '' && status === 503 ? 'unavailable' : code;
        if (code !== LOST) probe.note('an upload', isTold ? 200 : status, named, sinceMs);
      },
      serverIsUp: async () => {
        await sleep(TRY_AGAIN_MS);
      },
    }),
  );
  const sound = units.slice(0, SOUND_UNITS);
  const [trusting] = units.slice(SOUND_UNITS);
  if (trusting === undefined) throw new Error('a unit is missing');

  const announceVideos = (): void => {
    for (const unit of sound) unit.announceVideos();
  };
  const send = async (unit: SendingUnit): Promise<void> => {
    while (!stopped) {
      let isSent = false;
      await unit.run(() => {
        const before = isSent;
        isSent = true;
        return before;
      });
      await sleep(BETWEEN_MS);
    }
  };
  return {
    hasty,
    during: async (work) => {
      stopped = false;
      const sending = Promise.all(units.map(send));
      // Should the units fail, there is nothing to work on.
      const broken = sending.then(() => undefined);
      try {
        await Promise.race([work(), broken]);
      } finally {
        stopped = true;
      }
      await sending;
      await hasty.settle();
    },
    untilBusy: async (chance) => {
      announceVideos();
      const wanted = begun + Math.floor(chance.between(3, 30));
      while (begun < wanted && !stopped) await sleep(5);
      await sleep(chance.between(0, 60));
      // Uploads leave more of the sending to the control, whose batches must not decide what it loses.
      while (!hasty.holds() && !stopped) await sleep(1);
      // Some more begin with the fault: after it they say whether uploads are well.
      announceVideos();
    },
    compare: async () => {
      const client = new pg.Client(await databaseUrl(product));
      await client.connect();
      try {
        const faults: string[] = [];
        for (const unit of sound) {
          faults.push(...(await faultsOf(client, unit)));
          faults.push(...(await videoFaultsOf(client, unit, path.join(product.dataDir, 'media'))));
        }
        const isLost = (text: string): boolean => /^(acknowledged and )?not stored/.test(text);
        const isDouble = (text: string): boolean => /^stored \d+ times/.test(text);
        const control = await faultsOf(client, trusting);
        return {
          records: sound.reduce((sum, { records }) => sum + records.size, 0),
          videos: sound.reduce((sum, { videos }) => sum + videos.size, 0),
          lost: faults.filter(isLost).length,
          doubled: faults.filter(isDouble).length,
          sentences: faults.slice(0, MOST_FAULTS),
          controlLost: control.filter((text) => text.startsWith('acknowledged and not')).length,
        };
      } finally {
        await client.end();
      }
    },
    close: () => hasty.close(),
  };
}
