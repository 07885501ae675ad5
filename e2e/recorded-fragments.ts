// Buses whose doors were filmed: fragments with their counts and videos, as units send them.
import { readFile } from 'node:fs/promises';
import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import { makeOddVideo, type OddVideo } from '@ridewatch/server/src/test/odd-video.ts';
import pg from 'pg';
import {
  ask,
  databaseUrl,
  type Product,
  sendRecords,
  signIn,
  uploadVideo,
  waitFor,
} from './product.ts';

export interface Filmed {
  /** Of the fleet, from 0. */
  readonly bus: number;
  readonly startMs: number;
  readonly lengthMs: number;
  /** None: it stays on the registrar. */
  readonly film?: OddVideo;
  /** Most people in view. */
  readonly people?: number;
  /** When somebody got on, ms from the start. */
  readonly entered?: readonly number[];
}

/** Has the units announce fragments and send their videos, and waits until all that came are counted. */
export async function sendFilmed(
  product: Product,
  units: readonly { readonly credential: string }[],
  filmed: readonly Filmed[],
  folder: string,
): Promise<void> {
  const iso = (ms: number): string => new Date(ms).toISOString();
  for (const [bus, { credential }] of units.entries()) {
    const ofBus = filmed.filter((one) => one.bus === bus);
    const announced = ofBus.map(({ startMs, lengthMs, film, people }) => ({
      type: 'segment',
      time: iso(startMs + lengthMs),
      camera: 'door1',
      start_time: iso(startMs),
      end_time: iso(startMs + lengthMs),
      video: film ? 'queued' : 'kept',
      max_objects_count: people ?? 0,
    }));
    const passengers = ofBus.flatMap(({ startMs, entered = [] }) =>
      entered.map((offsetMs) => ({
        type: 'passenger',
        time: iso(startMs + offsetMs),
        door: 1,
        direction: 'entered',
        passenger: 'adult',
        count: 1,
      })),
    );
    const { stream } = await sendRecords(product.url, credential, [...announced, ...passengers]);
    for (const [seq, { film }] of ofBus.entries()) {
      if (!film) continue;
      const bytes = await readFile(makeOddVideo(folder, film));
      await uploadVideo(product.url, credential, { stream, seq }, bytes);
    }
  }
}

/** The fragments of a bus's day, asked for as an administrator, once so many are counted. */
export async function waitForDay(
  product: Product,
  bus: { id: number; date: string },
  counted: number,
): Promise<Fragment[]> {
  const token = await signIn(product.url, 'admin');
  const path = `/api/segments/day-segments?workplaceId=${bus.id}&date=${bus.date}`;
  let segments: Fragment[] = [];
  await waitFor(
    async () => {
      ({ segments } = await ask<DayFragments>(product.url, token, 'GET', path));
      return segments.filter(({ status }) => status === 'PROCESSED').length >= counted;
    },
    `${counted} fragments to be counted`,
    120_000,
  );
  return segments;
}

/** Puts a counted fragment back into a state on its way, which passes too fast to be looked at. */
export async function holdState(product: Product, id: number, status: 'LOADED' | 'PROCESSING') {
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    await client.query('update segments set status = $2 where id = $1', [id, status]);
    await client.query('update bus_days set version = version + 1');
  } finally {
    await client.end();
  }
}
