// I0: batches over HTTP, acknowledged and stored once, against COPY into a keyed, partitioned table of one row a position.

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { databaseUrl, sendRecords, setUpFleet, startProduct } from '../e2e/product.ts';
import { interleave, type Result } from './measure.ts';

const UNITS = 50;
const BATCH = 1000;

/** Measures how many records a second the server takes. */
export async function benchIngest(): Promise<Result[]> {
  const product = await startProduct();
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    const units = await setUpFleet(product.url, {
      customers: [
        {
          name: 'Иван',
          groups: [],
          buses: Array.from({ length: UNITS }, (_, index) => ({
            name: `Автобус ${index + 1}`,
            type: 'VMS' as const,
            timezone: 'Europe/Moscow',
            gps_trackable: true,
            group: null,
            device_id: `bench-${index + 1}`,
            cameras: [],
          })),
        },
      ],
    });
    const streams = units.map(() => randomUUID());
    await client.query(`create table peer (unit_id bigint, time timestamptz, latitude float8, longitude float8,
      speed real, course real, primary key (unit_id, time)) partition by range (time)`);
    await client.query(
      `create table peer_1 partition of peer for values from ('2026-01-01') to ('2027-01-01')`,
    );
    let round = 0;
    const sendAll = async (): Promise<number> => {
      const first = round * BATCH;
      round += 1;
      const startMs = performance.now();
      await Promise.all(
        units.map(({ credential }, unit) =>
          sendRecords(product.url, credential, positions(first), streams[unit]),
        ),
      );
      return (UNITS * BATCH) / ((performance.now() - startMs) / 1000);
    };
    const copyAll = async (): Promise<number> => {
      await client.query('truncate peer');
      const lines = units.flatMap((_, unit) => positions(0).map((one) => lineOf(unit, one)));
      const startMs = performance.now();
      const stream = client.query(copyFrom('copy peer from stdin'));
      await pipeline(Readable.from(lines), stream);
      return (UNITS * BATCH) / ((performance.now() - startMs) / 1000);
    };
    const what = `batches of ${BATCH} positions, ${UNITS} units`;
    return [
      await interleave({ id: 'I0', what, unit: 'records/s', target: '≥ 0.25' }, sendAll, copyAll),
    ];
  } finally {
    await client.end();
    await product.remove();
  }
}

interface PositionLine {
  readonly seq: number;
  readonly type: 'position';
  readonly time: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed_kmh: number;
  readonly course: number;
}

function positions(first: number): (PositionLine & Record<string, unknown>)[] {
  const startMs = Date.parse('2026-11-18T05:00:00Z');
  return Array.from({ length: BATCH }, (_, index) => ({
    seq: first + index,
    type: 'position',
    time: new Date(startMs + (first + index) * 1000).toISOString(),
    latitude: 55.7 + index / 1e5,
    longitude: 37.6 + index / 1e5,
    speed_kmh: 31.4,
    course: 57,
  }));
}

function lineOf(unit: number, one: PositionLine): string {
  return `${[unit, one.time, one.latitude, one.longitude, one.speed_kmh, one.course].join('\t')}\n`;
}
