// A server of EGTS stores each packet that it has answered exactly once, also if it is killed, and its database with it, at any
// moment; and its figures come to the bus's day.
import { randomInt } from 'node:crypto';
import type { AdminUnit } from '@ridewatch/contract/admin-units';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import { unpackPoints } from '@ridewatch/server/src/positions/pack.ts';
import { deliver } from '@ridewatch/unit/src/egts/deliver.ts';
import { countsSubrecord, egtsData, positionSubrecord } from '@ridewatch/unit/src/egts/packet.ts';
import { type Chance, chanceOf } from '@ridewatch/unit/src/simulated/random.ts';
import { createTimers } from '@ridewatch/unit/src/uplink/timers.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainFleet } from '../harness/plain-fleet.ts';
import {
  ask,
  type Product,
  queryOf,
  setUpFleet,
  signIn,
  startProduct,
} from '../harness/product.ts';

/** A failure names its seed; KILL_SEED repeats the packets and the moments of the kills. */
const seed = Number(process.env.KILL_SEED || randomInt(2 ** 31));
const OBJECTS = [501, 502, 503];
const PACKETS = 600;
const KILLS = 4;
/** The kill that also kills the database. */
const POWER_CUT = 2;
/** Ten days ago. */
const DAY = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
const dayMs = Date.parse(`${DAY}T06:00:00Z`);

let product: Product;
let token: string;
let port: number;
const buses = new Map<number, number>();

beforeAll(async () => {
  port = await findFreePort();
  product = await startProduct({ env: { EGTS_PORT: String(port) } });
  token = await signIn(product.url, 'admin');
  const units = await setUpFleet(product.url, plainFleet({ buses: OBJECTS.length, cameras: 0 }));
  for (const [n, object] of OBJECTS.entries()) {
    const unit = units[n];
    if (unit === undefined) throw new Error('no unit');
    buses.set(object, unit.bus_id);
    const listed = `/api/admin/units?search=${encodeURIComponent(unit.device_id)}`;
    const { items } = await ask<{ items: AdminUnit[] }>(product.url, token, 'GET', listed);
    const { id } = items.find(({ device_id }) => device_id === unit.device_id) ?? { id: 0 };
    const body = { protocol: 'egts', protocol_id: String(object) };
    await ask(product.url, token, 'PUT', `/api/admin/units/${id}`, body);
  }
});
afterAll(() => product?.remove());

/** The records that were sent of an object. */
interface Sent {
  readonly seconds: Set<number>;
  entered: number;
  exited: number;
}

/** Packets of several objects each, whose people may come in any packet. */
function makePackets(chance: Chance, sent: Map<number, Sent>): Buffer[] {
  return [...Array(PACKETS).keys()].map((id) =>
    egtsData(
      id,
      OBJECTS.map((object, n) => {
        const own = sent.get(object) ?? { seconds: new Set(), entered: 0, exited: 0 };
        sent.set(object, own);
        own.seconds.add(id);
        const timeMs = dayMs + id * 1000;
        const people = [
          Math.floor(chance.between(0, 4)),
          Math.floor(chance.between(0, 4)),
        ] as const;
        own.entered += people[0];
        own.exited += people[1];
        const position = { timeMs, latitude: 55.7 + id / 1e5, longitude: 37.6 + n / 100 };
        const subrecords = [
          positionSubrecord({ ...position, speedKmh: 20 }),
          countsSubrecord({ module: 1, doors: { 1: people } }),
        ];
        return { number: (id * OBJECTS.length + n) % 0x10000, service: 2, object, subrecords };
      }),
    ),
  );
}

it('what is answered is stored once, whenever the server is killed', async () => {
  const chance = chanceOf(`${seed}`);
  const sent = new Map<number, Sent>();
  const packets = makePackets(chance, sent);
  const kills = new Set(
    [...Array(KILLS).keys()].map((n) => (n + 1) * 130 - Math.floor(chance.between(1, 100))),
  );
  let killed = 0;
  let restarting = Promise.resolve();
  await deliver(packets, {
    ...{ host: '127.0.0.1', port, timers: createTimers(0), signal: AbortSignal.any([]) },
    ...{ attempts: Number.POSITIVE_INFINITY, answerMs: 1_000, reconnectMs: 100 },
    onConfirmed: ({ packet, result, records }) => {
      expect([packet, result, ...records.values()], `KILL_SEED=${seed}`).toEqual([
        packet,
        0,
        0,
        0,
        0,
      ]);
      if (!kills.delete(packet)) return;
      killed += 1;
      const isPowerCut = killed === POWER_CUT;
      restarting = restarting
        .then(() => (isPowerCut ? product.cutPower() : product.kill()))
        .then(() => product.restart());
    },
  });
  await restarting;
  expect(killed).toBe(KILLS);
  // A device that has lost its memory sends everything again, in other packets.
  await deliver(packets.toReversed(), {
    ...{ host: '127.0.0.1', port, timers: createTimers(0), signal: AbortSignal.any([]) },
    ...{ attempts: 20, answerMs: 5_000, reconnectMs: 100, onConfirmed: () => undefined },
  });
  for (const [object, { seconds, entered, exited }] of sent) {
    const { rows } = await queryOf<{ points: Buffer }>(
      product,
      `select points from position_blocks join units on units.id = unit_id
       where protocol_id = '${object}'`,
    );
    const stored = rows.flatMap(({ points }) => unpackPoints(points));
    expect(
      stored.map(({ sentMs }) => (sentMs - dayMs) / 1000).sort((a, b) => a - b),
      `positions of ${object}, KILL_SEED=${seed}`,
    ).toEqual([...seconds]);
    const day = await ask<DayFragments>(
      ...([product.url, token, 'GET'] as const),
      `/api/segments/day-segments?workplaceId=${buses.get(object)}&date=${DAY}`,
    );
    expect([day.totalEntered, day.totalExited], `KILL_SEED=${seed}`).toEqual([entered, exited]);
  }
});
