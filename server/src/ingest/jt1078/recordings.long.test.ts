// Recorded video of registrars: refusals, silence, restarts, and servers that take none.
import { answerBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { makeClip } from '../../test/clip.ts';
import { FILES, filesOf, RECORDED_MS, WAIT } from '../../test/fake-registrar.ts';
import { connectFtp } from '../../test/ftp.ts';
import { createRegistrarWorld, type RegistrarBus } from '../../test/registrar.ts';
import { ofAnotherProcess } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { verify } from '../../test/video.ts';

const MINUTE_MS = 60_000;
const world = useWorld(createRegistrarWorld);
let clip: Buffer;
beforeAll(() => {
  clip = makeClip();
});

const sized = () => filesOf(clip);
/** Waits until the terminal's word about the upload is stored. */
const accepted = (bus: RegistrarBus) =>
  vi.waitFor(async () => {
    const rows = await world.server.deps.database.db
      .selectFrom('unit_commands')
      .select('id')
      .where('unit_id', '=', bus.unitId)
      .where('accepted_at', 'is not', null)
      .execute();
    expect(rows).toHaveLength(1);
  }, WAIT);

describe('a terminal that refuses', () => {
  it('to list files fails the request: the user sees what it said', async () => {
    const { bus } = await world.asked({
      answerQuery: ({ serial, id }, terminal) => {
        terminal.send(JT808.answer, answerBody(serial, id, 3));
      },
    });
    await world.ended(bus, 'fetch_range', ['failed']);
    const [request] = await world.requests(bus);
    expect(request).toMatchObject({ reason: 'unit_failed', detail: '0x9205: 3, not supported' });
  });

  it('uploads, because it knows none, is asked no more', async () => {
    const { bus } = await world.asked({ files: sized(), answerUpload: () => 3 });
    await world.ended(bus, 'fetch_segment', ['failed', 'failed']);
    expect(await world.fragments(bus)).toMatchObject([
      {
        status: 'DOWNLOAD_FAIL',
        fail_reason: 'unit_gave_up',
        fail_detail: '0x9206: 3, not supported',
      },
      { status: 'DOWNLOAD_FAIL' },
    ]);
  });
});

describe('an upload', () => {
  it('of a list without sizes ends where the registrar says so', async () => {
    const { bus, registrar } = await world.asked({ files: FILES.slice(0, 1) });
    const upload = await registrar.nextUpload();
    expect(await registrar.send(upload, clip)).toMatch(/^451/);
    registrar.end(upload);
    await world.ended(bus, 'fetch_segment', ['done']);
    const [row] = await world.server.deps.database.db
      .selectFrom('uploads')
      .select(['length_bytes', 'received_bytes'])
      .where('unit_id', '=', bus.unitId)
      .execute();
    expect(row).toEqual({ length_bytes: clip.length, received_bytes: clip.length });
  });

  it('by Wi-Fi only waits for the depot, with a new login in time, and fails no attempt', async () => {
    const { bus, registrar } = await world.asked({ files: sized() }, { uploads: 'wifi' });
    const first = await registrar.nextUpload();
    expect(first).toMatchObject({ links: 1 });
    await accepted(bus);
    world.server.clock.advance(99 * MINUTE_MS);
    await world.look();
    expect(registrar.waiting()).toBe(0);
    world.server.clock.advance(2 * MINUTE_MS);
    await world.look();
    const again = await registrar.nextUpload();
    expect(again).toMatchObject({ from: 0, to: 10, links: 1 });
    expect(registrar.cancelled).toEqual([first.serial]);
    expect(await world.fragments(bus)).toMatchObject([
      { fail_reason: null },
      { fail_reason: null },
    ]);
    expect(await registrar.send(again, clip)).toMatch(/^226/);
    registrar.end(again);
    expect(await registrar.nextUpload()).toMatchObject({ from: 10, to: 20 });
  });

  it('of which nothing comes for half an hour has failed, and is asked for again', async () => {
    const { bus, registrar } = await world.asked({ files: FILES.slice(0, 1) });
    const first = await registrar.nextUpload();
    await accepted(bus);
    world.server.clock.advance(31 * MINUTE_MS);
    await world.look();
    await registrar.nextUpload();
    expect(registrar.cancelled).toEqual([first.serial]);
    await world.ended(bus, 'fetch_segment', ['failed', null]);
    expect(await world.fragments(bus)).toMatchObject([
      { fail_reason: 'unit_failed', fail_detail: '0x9206: no upload in 30 minutes' },
    ]);
  });

  it('is ended by a result that comes in a later connection of the terminal', async () => {
    const { bus, registrar } = await world.asked({ files: sized() });
    const first = await registrar.nextUpload();
    await accepted(bus);
    registrar.terminal.link.close();
    expect(await registrar.send(first, clip)).toMatch(/^226/);
    const back = await world.registrar(bus);
    back.end(first);
    expect(await back.nextUpload()).toMatchObject({ from: 10, to: 20 });
    await world.ended(bus, 'fetch_segment', ['done', null]);
  });

  it('that sends more than the list says is asked for again without a limit of the list', async () => {
    const files = [{ from: 0, to: 10, size: 1000 }];
    const { bus, registrar } = await world.asked({ files });
    const first = await registrar.nextUpload();
    expect(await registrar.send(first, clip)).toMatch(/^552/);
    registrar.end(first, 1);
    const again = await registrar.nextUpload();
    expect(await registrar.send(again, clip)).toMatch(/^451/);
    registrar.end(again);
    await world.ended(bus, 'fetch_segment', ['cancelled', 'done']);
    expect(await world.fragments(bus)).toMatchObject([{ status: 'LOADING' }]);
  });

  it('that broke after much has come has stopped, which costs no attempt', async () => {
    const file = Buffer.alloc(3 * 2 ** 20, 7);
    const { bus, registrar } = await world.asked({
      files: [{ from: 0, to: 10, size: file.length }],
    });
    const first = await registrar.nextUpload();
    await accepted(bus);
    expect(await registrar.send(first, file.subarray(0, 2 ** 21))).toMatch(/^451/);
    registrar.end(first, 1);
    const again = await registrar.nextUpload();
    const client = await connectFtp(again.port);
    await client.signIn(again);
    expect(await client.send(file.subarray(2 ** 21), 'APPE video.mp4')).toMatch(/^226/);
    client.cut();
    registrar.end(again);
    await world.ended(bus, 'fetch_segment', ['done']);
    const tries = world.server.deps.database.db.selectFrom('segments').select('failed_tries');
    expect(await tries.where('unit_id', '=', bus.unitId).execute()).toEqual([{ failed_tries: 0 }]);
  });

  it('goes on while its terminal connects to another process', async () => {
    const { bus, registrar } = await world.asked({ files: sized() });
    const first = await registrar.nextUpload();
    await accepted(bus);
    // A part of the file, and the link is lost.
    expect(await registrar.send(first, clip.subarray(0, 1000))).toMatch(/^451/);
    registrar.terminal.link.close();
    const another = await world.startAnother(ofAnotherProcess(world.server));
    const back = await world.registrar(bus, {}, another);
    world.server.clock.advance(2 * MINUTE_MS + 1000);
    await world.server.deps.database.db
      .updateTable('uploads')
      .set({ received_at: new Date(world.server.clock.nowMs()) })
      .where('unit_id', '=', bus.unitId)
      .execute();
    await world.look(bus);
    // Its bytes have just come: nobody disturbs it.
    expect(await back.send(first, clip)).toMatch(/^226/);
    expect(back.waiting()).toBe(0);
    await vi.waitFor(async () => {
      world.server.clock.advance(21_000);
      await world.look(bus);
      expect(back.waiting()).toBe(1);
    }, WAIT);
    expect(await back.nextUpload()).toMatchObject({ from: 10, to: 20 });
  });
});

describe('an upload whose server is in trouble', () => {
  it('is asked for once the database is back, and no attempt has failed', async () => {
    const { db } = world.server.deps.database;
    const bus = await world.freshBus();
    const failed = vi.spyOn(world.server.deps.log, 'error').mockReturnValue(undefined);
    await db.schema.alterTable('ftp_logins').renameColumn('created_at', 'away').execute();
    const registrar = await world.registrar(bus, { files: sized() });
    await world.ask(bus, bus.cameras.door1, 0, 60);
    await world.ended(bus, 'fetch_range', ['done']);
    await vi.waitFor(() => expect(failed).toHaveBeenCalled(), WAIT);
    await db.schema.alterTable('ftp_logins').renameColumn('away', 'created_at').execute();
    failed.mockRestore();
    await world.look(bus);
    expect(await registrar.nextUpload()).toMatchObject({ from: 0, to: 10 });
    await world.ended(bus, 'fetch_segment', [null, null]);
    expect(await world.fragments(bus)).toMatchObject([
      ...[{ fail_reason: null }, { fail_reason: null }],
    ]);
  });

  it('is not asked for again if it was whole when its process ended', async () => {
    const { bus, registrar } = await world.asked({ files: sized() });
    const first = await registrar.nextUpload();
    await accepted(bus);
    expect(await registrar.send(first, clip)).toMatch(/^226/);
    registrar.terminal.link.close();
    world.server.clock.advance(3 * MINUTE_MS);
    const another = await world.startAnother(ofAnotherProcess(world.server));
    const back = await world.registrar(bus, {}, another);
    expect(await back.nextUpload()).toMatchObject({ from: 10, to: 20 });
    await world.ended(bus, 'fetch_segment', ['done', null]);
  });
});

it('a camera without recordings fails no request that has those of another one', async () => {
  const bus = await world.freshBus();
  const registrar = await world.registrar(bus, { files: sized().slice(0, 1) });
  const [startTime, endTime] = [0, 60].map((minute) =>
    new Date(RECORDED_MS + minute * MINUTE_MS).toISOString(),
  );
  const range = { deviceId: bus.unitId, startTime, endTime };
  await world.call('POST', '/api/segments/set-downloading', range);
  const upload = await registrar.nextUpload();
  await world.ended(bus, 'fetch_range', ['done', 'failed', 'failed']);
  expect(await registrar.send(upload, clip)).toMatch(/^226/);
  const [whole] = await world.server.deps.database.db
    .selectFrom('uploads')
    .select('id')
    .where('unit_id', '=', bus.unitId)
    .execute();
  await verify(world.server, whole?.id ?? '');
  expect(await world.requests(bus)).toMatchObject([
    { state: 'done', reason: null, total: 1, here: 1, percent: 100 },
  ]);
});

describe('a server that takes no recordings of registrars', () => {
  const openWithout = () =>
    world.startAnother({ config: { ...world.server.deps.config, ftpPort: 0 } });

  it('says so, and asks no terminal', async () => {
    const bus = await world.freshBus();
    const registrar = await world.registrar(bus, { files: FILES }, await openWithout());
    await world.ask(bus, bus.cameras.door1, 0, 60);
    await world.ended(bus, 'fetch_range', ['failed']);
    const [request] = await world.requests(bus);
    expect(request).toMatchObject({ state: 'failed', reason: 'uploads_not_set_up' });
    expect(registrar.queries).toEqual([]);
  });

  it('says so of fragments that wait, too', async () => {
    const without = await openWithout();
    const { bus, registrar } = await world.asked({ files: FILES });
    await registrar.nextUpload();
    await accepted(bus);
    registrar.terminal.link.close();
    await world.registrar(bus, {}, without);
    world.server.clock.advance(3 * MINUTE_MS);
    await world.ended(bus, 'fetch_segment', ['failed', 'failed']);
    const failed = { status: 'DOWNLOAD_FAIL', fail_reason: 'uploads_not_set_up' };
    expect(await world.fragments(bus)).toMatchObject([failed, failed]);
  });
});
