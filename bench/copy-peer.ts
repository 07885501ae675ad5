// The peer P1: COPY in binary form into a keyed, partitioned table with one row a position. It is no limit: it packs
// nothing and checks nothing.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { A_FRAME, recordsOf, VARIANTS, type Work } from './egts-frames.ts';

const HEAD = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);
/** Times of the database begin in 2000, s since 1970 UTC. */
const EPOCH_S = Date.UTC(2000) / 1000;
/** unit, time, latitude, longitude, speed, course, each with its length; and the number of columns. */
const ROW_BYTES = 2 + 4 * 6 + 8 + 8 + 8 + 8 + 4 + 4;
const DAY_MS = 86_400_000;

export interface CopyPeer {
  /** Copies as many rows as a round has records. @returns rows a second */
  copy(): Promise<number>;
}

/** Makes the table, and the rows of a round. */
export async function makeCopyPeer(
  client: pg.Client,
  units: number,
  work: Work,
): Promise<CopyPeer> {
  const firstMs = Math.floor((work.startS * 1000) / DAY_MS) * DAY_MS;
  await client.query('drop table if exists peer');
  await client.query(`create table peer (unit_id bigint, time timestamptz, latitude float8,
    longitude float8, speed real, course real, primary key (unit_id, time)) partition by range (time)`);
  for (let day = -4; day <= 2; day += 1) {
    const [from, to] = [day, day + 1].map((n) => new Date(firstMs + n * DAY_MS).toISOString());
    await client.query(
      `create table "peer_${day}" partition of peer for values from ('${from}') to ('${to}')`,
    );
  }
  const chunks = byArrival(Array.from({ length: units }, (_, unit) => rowsOf(work, unit)));
  const rows = chunks.reduce((sum, { length }) => sum + length, 0) / ROW_BYTES;
  return {
    copy: async () => {
      await client.query('truncate peer');
      const fromMs = performance.now();
      const bytes = Readable.from([HEAD.subarray(0, 19), ...chunks, TRAILER]);
      await pipeline(bytes, client.query(copyFrom('copy peer from stdin with (format binary)')));
      return rows / ((performance.now() - fromMs) / 1000);
    },
  };
}

/**
 * The rows in the order in which a fleet sends them: the first packet of each unit, then the second of each. A program
 * that stores what arrives has no other order.
 */
function byArrival(units: readonly Buffer[]): readonly Buffer[] {
  const packet = A_FRAME * ROW_BYTES;
  const packets = Math.max(0, ...units.map(({ length }) => Math.ceil(length / packet)));
  return Array.from({ length: packets }, (_, n) =>
    Buffer.concat(units.map((rows) => rows.subarray(n * packet, (n + 1) * packet))),
  );
}

function rowsOf(work: Work, unit: number): Buffer {
  const records = recordsOf(work, unit % VARIANTS);
  const bytes = Buffer.alloc(records.length * ROW_BYTES);
  let at = 0;
  const column = (length: number): number => {
    bytes.writeInt32BE(length, at);
    at += 4 + length;
    return at - length;
  };
  for (const one of records) {
    bytes.writeInt16BE(6, at);
    at += 2;
    bytes.writeBigInt64BE(BigInt(unit), column(8));
    bytes.writeBigInt64BE(BigInt(one.second - EPOCH_S) * 1_000_000n, column(8));
    bytes.writeDoubleBE(one.latitude, column(8));
    bytes.writeDoubleBE(one.longitude, column(8));
    bytes.writeFloatBE(one.speedKmh, column(4));
    bytes.writeFloatBE(one.course, column(4));
  }
  return bytes;
}
