// A1, A2, A4: the bus list and a bus's day against a bare handler that sends the same bytes.
import { gunzipSync } from 'node:zlib';
import type { FleetPlan } from '@ridewatch/contract/fleet';
import pg from 'pg';
import {
  databaseUrl,
  type Product,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
} from '../e2e/product.ts';
import { bareBytes, bareNotModified, bareRow } from './limits.ts';
import { requestsPerSecond } from './load.ts';
import { interleave, type Result } from './measure.ts';

const BUSES = 1000;
const FRAGMENTS = 60;
const CONNECTIONS = 16;
const REQUESTS = 3000;

/** Measures the answers that screens ask for most. */
export async function benchLists(): Promise<Result[]> {
  const product = await startProduct();
  try {
    const units = await setUpFleet(product.url, planOf(BUSES));
    const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const [first] = units;
    if (first === undefined) throw new Error('no bus');
    await sendRecords(product.url, first.credential, fragmentsOf(date));
    const token = await signIn(product.url, 'admin');
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
    const list = `${product.url}/api/bus_list`;
    const dayAddress = `${product.url}/api/segments/day-segments?workplaceId=${first.bus_id}&date=${date}`;
    const infoAddress = `${product.url}/api/bus/info/${first.bus_id}?date=${date}`;
    return [
      await sameBytes('A1', `bus list of ${BUSES} buses`, list, headers, '≥ 0.5'),
      await notModified(list, headers),
      await ofDay(product, `a day of ${FRAGMENTS} fragments`, dayAddress, headers),
      // It asks the database for nothing, so a row that is read would be no limit.
      await sameBytes('A4', 'a bus on that day', infoAddress, headers, '≥ 0.6'),
    ];
  } finally {
    await product.remove();
  }
}

type Headers = Readonly<Record<string, string>>;

async function sameBytes(
  id: string,
  what: string,
  url: string,
  headers: Headers,
  target: string,
): Promise<Result> {
  const { body } = await fetchRaw(url, headers);
  const limit = await bareBytes(body, { 'content-type': 'application/json' });
  try {
    const load = { headers, connections: CONNECTIONS, requests: REQUESTS };
    return await interleave(
      { id, what, unit: 'req/s', target, counters: { bytes: body.length } },
      () => requestsPerSecond({ url, ...load }),
      () => requestsPerSecond({ url: limit.url, ...load }),
    );
  } finally {
    await limit.close();
  }
}

// Its limit reads the same row by the same key at each call, as the day does to learn whether what it keeps still stands.
async function ofDay(
  product: Product,
  what: string,
  url: string,
  headers: Headers,
): Promise<Result> {
  const { body } = await fetchRaw(url, headers);
  const pool = new pg.Pool({ connectionString: await databaseUrl(product), max: 10 });
  const asked = new URL(url).searchParams;
  const limit = await bareRow(
    pool,
    'select version from bus_days where workplace_id = $1 and day = $2',
    [asked.get('workplaceId'), asked.get('date')],
    body,
  );
  try {
    const load = { headers, connections: CONNECTIONS, requests: REQUESTS };
    return await interleave(
      {
        id: 'A4',
        what,
        unit: 'req/s',
        target: '≥ 0.6',
        counters: { bytes: body.length },
      },
      () => requestsPerSecond({ url, ...load }),
      () => requestsPerSecond({ url: limit.url, ...load }),
    );
  } finally {
    await limit.close();
    await pool.end();
  }
}

async function notModified(url: string, headers: Headers): Promise<Result> {
  const limit = await bareNotModified();
  try {
    // The list is built anew every few seconds while units speak; here none does, so its validator holds still.
    const { etag } = await fetchRaw(url, headers);
    const load = {
      headers: { ...headers, 'if-none-match': etag },
      connections: CONNECTIONS,
      requests: REQUESTS,
    };
    return await interleave(
      { id: 'A2', what: 'bus list, not modified', unit: 'req/s', target: '≥ 0.6' },
      () => requestsPerSecond({ url, ...load }),
      () => requestsPerSecond({ url: limit.url, ...load }),
    );
  } finally {
    await limit.close();
  }
}

async function fetchRaw(url: string, headers: Headers): Promise<{ body: Buffer; etag: string }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
        if (response.headers['content-encoding'] === 'gzip') gunzipSync(body);
        resolve({ body, etag: response.headers.etag ?? '' });
      });
    })
      .on('error', reject)
      .end();
  });
}

function planOf(count: number): FleetPlan {
  return {
    customers: [
      {
        name: 'Иван',
        surname: 'Петров',
        groups: [],
        buses: Array.from({ length: count }, (_, index) => ({
          name: `Автобус ${index + 1}`,
          type: 'VMS' as const,
          timezone: 'Europe/Moscow',
          gps_trackable: true,
          group: null,
          device_id: `bench-${index + 1}`,
          cameras: [1, 2, 3].map((door) => ({
            name: `Дверь ${door}`,
            stream_id: `door${door}`,
            live: false,
            door,
          })),
        })),
      },
    ],
  };
}

function fragmentsOf(day: string): Readonly<Record<string, unknown>>[] {
  const startMs = Date.parse(`${day}T05:00:00Z`);
  const at = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();
  return Array.from({ length: FRAGMENTS }, (_, index) => index * 240).flatMap((seconds) => [
    {
      type: 'passenger',
      time: at(seconds + 5),
      door: 1,
      direction: 'entered',
      passenger: 'adult',
    },
    {
      type: 'segment',
      time: at(seconds + 20),
      camera: 'door1',
      start_time: at(seconds),
      end_time: at(seconds + 20),
      video: 'kept',
    },
  ]);
}
