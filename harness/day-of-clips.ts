// A bus with a day of counted recordings, for stories about a page that loses its link, or about two who count.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import { plainFleet } from './plain-fleet.ts';
import { type Product, setUpFleet, startProduct } from './product.ts';
import { sendRecorded, waitForDay } from './recorded-fragments.ts';
import { ZONE } from './zone.ts';

export interface DayOfClips {
  readonly product: Product;
  readonly busId: number;
  readonly today: string;
  /** The day before, which has the clips. */
  readonly date: string;
  readonly segments: readonly Fragment[];
}

/** Starts a product with three clips of yesterday, and a recording of today that is still on the registrar. */
export async function startDayOfClips(): Promise<DayOfClips> {
  const today = dayOf(Date.now(), ZONE);
  const date = addDays(today, -1);
  const morningMs = dayRange(date, ZONE).startMs + 8 * 3_600_000;
  const clips = [0, 10, 20].map((minute) => ({
    bus: 0,
    startMs: morningMs + minute * 60_000,
    lengthMs: 6_000,
    clip: 'plain.mp4' as const,
  }));
  const kept = { bus: 0, startMs: dayRange(today, ZONE).startMs + 1_000, lengthMs: 6_000 };
  const product = await startProduct();
  const folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-clips-'));
  try {
    const units = await setUpFleet(product.url, plainFleet({ buses: 1, cameras: 1 }));
    const busId = units[0]?.bus_id ?? 0;
    await sendRecorded(product, units, [...clips, kept], folder);
    const segments = await waitForDay(product, { id: busId, date }, clips.length);
    return { product, busId, today, date, segments };
  } catch (error) {
    await product.remove();
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
