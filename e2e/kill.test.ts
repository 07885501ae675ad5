// An acknowledged record is in the database exactly once, also when the server is killed at any moment.
import { randomUUID } from 'node:crypto';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseUrl, type Product, setUpFleet, startProduct } from './product.ts';

const UNITS = 3;
const KILLS = 4;
const BATCH = 60;
const dayMs = Date.parse('2026-11-18T06:00:00Z');

let product: Product;
let credentials: string[];

beforeAll(async () => {
  product = await startProduct();
  const units = await setUpFleet(product.url, {
    customers: [
      {
        name: 'Иван',
        groups: [],
        buses: Array.from({ length: UNITS }, (_, index) => ({
          name: `Автобус ${index}`,
          type: 'VMS' as const,
          timezone: 'Europe/Moscow',
          gps_trackable: true,
          group: null,
          device_id: `kill-${index}`,
          cameras: [{ name: 'Дверь 1', stream_id: 'door1', live: false, door: 1 }],
        })),
      },
    ],
  });
  credentials = units.map(({ credential }) => credential);
});
afterAll(() => product?.remove());

/** Two passengers and a position of every second, numbered on. */
function recordsFrom(first: number): object[] {
  return Array.from({ length: BATCH }, (_, index) => {
    const seq = first + index;
    const time = new Date(dayMs + seq * 1000).toISOString();
    return seq % 3 === 0
      ? { type: 'position', seq, time, latitude: 55.7 + seq / 1e6, longitude: 37.6 }
      : { type: 'passenger', seq, time, door: 1, direction: 'entered', passenger: 'adult' };
  });
}

async function send(
  credential: string,
  stream: string,
  records: object[],
): Promise<BatchAnswer | undefined> {
  try {
    const answer = await fetch(`${product.url}/unit/v1/batches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ stream, sent_at: new Date().toISOString(), records }),
    });
    return answer.ok ? ((await answer.json()) as BatchAnswer) : undefined;
  } catch {
    // The server was killed; whether it stored the batch is what this story is about.
    return undefined;
  }
}

/** What is wrong with what the database holds of an acknowledged stream; empty when nothing is. */
async function faultsOf(stream: string, acknowledged: ReadonlySet<number>): Promise<string[]> {
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    const { rows } = await client.query<{ seq: string; times: string }>(
      `select seq, count(*) as times from passenger_events
       join unit_streams on unit_streams.id = stream_id where stream = $1 group by seq`,
      [stream],
    );
    const times = new Map(rows.map((row) => [Number(row.seq), Number(row.times)]));
    const faults = [...acknowledged]
      .filter((seq) => seq % 3 !== 0 && times.get(seq) !== 1)
      .map((seq) => `${seq} is stored ${times.get(seq) ?? 0} times`);
    const sums = await client.query<{ events: string; hours: string }>(
      `select (select coalesce(sum(count), 0) from passenger_events) as events,
         (select coalesce(sum(entered_adults), 0) from hourly_traffic) as hours`,
    );
    const { events, hours } = sums.rows[0] ?? { events: '', hours: '' };
    if (events !== hours) faults.push(`${events} events, but ${hours} in the hours`);
    return faults;
  } finally {
    await client.end();
  }
}

describe('a server that is killed while units send', () => {
  it('has every acknowledged record exactly once', async () => {
    const streams = credentials.map(() => randomUUID());
    const acknowledged = credentials.map(() => new Set<number>());
    const next = credentials.map(() => 0);
    let running = true;
    const drive = async (unit: number): Promise<void> => {
      const credential = credentials[unit] ?? '';
      while (running || (next[unit] ?? 0) < BATCH * 4) {
        const first = next[unit] ?? 0;
        const answer = await send(credential, streams[unit] ?? '', recordsFrom(first));
        if (answer === undefined) {
          // The same batch again with the same numbers, once the server is back.
          await new Promise((resolve) => setImmediate(resolve));
          continue;
        }
        for (const [from, to] of answer.acknowledged) {
          for (let seq = from; seq <= to; seq += 1) acknowledged[unit]?.add(seq);
        }
        // Half of it is sent a second time with what follows.
        next[unit] = first + BATCH / 2;
      }
    };
    const driving = credentials.map((_, unit) => drive(unit));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const target = (next[0] ?? 0) + BATCH * (1 + kill);
      while ((next[0] ?? 0) < target) await new Promise((resolve) => setImmediate(resolve));
      await product.kill();
      await product.restart();
    }
    running = false;
    await Promise.all(driving);
    for (const [unit, stream] of streams.entries()) {
      const mine = acknowledged[unit] ?? new Set();
      expect(mine.size).toBeGreaterThan(BATCH);
      expect(await faultsOf(stream, mine)).toEqual([]);
    }
  });

  it('would be caught if it acknowledged what it has not stored', async () => {
    const stream = randomUUID();
    await send(credentials[0] ?? '', stream, recordsFrom(0).slice(0, 10));
    const claimed = new Set(Array.from({ length: 12 }, (_, seq) => seq));
    expect(await faultsOf(stream, claimed)).toEqual([
      '10 is stored 0 times',
      '11 is stored 0 times',
    ]);
  });
});
