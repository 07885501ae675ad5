// Products of the stories begin with a copy of the data of a first start: to initialise a database and to migrate it
// takes longer than many stories. At other clocks each product starts from nothing.
import { rm } from 'node:fs/promises';
import { startProduct } from './product.ts';

/** Starts a product once, and stops it. Vitest calls it before the first story. */
export async function setup(): Promise<void> {
  if (process.env.TEST_CLOCK) return;
  const { dataDir, stop } = await startProduct();
  await stop();
  process.env.FIRST_START = dataDir;
}

/** Removes its data. Vitest calls it after the last story. */
export async function teardown(): Promise<void> {
  const { FIRST_START: dataDir } = process.env;
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
}
