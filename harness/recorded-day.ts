import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import { plainFleet } from './plain-fleet.ts';
import { type Product, setUpFleet, startProduct } from './product.ts';
import { type RecordedFragment, sendRecorded, waitForDay } from './recorded-fragments.ts';
import { ZONE } from './zone.ts';

/** A product whose first bus has fragments of yesterday. */
export interface RecordedDay {
  readonly product: Product;
  readonly units: Awaited<ReturnType<typeof setUpFleet>>;
  /** The first bus. */
  readonly busId: number;
  readonly today: string;
  /** The day before. */
  readonly date: string;
  /** The first bus's fragments of that day. */
  readonly segments: readonly Fragment[];
}

/**
 * Starts a product with a fleet whose units announce fragments and upload their videos.
 * @param recorded the fragments, by eight o'clock of yesterday and midnight of today, ms since 1970 UTC
 * @param counted how many of the first bus are counted before the stories begin
 */
export async function startRecordedDay(
  fleet: { readonly buses: number; readonly cameras: number },
  recorded: (morningMs: number, todayMs: number) => readonly RecordedFragment[],
  counted: number,
): Promise<RecordedDay> {
  const today = dayOf(Date.now(), ZONE);
  const date = addDays(today, -1);
  const morningMs = dayRange(date, ZONE).startMs + 8 * 3_600_000;
  const product = await startProduct();
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-clips-'));
  try {
    const units = await setUpFleet(product.url, plainFleet(fleet));
    const busId = units[0]?.bus_id ?? 0;
    const fragments = recorded(morningMs, dayRange(today, ZONE).startMs);
    await sendRecorded(product, units, fragments, folder);
    const segments = await waitForDay(product, { id: busId, date }, counted);
    return { product, units, busId, today, date, segments };
  } catch (error) {
    await product.remove();
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
