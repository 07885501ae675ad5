// Files of lists that overlap in time: each moment becomes one fragment, of the bus in which the unit sat then.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { findKnownUnit } from '../../access/unit-assignments.ts';
import { issueFtpLogin } from '../../fetching/ftp-logins.ts';
import { makeClip } from '../../test/clip.ts';
import { listBodyOf, RECORDED_MS } from '../../test/fake-registrar.ts';
import { insertTestBus, insertTestClient } from '../../test/fleet.ts';
import { createRegistrarWorld, type RegistrarBus } from '../../test/registrar.ts';
import { useWorld } from '../../test/use-world.ts';
import { announceFiles } from './listed-files.ts';
import { createRecordings } from './recordings.ts';
import { createStoreTerminalRecords, type StoreTerminalRecords } from './terminal-records.ts';

const world = useWorld(createRegistrarWorld);
let clip: Buffer;
beforeAll(() => {
  clip = makeClip();
});

const at = (minute: number): number => RECORDED_MS + minute * 60_000;
const ask = (bus: RegistrarBus, from: number, to: number) =>
  world.ask(bus, bus.cameras.door1, from, to);
const times = async (bus: RegistrarBus) =>
  (await world.fragments(bus)).map(({ from, to }) => [from, to]);
/** What is known of files, by their order in time: stream and size. */
const kinds = async ({ unitId }: RegistrarBus) => {
  const rows = await world.server.deps.database.db
    .selectFrom('segments')
    .innerJoin('registrar_files', 'registrar_files.segment_id', 'segments.id')
    .select(['stream', 'size_bytes'])
    .where('unit_id', '=', unitId)
    .orderBy('start_time')
    .execute();
  return rows.map(({ stream, size_bytes }) => [stream, size_bytes]);
};
const unitOf = async ({ unitId }: { unitId: number }) => {
  const unit = await findKnownUnit(world.server.deps.database.db, unitId);
  if (unit === undefined) throw new Error('no unit');
  return unit;
};

describe('files of one time', () => {
  it('whose earlier part was cut off at the bounds of a range: a later range has it', async () => {
    const { bus, registrar, write } = await world.listing([
      { from: 45, to: 50, size: clip.length },
    ]);
    await ask(bus, 45, 59);
    expect(await registrar.nextUpload()).toMatchObject({ from: 45, to: 50 });
    write([{ from: 0, to: 50, size: 9 * clip.length }]);
    await ask(bus, 0, 59);
    await world.ended(bus, 'fetch_range', ['done', 'done']);
    const both = [
      [0, 45],
      [45, 50],
    ];
    expect(await times(bus)).toEqual(both);
    expect(await kinds(bus)).toEqual([
      [1, 0],
      [1, clip.length],
    ]);
    // The whole list again changes nothing.
    await ask(bus, 0, 60);
    await world.ended(bus, 'fetch_range', ['done', 'done', 'done']);
    expect(await times(bus)).toEqual(both);
    expect((await world.requests(bus))[0]).toMatchObject({ total: 2 });
  });

  it('are the main stream, and the sub stream where there is no other', async () => {
    const { bus } = await world.listing([
      { from: 45, to: 50, size: 5 },
      { from: 0, to: 50, stream: 2, size: 9 },
    ]);
    await ask(bus, 0, 60);
    await world.ended(bus, 'fetch_range', ['done']);
    expect(await times(bus)).toEqual([
      [0, 45],
      [45, 50],
    ]);
    expect(await kinds(bus)).toEqual([
      [2, 0],
      [1, 5],
    ]);
  });

  it('that end together, and of which the shorter is an alarm of seconds, are both there', async () => {
    const { bus, write } = await world.listing([{ from: 49.9, to: 50 }]);
    await ask(bus, 45, 59);
    await world.ended(bus, 'fetch_range', ['done']);
    write([{ from: 0, to: 50 }]);
    await ask(bus, 0, 59);
    await world.ended(bus, 'fetch_range', ['done', 'done']);
    expect(await times(bus)).toEqual([
      [0, 49.9],
      [49.9, 50],
    ]);
  });
});

