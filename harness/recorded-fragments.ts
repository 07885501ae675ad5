// Sends fragments with counts and videos as units do.
import { readFile } from 'node:fs/promises';
import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import { makeOddVideo, type OddVideo } from '@ridewatch/server/src/test/odd-video.ts';
import pg from 'pg';
import { ask, databaseUrl, type Product, sendRecords, signIn, waitFor } from './product.ts';
import { uploadVideo } from './upload-video.ts';

export interface RecordedFragment {
  /** Index of the bus in the fleet, from 0. */
  readonly bus: number;
  readonly startMs: number;
  readonly lengthMs: number;
  /** Undefined for a fragment that stays on the registrar. */
  readonly clip?: OddVideo;
  /** Most people in view. */
  readonly people?: number;
  /** Times of boarding passengers, ms from the start. */
  readonly entered?: readonly number[];
}

/** Lets units announce fragments and upload their videos. */
export async function sendRecorded(
  product: Product,
  units: readonly { readonly credential: string }[],
  recorded: readonly RecordedFragment[],
  folder: string,
): Promise<void> {
  const iso = (ms: number): string => new Date(ms).toISOString();
  for (const [bus, { credential }] of units.entries()) {
    const ofBus = recorded.filter((one) => one.bus === bus);
    const announced = ofBus.map(({ startMs, lengthMs, clip, people }) => ({
      type: 'segment',
      time: iso(startMs + lengthMs),
      camera: 'door1',
      start_time: iso(startMs),
      end_time: iso(startMs + lengthMs),
      video: clip ? 'queued' : 'kept',
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
    for (const [seq, { clip }] of ofBus.entries()) {
      if (!clip) continue;
      const bytes = await readFile(makeOddVideo(folder, clip));
      await uploadVideo(product.url, credential, { stream, seq }, bytes);
    }
  }
}

/**
 * Waits until a number of a bus's fragments on a day are counted. @returns the fragments, as an administrator sees them
 */
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

/** Sets a counted fragment back to an intermediate state, which passes too fast for a test. */
export async function holdState(
  product: Product,
  id: number,
  status: 'LOADED' | 'PROCESSING' | 'DOWNLOAD_FAIL',
) {
  const client = new pg.Client({ connectionString: await databaseUrl(product) });
  await client.connect();
  try {
    await client.query('update segments set status = $2 where id = $1', [id, status]);
    await client.query('update bus_days set version = version + 1');
  } finally {
    await client.end();
  }
}
