// A database that falls silent while a phone's records are stored: what was answered is stored, and what comes again counts
// once.
import { expect, it, onTestFinished, vi } from 'vitest';
import { lockUnit, whileLocked } from '../../test/blocked.ts';
import { openFarDatabase } from '../../test/database-link.ts';
import {
  ask,
  at,
  createOsmandWorld,
  PORTS,
  STORED,
  startTestOsmand,
  storedOf,
} from '../../test/osmand.ts';
import { useWorld } from '../../test/use-world.ts';

const WAIT = { timeout: 60_000, interval: 20 };

const world = useWorld(createOsmandWorld);

it.each(PORTS)(
  'a database that dies in the middle is answered with 503 at the port %s, and the repeat counts once',
  async (port) => {
    const bus = await world.freshBus();
    const { database } = world.server.deps;
    const { far, database: own } = await openFarDatabase(database.url);
    const osmand = await startTestOsmand({ ...world.server.deps, database: own });
    onTestFinished(() => osmand.stop());
    const fields = { id: bus.id, ...at(0), in: 2, out: 1 };
    expect(await ask(osmand[port], { id: bus.id, ...at(9) })).toEqual(STORED);
    const send = () => ask(osmand[port], fields);
    const first = await whileLocked(database.db, lockUnit(bus.unitId), [send], async () =>
      far.fallSilent(),
    );
    expect(first).toMatchObject([{ status: 503 }]);
    far.speak();
    await vi.waitFor(async () => expect(await send()).toEqual(STORED), WAIT);
    expect(await storedOf(world, bus)).toMatchObject({
      ...{ seconds: [0, 9], hours: { entered: 2, exited: 1 } },
    });
  },
);
