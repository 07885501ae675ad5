// The world of the tests of one file.
import { afterAll, beforeAll } from 'vitest';

/**
 * Creates a world before the tests of a file and closes it after them.
 * @returns the world, which is empty until the tests begin
 */
export function useWorld<World extends { close(): Promise<void> }>(
  create: () => Promise<World>,
): World {
  const world = {} as World;
  beforeAll(async () => {
    Object.assign(world, await create());
  });
  afterAll(() => world.close());
  return world;
}
