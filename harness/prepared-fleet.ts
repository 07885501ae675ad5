import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type { listDayLaps } from '@ridewatch/contract/laps';
import { startFleet } from './fleet.ts';
import { ask, type Product, signIn, startProduct, waitFor } from './product.ts';
import { ZONE } from './zone.ts';

/** For a machine on which it hangs; at rest it takes half a minute. */
const LIMIT_MS = 300_000;

/**
 * Starts a product with a simulated fleet of five buses, their day of history and its laps; `startFleet` goes on with it.
 * The first story of a run that asks prepares the data, the others copy them. Without prepared data (prepared-data.ts)
 * the product is empty, and `startFleet` sends the history.
 */
export async function startProductOfFleet(): Promise<Product> {
  const { FLEET_START: folder } = process.env;
  if (!folder) return startProduct();
  const begun = path.join(folder, 'data');
  const done = path.join(folder, 'done');
  const isFirst = await mkdir(begun).then(
    () => true,
    () => false,
  );
  // Its text is why there are no data.
  if (isFirst) {
    await writeFile(`${done}.new`, await prepareFleet(begun).then(() => '', String));
    await rename(`${done}.new`, done);
  }
  await waitFor(async () => existsSync(done), 'the first story of a fleet to prepare it', LIMIT_MS);
  const failure = await readFile(done, 'utf8');
  if (failure !== '') throw new Error(`no fleet was prepared: ${failure}`);
  return startProduct({ begun });
}

async function prepareFleet(dataDir: string): Promise<void> {
  const product = await startProduct({ dataDir, begun: process.env.FIRST_START ?? '' });
  try {
    const fleet = await startFleet(product);
    try {
      await waitForLaps(product, fleet.busIds.values());
    } finally {
      await fleet.stop();
    }
  } finally {
    await product.stop();
  }
}

/** Waits until the laps of buses are worked out. @param days by default yesterday and today */
export async function waitForLaps(
  product: Product,
  buses: Iterable<number>,
  days?: readonly string[],
): Promise<void> {
  const token = await signIn(product.url, 'admin');
  const today = dayOf(Date.now(), ZONE);
  for (const bus of buses) {
    for (const date of days ?? [addDays(today, -1), today]) {
      const address = `/api/bus-stop/day-laps?workplaceId=${bus}&date=${date}`;
      const areThere = async () => {
        const day = await ask<ResponseOf<typeof listDayLaps>>(product.url, token, 'GET', address);
        return day.items.length > 0 && !day.pending;
      };
      await waitFor(areThere, `the laps of bus ${bus} on ${date}`, LIMIT_MS);
    }
  }
}
