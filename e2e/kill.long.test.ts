// An acknowledged record is stored exactly once, also if the server is killed at any moment.
import { createHash, randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dayOf } from '@ridewatch/contract/day';
import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import { makeClip } from '@ridewatch/server/src/test/clip.ts';
import { chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HastyServer, startHastyServer } from '../harness/hasty-server.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import {
  ask,
  databaseUrl,
  type Product,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { createSendingUnit, type SendingUnit, type Weakness } from '../harness/sending-unit.ts';
import { faultsOf } from '../harness/stored-records.ts';
import { ZONE } from '../harness/zone.ts';

/** A failure names its seed; KILL_SEED repeats the records, the lost answers and the times of the kills. */
const seed = Number(process.env.KILL_SEED || randomInt(2 ** 31));
const named = `with KILL_SEED=${seed}`;
const SOUND_UNITS = 3;
const KILLS = 6;
/** The kill that also kills the database. */
const POWER_CUT = 3;

let product: Product;
let hasty: HastyServer;
let folder: string;
let database: pg.Client;
let sound: SendingUnit[];
let weak: Map<Weakness, SendingUnit>;
let trusting: SendingUnit;
const busIds = new Map<string, number>();

/** Batches of the sound units since the server's last start, and the callback at the wanted number. */
const batches = { begun: 0, wanted: 0, reached: () => {} };
let serverIsUp = Promise.resolve();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-kill-'));
  product = await startProduct();
  hasty = await startHastyServer(product.url);
  await putFleetTogether();
  await runAndKill();
  database = new pg.Client({ connectionString: await databaseUrl(product) });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await product?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function putFleetTogether(): Promise<void> {
  const clip = makeClip();
  const credentials = await setUpFleet(
    product.url,
    plainFleet({ buses: SOUND_UNITS + 3, cameras: 2 }),
  );
  const units = credentials.map(({ device_id, bus_id, credential }, index) => {
    busIds.set(device_id, bus_id);
    const isSound = index < SOUND_UNITS;
    const weaknesses: (Weakness | undefined)[] = ['forgets what waits', 'numbers what waits anew'];
    const weakness = isSound ? undefined : weaknesses[index - SOUND_UNITS];
    return createSendingUnit({
      seed,
      deviceId: device_id,
      credential,
      url: index === SOUND_UNITS + 2 ? hasty.url : product.url,
      clip,
      folder,
      videos: isSound ? 1 : 0,
      ...(weakness === undefined ? {} : { weakness }),
      onBatch: () => {
        if (!isSound) return;
        batches.begun += 1;
        if (batches.begun === batches.wanted) batches.reached();
      },
      serverIsUp: () => serverIsUp,
    });
  });
  sound = units.slice(0, SOUND_UNITS);
  const [forgetful, renumbering, last] = units.slice(SOUND_UNITS);
  if (forgetful === undefined || renumbering === undefined || last === undefined) {
    throw new Error('a unit is missing');
  }
  weak = new Map([
    ['forgets what waits', forgetful],
    ['numbers what waits anew', renumbering],
  ]);
  trusting = last;
}

async function runAndKill(): Promise<void> {
  const chance = chanceOf(seed, 'kills');
  let stopped = false;
  const running = Promise.all(
    [...sound, ...weak.values(), trusting].map((unit) => unit.run(() => stopped)),
  );
  const broken = running.then(() => Promise.reject(new Error('the units stopped by themselves')));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    for (const unit of sound) unit.announceVideos();
    await Promise.race([batchesBegun(Math.floor(chance.between(3, 30))), broken]);
    // A random moment, not a wait for a condition.
    await new Promise((resolve) => setTimeout(resolve, chance.between(0, 60)));
    const { promise, resolve: isUp } = Promise.withResolvers<void>();
    serverIsUp = promise;
    hasty.kill();
    await (kill === POWER_CUT ? product.cutPower() : product.kill());
    await product.restart();
    hasty.restart();
    isUp();
  }
  stopped = true;
  await Promise.all([running, broken.catch(() => undefined)]);
  await hasty.close();
}

function batchesBegun(count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(batches, { begun: 0, wanted: count, reached: resolve });
  return promise;
}

/** The fragments of a unit that have a video, or will have one. */
async function listVideos(token: string, unit: SendingUnit): Promise<Fragment[]> {
  const days = new Set([...unit.videos.keys()].map((start) => dayOf(Date.parse(start), ZONE)));
  const answers = await Promise.all(
    [...days].map((day) =>
      ask<DayFragments>(
        product.url,
        token,
        'GET',
        `/api/segments/day-segments?workplaceId=${busIds.get(unit.deviceId)}&date=${day}`,
      ),
    ),
  );
  return answers
    .flatMap(({ segments }) => segments)
    .filter(({ start_time }) => unit.videos.has(start_time));
}

describe(`a server that is killed ${KILLS} times while units send, ${named}`, () => {
  it('has every acknowledged record exactly once, and nothing else', async () => {
    for (const unit of sound) {
      const kinds = new Set([...unit.records.values()].map(({ record }) => record.type));
      expect([...kinds].sort()).toEqual(['camera_state', 'passenger', 'position', 'segment']);
      expect(unit.refused).toEqual([]);
      expect(await faultsOf(database, unit)).toEqual([]);
    }
    const cut = sound.reduce((sum, unit) => sum + unit.cut.batches, 0);
    expect(cut).toBeGreaterThan(KILLS);
  });

  it('has every announced video, byte for byte', async () => {
    const token = await signIn(product.url, 'admin');
    for (const unit of sound) {
      let videos: Fragment[] = [];
      await waitFor(async () => {
        videos = await listVideos(token, unit);
        return videos.every(({ status }) => status === 'PROCESSED');
      }, 'the videos to be checked');
      expect(videos).toHaveLength(unit.videos.size);
      for (const { start_time, playback_uri } of videos) {
        const answer = await fetch(`${product.url}${playback_uri}`);
        const sha256 = createHash('sha256').update(Buffer.from(await answer.arrayBuffer()));
        expect(sha256.digest('hex')).toBe(unit.videos.get(start_time));
      }
    }
    const sum = (of: (unit: SendingUnit) => number): number =>
      sound.reduce((total, unit) => total + of(unit), 0);
    expect(sum(({ videos }) => videos.size)).toBeGreaterThan(KILLS);
    expect(sum(({ cut }) => cut.uploads)).toBeGreaterThan(KILLS);
  });
});

describe(`the same look, ${named}, finds out`, () => {
  const faultsLike = async (unit: SendingUnit, fault: RegExp): Promise<number> =>
    (await faultsOf(database, unit)).filter((text) => fault.test(text)).length;

  it('a server that acknowledges before it has stored', async () => {
    expect(await faultsLike(trusting, /^acknowledged and not stored/)).toBeGreaterThan(0);
  });

  it('a unit that forgets what waits when its link is cut', async () => {
    const unit = weak.get('forgets what waits');
    expect(unit && (await faultsLike(unit, /^not stored/))).toBeGreaterThan(0);
  });

  it('a unit that numbers anew what may have arrived', async () => {
    const unit = weak.get('numbers what waits anew');
    expect(unit && (await faultsLike(unit, /^stored 2 times/))).toBeGreaterThan(0);
  });
});
