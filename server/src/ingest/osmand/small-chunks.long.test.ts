// A body in chunks of single bytes takes no more memory than one that comes at once.
import { expect, it } from 'vitest';
import { MOST_DRIPPED_BYTES, sendDripped } from '../../test/dripped-bodies.ts';
import { createOsmandWorld, PORTS } from '../../test/osmand.ts';
import { useWorld } from '../../test/use-world.ts';

const world = useWorld(createOsmandWorld);

it.each(PORTS)('of many senders at the port %s', async (port) => {
  const { answers, mostBytes } = await sendDripped(new URL(world[port]), 'a');
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(mostBytes).toBeLessThan(MOST_DRIPPED_BYTES);
});
