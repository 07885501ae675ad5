// Data that stories begin with, made once a run and copied for each product: to initialise and migrate a database takes
// longer than many stories, and a fleet with a day of history longer still (prepared-fleet.ts). At other clocks each
// product starts from nothing.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startProduct } from './product.ts';

/** Prepares the data of a first start, and a folder for a fleet's. Vitest calls it before the first story. */
export async function setup(project: TestProject): Promise<void> {
  if (process.env.TEST_CLOCK) return;
  // Vitest sets the variables of a project for its stories alone.
  const data = project.config.env.TEST_DATA ?? tmpdir();
  process.env.TEST_DATA = data;
  const { dataDir, stop } = await startProduct();
  await stop();
  process.env.FIRST_START = dataDir;
  const folder = await mkdtemp(path.join(data, 'ridewatch-fleet-'));
  // As root, the embedded database runs as another user, which must be able to enter the folder.
  await chmod(folder, 0o755);
  process.env.FLEET_START = folder;
}

/** Removes them. Vitest calls it after the last story. */
export async function teardown(): Promise<void> {
  for (const folder of [process.env.FIRST_START, process.env.FLEET_START]) {
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}