describe('a file that grows', () => {
  it('while its terminal is asked for it keeps its end, and the rest is there', async () => {
    const { bus } = await world.listing([]);
    const { db } = world.server.deps.database;
    const store = createStoreTerminalRecords(world.server.deps);
    const kind = { media: 0, stream: 1, storage: 1, sizeBytes: 9 };
    const announce = (toMinute: number, before: () => Promise<unknown>) =>
      unitOf(bus).then((unit) =>
        announceFiles(
          db,
          async (...records) => {
            await before();
            await store(...records);
          },
          unit,
          {
            ...{ camera: { key: 'ch1', channel: 1 }, video: 'kept' },
            period: { startMs: at(0), endMs: at(60) },
            files: [{ ...kind, startMs: at(10), endMs: at(toMinute) }],
          },
        ),
      );
    await announce(20, async () => undefined);
    const [first] = await world.fragments(bus);
    let issued = 0;
    await announce(40, async () => {
      issued += 1;
      if (issued > 1) return;
      const login = { unitId: bus.unitId, fragmentId: first?.id ?? 0, sizeBytes: 9 };
      await db
        .transaction()
        .execute((tx) => issueFtpLogin(tx, { ...login, nowMs: world.server.clock.nowMs() }));
    });
    expect(await times(bus)).toEqual([
      [10, 20],
      [20, 40],
    ]);
    await announce(40, async () => undefined);
    expect(await times(bus)).toHaveLength(2);
  });
});

describe('a file that is known', () => {
  const announce = async (
    bus: RegistrarBus,
    file: { readonly fromMinute: number; readonly toMinute: number; readonly stream: number },
    store: StoreTerminalRecords = createStoreTerminalRecords(world.server.deps),
  ) => {
    const { fromMinute, toMinute, stream } = file;
    const times = { startMs: at(fromMinute), endMs: at(toMinute) };
    return announceFiles(world.server.deps.database.db, store, await unitOf(bus), {
      ...{ camera: { key: 'ch1', channel: 1 }, video: 'kept' },
      ...{ period: times, files: [{ ...times, stream, media: 0, storage: 1, sizeBytes: 9 }] },
    });
  };

  it('by a number of another kind is not announced again', async () => {
    const bus = await world.freshBus();
    const store = createStoreTerminalRecords(world.server.deps);
    const whole = { fromMinute: 10, toMinute: 20, stream: 1 };
    // As numbers were before lengths were in them.
    await announce(bus, whole, (unit, records) =>
      store(
        unit,
        records.map((record) => ({ ...record, seq: 2 ** 52 })),
      ),
    );
    const again = vi.fn(store);
    expect(await announce(bus, whole, again)).toEqual({ known: 1, queued: [] });
    expect(again).not.toHaveBeenCalled();
    await announce(bus, { ...whole, fromMinute: 0 });
    expect(await times(bus)).toEqual([
      [0, 10],
      [10, 20],
    ]);
  });

  it('of the main stream does not become longer by the sub stream', async () => {
    const bus = await world.freshBus();
    await announce(bus, { fromMinute: 0, toMinute: 5, stream: 1 });
    await announce(bus, { fromMinute: 0, toMinute: 50, stream: 2 });
    expect(await times(bus)).toEqual([
      [0, 5],
      [5, 50],
    ]);
    expect(await kinds(bus)).toEqual([
      [1, 9],
      [2, 0],
    ]);
  });
});

