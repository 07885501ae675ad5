// Every record for an upstream reaches it, also when the server is killed at any moment: a record waits in the database from the
// transaction that stores it until it is confirmed.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeUpstream, openFakeUpstream } from '@ridewatch/server/src/test/egts-upstream.ts';
import { type Chance, chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainFleet } from '../harness/plain-fleet.ts';
import {
  ask,
  type Product,
  queryOf,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';

/** A failure names its seed; KILL_SEED repeats the moments of the kills. */
const seed = Number(process.env.KILL_SEED || randomInt(2 ** 31));
const BUSES = 3;
/** Positions of a batch, one a second; the first second has a passenger, too. */
const SECONDS = 3;
/** Killed while packets are unanswered, at some moment, with the database, and while packets are unanswered. */
const KILLS = ['unanswered', 'any', 'power', 'unanswered'] as const;
const DAY_MS = 86_400_000;
/** A new process waits for the lease of the killed one, half a minute. */
const LIMIT_MS = 120_000;

let product: Product;
let far: FakeUpstream;
/** Records that were acknowledged to units, as `object second` and `object second people`. */
const acknowledged = new Set<string>();
/** Rows that waited at the moments of the kills. */
let waitedAtKills = 0;
let isStopped = false;

beforeAll(async () => {
  far = await openFakeUpstream();
  product = await startProduct({ env: { LOG_LEVEL: 'fatal' } });
  const units = await setUpFleet(product.url, plainFleet({ buses: BUSES, cameras: 0 }));
  const token = await signIn(product.url, 'admin');
  const { id } = await ask<{ id: number }>(product.url, token, 'POST', '/api/admin/upstreams', {
    ...{ name: 'Регион', host: '127.0.0.1', port: far.port, all_clients: true },
  });
  const buses = units.map(({ bus_id }, n) => ({ id: bus_id, object_id: n + 1 }));
  await ask(product.url, token, 'PUT', `/api/admin/upstreams/${id}/buses`, { buses });
  // Room for many seconds.
  await queryOf(product, `update upstreams set created_at = created_at - interval '1 day'`);
  const startMs = Math.ceil((Date.now() - DAY_MS) / 1000) * 1000 + 60_000;
  await waitUntilKnown(units, startMs - 30_000);
  const sending = Promise.all(
    units.map(({ credential }, n) => runUnit(credential, n + 1, startMs)),
  );
  const broken = sending.then(() => Promise.reject(new Error('the units stopped by themselves')));
  for (const [n, kill] of KILLS.entries()) {
    await Promise.race([killInTheMiddle(kill, chanceOf(seed, 'kills', n)), broken]);
  }
  await Promise.race([untilMore(20), broken]);
  isStopped = true;
  await Promise.all([sending, broken.catch(() => undefined)]);
  await waitFor(async () => (await countWaiting()) === 0, 'an empty queue', LIMIT_MS);
});
afterAll(async () => {
  isStopped = true;
  await product?.remove();
  await far?.close();
});

type Records = Parameters<typeof sendRecords>[2];
type Stream = Parameters<typeof sendRecords>[3];

const positionAt = (seq: number, ms: number) => ({
  ...{ type: 'position', seq, time: new Date(ms).toISOString() },
  ...{ latitude: 55.7, longitude: 37.6, speed_kmh: 30 },
});
const passengerAt = (seq: number, ms: number) => ({
  ...{ type: 'passenger', seq, time: new Date(ms).toISOString(), door: 1 },
  ...{ direction: 'entered', passenger: 'adult', count: 1 },
});

// A process knows of an upstream some seconds later: until then nothing waits for it.
async function waitUntilKnown(
  units: readonly { readonly credential: string }[],
  beforeMs: number,
): Promise<void> {
  let seconds = 0;
  await waitFor(async () => {
    for (const { credential } of units) {
      await sendRecords(product.url, credential, [positionAt(0, beforeMs + seconds * 1000)]);
    }
    seconds += 1;
    await sleep(500);
    return new Set(far.confirmed.map(({ object }) => object)).size === BUSES;
  }, 'the first records');
  await waitFor(async () => (await countWaiting()) === 0, 'an empty queue');
  far.confirmed.length = 0;
  far.arrived.length = 0;
}

/** Sends one batch after the other, each until it is acknowledged. */
async function runUnit(credential: string, object: number, startMs: number): Promise<void> {
  const stream = randomUUID();
  for (let batch = 0; !isStopped; batch += 1) {
    const ms = startMs + batch * SECONDS * 1000;
    const seq = batch * (SECONDS + 1);
    const positions = Array.from({ length: SECONDS }, (_, n) => positionAt(seq + n, ms + n * 1000));
    const records = [...positions, passengerAt(seq + SECONDS, ms)];
    while (!(await isAcknowledged(credential, records, stream))) await sleep(100);
    for (const { time } of positions) acknowledged.add(`${object} ${Date.parse(time)}`);
    acknowledged.add(`${object} ${ms} people`);
    await sleep(100);
  }
}

const isAcknowledged = (credential: string, ...batch: [Records, Stream]): Promise<boolean> =>
  sendRecords(product.url, credential, ...batch).then(
    () => true,
    () => false,
  );

async function killInTheMiddle(kill: (typeof KILLS)[number], chance: Chance): Promise<void> {
  await untilMore(Math.floor(chance.between(5, 40)));
  if (kill === 'unanswered') {
    far.reply = () => 'nothing';
    await untilMore(1);
  }
  await sleep(chance.between(0, 60));
  if (kill === 'power') await product.cutPower();
  else {
    await product.kill();
    waitedAtKills += await countWaiting();
  }
  far.reply = () => ({});
  await product.restart();
}

async function untilMore(packets: number): Promise<void> {
  const wanted = far.packets.length + packets;
  await waitFor(async () => far.packets.length >= wanted, 'packets at the upstream', LIMIT_MS);
}

async function countWaiting(): Promise<number> {
  const { rows } = await queryOf<{ count: number }>(
    product,
    'select count(*)::int as count from upstream_queue',
  );
  return rows[0]?.count ?? 0;
}

describe(`an upstream whose server is killed while it receives, with KILL_SEED=${seed}`, () => {
  const confirmedKeys = (): Set<string> =>
    new Set(
      far.confirmed.flatMap(({ object, timeMs, place, people }) => [
        ...(place === null ? [] : [`${object} ${timeMs}`]),
        ...(people.length === 0 ? [] : [`${object} ${timeMs} people`]),
      ]),
    );

  it('has confirmed each record that was acknowledged to a unit, and none that no unit sent', () => {
    const confirmed = confirmedKeys();
    expect([...acknowledged].filter((key) => !confirmed.has(key))).toEqual([]);
    expect([...confirmed].filter((key) => !acknowledged.has(key))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(BUSES * SECONDS * KILLS.length);
  });

  it('counts people who come again as the same ones', () => {
    const counts = new Map<string, Set<string>>();
    for (const { object, timeMs, people } of far.confirmed) {
      const key = `${object} ${timeMs}`;
      const seen = counts.get(key) ?? new Set();
      for (const one of people) seen.add(one.join(' '));
      if (people.length > 0) counts.set(key, seen);
    }
    const odd = [...counts].filter(([, seen]) => seen.size !== 1);
    expect(odd).toEqual([]);
  });

  it('was met by kills while records waited, and got some of them twice', () => {
    expect(waitedAtKills).toBeGreaterThan(0);
    expect(far.arrived.length).toBeGreaterThan(far.confirmed.length);
  });
});
