// The states of a terminal's cameras: online while it is signed in, but for those without a signal.
import { JT808, locationBody } from '@ridewatch/unit/src/jt808/bodies.ts';
import type { Jt808Terminal } from '@ridewatch/unit/src/jt808/terminal.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { insertCommand } from '../../fetching/commands.ts';
import { WAIT } from '../../test/fake-registrar.ts';
import { createRegistrarWorld, type RegistrarBus } from '../../test/registrar.ts';
import { useWorld } from '../../test/use-world.ts';
import { type CameraStates, createCameraStates } from './camera-states.ts';
import type { StoreTerminalRecords } from './terminal-records.ts';

const world = useWorld(createRegistrarWorld);
let bus: RegistrarBus;
let terminal: Jt808Terminal;
beforeAll(async () => {
  bus = await world.freshBus();
  const { db } = world.server.deps.database;
  await db
    .updateTable('cameras')
    .set({ status: null })
    .where('workplace_id', '=', bus.busId)
    .execute();
  ({ terminal } = await world.registrar(bus));
});

const states = async () => {
  const rows = await world.server.deps.database.db
    .selectFrom('cameras')
    .select(['status', 'status_at'])
    .where('workplace_id', '=', bus.busId)
    .orderBy('id')
    .execute();
  return rows.map(({ status, status_at }) => ({ status, atMs: status_at?.getTime() }));
};
const become = (...wanted: readonly (string | null)[]) =>
  vi.waitFor(async () => {
    expect((await states()).map(({ status }) => status)).toEqual(wanted);
  }, WAIT);
/** A location. @param lost channels without a signal, from the lowest bit on @param agoMs how old it is */
const bodyOf = (lostChannels?: number, agoMs = 0): Buffer =>
  locationBody({
    ...{ timeMs: world.server.clock.nowMs() - agoMs, latitude: 55.7, longitude: 37.6 },
    ...(lostChannels !== undefined && { lostChannels }),
  });
/** Sends a location; a second has passed. */
const locate = (lost?: number): void => {
  world.server.clock.advance(1000);
  void terminal.send(JT808.location, bodyOf(lost));
};

const locateIn = (own: CameraStates): void =>
  own.located(bus.unitId, bodyOf(0b100), world.server.clock.nowMs());

/** States of another process. @returns waits until nothing is on its way */
function ownStates(store: StoreTerminalRecords) {
  const works: Promise<void>[] = [];
  const own = createCameraStates(world.server.deps, store, (work) => void works.push(work));
  const settled = async (): Promise<void> => void (await Promise.all(works.splice(0)));
  return { own, settled };
}

describe('the cameras of a terminal', () => {
  it('are online once it has signed in', () => become('online', 'online', 'online'));

  it('are offline while they have no video signal', async () => {
    locate(0b010);
    await become('online', 'offline', 'online');
    locate(0b001);
    await become('offline', 'online', 'online');
    locate();
    await become('online', 'online', 'online');
  });

  it('are not those of a location that was recorded before', async () => {
    const { db } = world.server.deps.database;
    const offline = async (): Promise<number> => {
      const told = db.selectFrom('camera_states').select('camera_id');
      return (await told.where('status', '=', 'offline').execute()).length;
    };
    const before = await offline();
    void terminal.send(JT808.location, bodyOf(0b111, 3 * 3_600_000));
    await world.stopNothing(bus);
    locate(0b100);
    await become('online', 'online', 'offline');
    expect(await offline()).toBe(before + 1);
    locate();
    await become('online', 'online', 'online');
  });

  it('are as the latest location says that has a time of the present', async () => {
    const store = vi.fn<StoreTerminalRecords>(async () => undefined);
    const { own, settled } = ownStates(store);
    const locatedAt = async (lost: number, sentMs: number | undefined): Promise<number> => {
      own.located(bus.unitId, bodyOf(lost), sentMs);
      await settled();
      return store.mock.calls.length;
    };
    const nowMs = world.server.clock.nowMs();
    expect(await locatedAt(0b100, nowMs - 5 * 60_000 - 1000)).toBe(0);
    expect(await locatedAt(0b100, undefined)).toBe(0);
    expect(await locatedAt(0b100, nowMs + 11 * 60_000)).toBe(0);
    expect(await locatedAt(0b100, nowMs - 60_000)).toBe(1);
    expect(await locatedAt(0b001, nowMs - 61_000)).toBe(1);
    // Many terminals send a second report of the same second with an alarm.
    expect(await locatedAt(0b001, nowMs - 60_000)).toBe(2);
  });

  it.each([
    ['a location', (own: CameraStates) => locateIn(own)],
    ['a heartbeat', (own: CameraStates) => own.heard(bus.unitId)],
  ])('that could not be stored are stored by %s ten seconds later', async (_, hear) => {
    const store = vi.fn<StoreTerminalRecords>(async () => undefined);
    store.mockRejectedValueOnce(new AppError('unavailable', 'The disk is full.'));
    const { own, settled } = ownStates(store);
    locateIn(own);
    await settled();
    hear(own);
    await settled();
    expect(store).toHaveBeenCalledTimes(1);
    world.server.clock.advance(10_000);
    for (let times = 0; times < 2; times += 1) {
      hear(own);
      await settled();
    }
    expect(store).toHaveBeenCalledTimes(2);
  });

  it('of many terminals that sign in together are read together, and stored two at a time', async () => {
    const buses = [bus, await world.freshBus(), await world.freshBus(), await world.freshBus()];
    const ids = buses.map(({ busId }) => busId);
    const { db, pool } = world.server.deps.database;
    await db
      .updateTable('cameras')
      .set({ status: null })
      .where('workplace_id', 'in', ids)
      .execute();
    let [running, most] = [0, 0];
    const stored: (readonly unknown[])[] = [];
    const { own, settled } = ownStates(async ({ unitId }, records) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      stored.push([unitId, records.length]);
      running -= 1;
    });
    const connect = vi.spyOn(pool, 'connect');
    for (const { unitId } of buses) own.signedIn(unitId);
    for (const { unitId } of buses) own.signedIn(unitId);
    await settled();
    const statements = connect.mock.calls.length;
    connect.mockRestore();
    expect(stored).toEqual(buses.map(({ unitId }) => [unitId, 3]));
    expect(most).toBe(2);
    expect(statements).toBeLessThanOrEqual(buses.length);
    await db
      .updateTable('cameras')
      .set({ status: 'online' })
      .where('workplace_id', 'in', ids)
      .execute();
  });

  it('are reported anew when a user asks, also without a change', async () => {
    world.server.clock.advance(5000);
    const nowMs = world.server.clock.nowMs();
    const { db } = world.server.deps.database;
    const command = { unitId: bus.unitId, kind: 'report_camera_states', createdMs: nowMs } as const;
    await insertCommand(db, command);
    await world.ended(bus, command.kind, ['done']);
    const now = { status: 'online', atMs: nowMs };
    expect(await states()).toEqual([now, now, now]);
  });
});