describe('a file over the move of its unit to the bus of another customer', () => {
  /** Moves a unit at a minute. @param spareUntil it sat in no bus before */
  async function moved(minute: number, spareUntil = minute) {
    const bus = await world.freshBus();
    return { bus, other: await move(bus, minute, spareUntil) };
  }
  async function move(bus: RegistrarBus, minute: number, spareUntil = minute) {
    const { db } = world.server.deps.database;
    const second = await insertTestClient(db, `Второй ${bus.phone}`);
    const other = await insertTestBus(db, second, `Чужой ${bus.phone}`);
    const all = [other.cameras.door1, other.cameras.door2, other.cameras.cabin];
    for (const [n, id] of all.entries()) {
      const camera = { stream_id: `ch${n + 1}`, status: 'online' as const };
      await db.updateTable('cameras').set(camera).where('id', '=', id).execute();
    }
    await sql`update units set workplace_id = null where id = ${other.unitId}`.execute(db);
    await sql`update units set workplace_id = ${other.busId}, assigned_from = ${new Date(at(spareUntil))}
      where id = ${bus.unitId}`.execute(db);
    await sql`insert into past_assignments (unit_id, workplace_id, from_at, until_at)
      values (${bus.unitId}, ${bus.busId}, '-infinity', ${new Date(at(minute))})`.execute(db);
    return other;
  }
  const parts = async (bus: RegistrarBus) => {
    const rows = await world.server.deps.database.db
      .selectFrom('segments')
      .innerJoin('cameras', 'cameras.id', 'camera_id')
      .select(['workplace_id', 'start_time', 'end_time'])
      .where('unit_id', '=', bus.unitId)
      .orderBy('start_time')
      .execute();
    return rows.map(({ workplace_id, start_time, end_time }) => [
      workplace_id,
      ...[start_time, end_time].map((time) => (time.getTime() - RECORDED_MS) / 60_000),
    ]);
  };
  const list = async (bus: RegistrarBus, from: number, to: number) => {
    const { deps } = world.server;
    const file = { media: 0, stream: 1, storage: 1, sizeBytes: 9, startMs: at(10), endMs: at(40) };
    return announceFiles(deps.database.db, createStoreTerminalRecords(deps), await unitOf(bus), {
      ...{ camera: { key: 'ch1', channel: 1 }, files: [file], video: 'queued' },
      period: { startMs: at(from), endMs: at(to) },
    });
  };

  it('is cut there: a range of either bus has its own part', async () => {
    const { bus, other } = await moved(20);
    expect(await list(bus, 20, 39)).toMatchObject({ known: 1, queued: [expect.any(Number)] });
    expect(await parts(bus)).toEqual([[other.busId, 20, 40]]);
    expect(await list(bus, 0, 20)).toMatchObject({ known: 1 });
    const both = [
      [bus.busId, 10, 20],
      [other.busId, 20, 40],
    ];
    expect(await parts(bus)).toEqual(both);
    expect(await list(bus, 0, 60)).toMatchObject({ known: 2 });
    expect(await parts(bus)).toEqual(both);
  });

  it('has no fragment of the time in which the unit sat in no bus, nor of a second of either', async () => {
    const { bus, other } = await moved(20.01, 30.01);
    expect(await list(bus, 0, 60)).toMatchObject({ known: 2 });
    expect(await parts(bus)).toEqual([
      [bus.busId, 10, 20],
      [other.busId, 30 + 1 / 60, 40],
    ]);
    expect(await list(bus, 21, 29)).toEqual({ known: 0, queued: [] });
  });

  it('and is entered while ranges wait: they have nothing of the other bus', async () => {
    const bus = await world.freshBus();
    await ask(bus, 0, 15);
    await ask(bus, 25, 60);
    await move(bus, 20);
    const { deps } = world.server;
    const body = listBodyOf(7, [{ from: 10, to: 40 }]);
    const terminals = { ask: async () => ({ kind: 'message', body }) as const, has: () => true };
    const config = { ...deps.config, ftpPort: world.ftpPort };
    const lane = createRecordings({ ...deps, config }, terminals, createStoreTerminalRecords(deps));
    await lane.serve(bus.unitId, () => false);
    expect(await parts(bus)).toEqual([[bus.busId, 10, 20]]);
    expect(await world.requests(bus)).toMatchObject([
      { state: 'failed', reason: 'no_recording', total: 0, percent: 0 },
      { state: 'asked', reason: null, total: 1 },
    ]);
  });
});
