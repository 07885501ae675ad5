// Recorded video of registrars: what they list becomes fragments, and the files come by FTP.
import { answerBody, JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { jt808Frames } from '@ridewatch/unit/src/jt808/message.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { insertAnnouncedFragment } from '../../test/announced-fragment.ts';
import { makeClip } from '../../test/clip.ts';
import { closePort } from '../../test/closed-port.ts';
import { FILES, filesOf, listBodyOf, WAIT } from '../../test/fake-registrar.ts';
import { createRegistrarWorld, type RegistrarBus } from '../../test/registrar.ts';
import { useWorld } from '../../test/use-world.ts';
import { verify } from '../../test/video.ts';
import type { TerminalAnswer } from '../jt808/requests.ts';
import type { Terminals } from '../jt808/terminals.ts';
import type { AskForFiles } from './ask-for-files.ts';
import { createLooks } from './looks.ts';
import { createRecordings } from './recordings.ts';
import { createUploads } from './uploads.ts';

const world = useWorld(createRegistrarWorld);
let clip: Buffer;
beforeAll(() => {
  clip = makeClip();
});

const sized = () => filesOf(clip);
const statuses = async (bus: RegistrarBus) =>
  (await world.fragments(bus)).map(({ from, status }) => [from, status]);
const uploadsOf = ({ unitId }: RegistrarBus) =>
  world.server.deps.database.db
    .selectFrom('uploads')
    .select(['id'])
    .where('unit_id', '=', unitId)
    .where('finished_at', 'is not', null)
    .orderBy('created_at')
    .execute();

const receivedOf = ({ unitId }: RegistrarBus) =>
  world.server.deps.database.db
    .selectFrom('uploads')
    .select(['received_bytes'])
    .where('unit_id', '=', unitId)
    .execute();
const fillDisk = () => world.server.disk.set({ totalBytes: 2e12, freeBytes: 0 });
const emptyDisk = () => world.server.disk.set({ totalBytes: 2e12, freeBytes: 1e12 });
afterEach(emptyDisk);
/** Waits until the uploads of a bus have been looked at: once the second is carried out, those after the first have. */
const served = async (bus: RegistrarBus) => {
  await world.stopNothing(bus);
  await world.stopNothing(bus);
};
/** What another process has, whose terminals answer so. */
const own = (ask: () => Promise<TerminalAnswer | undefined>) => {
  const { deps } = world.server;
  const terminals = { ask: vi.fn<Terminals['ask']>(ask), has: vi.fn(() => true) };
  return { deps: { ...deps, config: { ...deps.config, ftpPort: world.ftpPort } }, terminals };
};

describe('a range that a user asks for', () => {
  it('is listed, uploaded file by file, and can be played', async () => {
    const { bus, registrar } = await world.asked(
      { files: sized(), clockHours: 0 },
      { clock_hours: 0 },
    );
    const first = await registrar.nextUpload();
    expect(registrar.queries).toEqual([1]);
    expect(first).toMatchObject({
      ...{ host: '127.0.0.1', path: '/', channel: 1, from: 0, to: 10, media: 0, stream: 1 },
      ...{ storage: 1, links: 7 },
    });
    await world.ended(bus, 'fetch_range', ['done']);
    expect(await statuses(bus)).toEqual([
      [0, 'DOWNLOADING_FROM_TASK'],
      [10, 'DOWNLOADING_FROM_TASK'],
    ]);
    expect(await registrar.send(first, clip)).toMatch(/^226/);
    expect(registrar.waiting()).toBe(0);
    registrar.end(first);
    const second = await registrar.nextUpload();
    expect(second).toMatchObject({ from: 10, to: 20 });
    // The first login is spent.
    expect(await registrar.send({ ...second, login: first.login }, clip)).toMatch(/^530/);
    expect(await registrar.send(second, clip)).toMatch(/^226/);
    registrar.end(second);
    await world.ended(bus, 'fetch_segment', ['done', 'done']);
    const [whole] = await uploadsOf(bus);
    await verify(world.server, whole?.id ?? '');
    expect(await statuses(bus)).toEqual([
      [0, 'LOADED'],
      [10, 'LOADING'],
    ]);
    const [request] = await world.requests(bus);
    expect(request).toMatchObject({ state: 'accepted', total: 2, here: 1 });
  });

  it('has no recordings: the user is told so', async () => {
    const { bus } = await world.asked({ files: [{ from: 0, to: 10, channel: 2 }] });
    await world.ended(bus, 'fetch_range', ['failed']);
    const [request] = await world.requests(bus);
    expect(request).toMatchObject({ state: 'failed', reason: 'no_recording', detail: null });
  });

  it('is of a registrar that does not answer: the user is told so', async () => {
    const bus = await world.freshBus();
    await world.ask(bus, bus.cameras.door1, 0, 60);
    const config = { ...world.server.deps.config, ftpPort: world.ftpPort };
    const terminals = { ask: async () => ({ kind: 'silence' }) as const, has: () => true };
    const store = vi.fn();
    const lane = createRecordings({ ...world.server.deps, config }, terminals, store);
    await lane.serve(bus.unitId, () => false);
    const [request] = await world.requests(bus);
    expect(request).toMatchObject({ state: 'failed', reason: 'no_answer', detail: null });
  });

  it('may have a list in parts, after a general answer', async () => {
    const { bus } = await world.asked({
      answerQuery: ({ serial, id, phone }, terminal) => {
        terminal.send(JT808.answer, answerBody(serial, id, 0));
        const list = { id: 0x1205, serial: 900, body: listBodyOf(serial, FILES) };
        terminal.link.send(Buffer.concat(jt808Frames({ form: '2013', phone, ...list }, 25)));
      },
    });
    await world.ended(bus, 'fetch_range', ['done']);
    expect(await world.fragments(bus)).toHaveLength(2);
  });

  it('waits while another program has the port of FTP', async () => {
    const opens = await closePort(world.server.deps, 'ftp', world.ftpPort);
    const { bus, registrar } = await world.asked({ files: FILES });
    await world.ended(bus, 'fetch_range', ['done']);
    await served(bus);
    expect(registrar.waiting()).toBe(0);
    await opens();
    await world.look(bus);
    expect(await registrar.nextUpload()).toMatchObject({ from: 0, to: 10 });
  });

  it('waits while the disk is full, and its terminal is not asked', async () => {
    const bus = await world.freshBus();
    await world.ask(bus, bus.cameras.door1, 0, 60);
    const { deps, terminals } = own(async () => undefined);
    const recordings = createRecordings(deps, terminals, async () => undefined);
    fillDisk();
    await recordings.serve(bus.unitId, () => false);
    emptyDisk();
    expect(terminals.ask).not.toHaveBeenCalled();
    await recordings.serve(bus.unitId, () => false);
    expect(terminals.ask).toHaveBeenCalledTimes(1);
  });

  it('makes nothing twice when it is asked for again', async () => {
    const { bus, registrar } = await world.asked({ files: FILES });
    await world.ended(bus, 'fetch_range', ['done']);
    const before = await world.fragments(bus);
    // Beyond the first hour, so that it does not join the running request.
    await world.ask(bus, bus.cameras.door1, 5, 65);
    await world.ended(bus, 'fetch_range', ['done', 'done']);
    expect(registrar.queries).toEqual([1, 1]);
    expect((await world.fragments(bus)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it('makes no second fragment of a file that is cut at the bounds of another range', async () => {
    const { bus, registrar } = await world.asked({ files: FILES });
    await world.ended(bus, 'fetch_range', ['done']);
    registrar.terminal.link.close();
    const cut = [
      { from: 12, to: 20 },
      { from: 20, to: 30 },
    ];
    await world.registrar(bus, { files: cut });
    await world.ask(bus, bus.cameras.door1, 12, 65);
    await world.ended(bus, 'fetch_range', ['done', 'done']);
    expect((await world.fragments(bus)).map(({ from }) => from)).toEqual([0, 10, 20]);
  });

  it('is cancelled: the terminal too, and the login ends', async () => {
    const { bus, registrar } = await world.asked({ files: sized() });
    const first = await registrar.nextUpload();
    const [request] = await world.requests(bus);
    await world.call('POST', `/api/segments/set-downloading/cancel/${request?.id}`);
    await world.ended(bus, 'stop_fetch', ['done']);
    expect(registrar.cancelled).toEqual([first.serial]);
    expect(await registrar.send(first, clip)).toMatch(/^530/);
    expect((await world.fragments(bus)).map(({ fail_reason }) => fail_reason)).toEqual([
      ...['cancelled', 'cancelled'],
    ]);
    expect(registrar.waiting()).toBe(0);
  });
});

it('a range that is cancelled while its terminal is out of reach: its upload does not go on', async () => {
  const { bus, registrar } = await world.asked({ files: sized() });
  const first = await registrar.nextUpload();
  expect(await registrar.send(first, clip.subarray(0, 1000))).toMatch(/^451/);
  registrar.terminal.link.close();
  const [request] = await world.requests(bus);
  await world.call('POST', `/api/segments/set-downloading/cancel/${request?.id}`);
  expect(await registrar.send(first, clip)).toMatch(/^530/);
  expect((await statuses(bus)).map(([, status]) => status)).toEqual([
    ...['DOWNLOAD_FAIL', 'DOWNLOAD_FAIL'],
  ]);
});

describe('what recorded cameras have recorded', () => {
  it('is listed unasked and kept, and a user fetches one of it', async () => {
    const bus = await world.freshBus();
    const registrar = await world.registrar(bus, {
      files: [...FILES, { from: 20, to: 30, channel: 3 }],
    });
    // Within a minute after the sign-in; not those of the cabin, which records without a pause.
    await vi.waitFor(async () => {
      if (registrar.queries.length === 0) world.server.clock.advance(5000);
      await world.look(bus);
      expect(registrar.queries).toEqual([1, 2]);
    }, WAIT);
    await vi.waitFor(async () => {
      expect(await statuses(bus)).toEqual([
        [0, 'LIVE'],
        [10, 'LIVE'],
      ]);
    }, WAIT);
    const [, second] = await world.fragments(bus);
    await world.call('PATCH', `/api/segments/set-downloading/${second?.id}`);
    expect(await registrar.nextUpload()).toMatchObject({ from: 10, to: 20 });
  });

  it('is listed of the last day of a camera that is new, or was not in use', async () => {
    const bus = await world.freshBus();
    const { clock } = world.server;
    const use = (enabled: boolean, ...ids: number[]) =>
      world.server.deps.database.db
        .updateTable('cameras')
        .set({ enabled })
        .where('id', 'in', ids)
        .execute();
    const { door1, door2 } = bus.cameras;
    await use(false, door1, door2);
    const { deps, terminals } = own(async () => undefined);
    const ask = vi.fn<AskForFiles>(async () => []);
    const looks = createLooks(deps, terminals, async () => undefined, ask);
    looks.greet(bus.unitId);
    const look = async () => {
      clock.advance(15 * 60_000);
      ask.mockClear();
      await looks.look(bus.unitId, async () => false);
      return ask.mock.calls.map(([, channel, { startMs }]) => [channel, clock.nowMs() - startMs]);
    };
    const day = 24 * 3_600_000;
    expect(await look()).toEqual([]);
    await use(true, door1);
    expect(await look()).toEqual([[1, day]]);
    const { db } = world.server.deps.database;
    const id = await insertAnnouncedFragment(db, bus);
    const sent_end = new Date(clock.nowMs());
    await db.updateTable('segments').set({ sent_end }).where('id', '=', id).execute();
    await use(true, door2);
    expect(await look()).toEqual([
      [1, 15 * 60_000],
      [2, day],
    ]);
  });

  it('is listed for 100 terminals at the same time: the others leave room for users', async () => {
    const { deps, terminals } = own(async () => undefined);
    const looks = createLooks(
      deps,
      terminals,
      async () => undefined,
      async () => [],
    );
    const units = [...Array(101).keys()].map((n) => 1_000_000 + n);
    for (const unitId of units) looks.greet(unitId);
    world.server.clock.advance(60_000);
    expect(looks.due()).toEqual(units.slice(0, 100));
    const looking = units.map((unitId) => looks.look(unitId, async () => true));
    expect(looks.due()).toEqual([]);
    await Promise.all(looking);
    expect(looks.due()).toEqual(units.slice(100));
  });
});

describe('an upload', () => {
  it('that has failed is asked for again, with another login', async () => {
    const { bus, registrar } = await world.asked({ files: sized().slice(0, 1) });
    const first = await registrar.nextUpload();
    registrar.end(first, 1);
    const again = await registrar.nextUpload();
    expect(again).toMatchObject({ from: 0, to: 10 });
    expect(again.login).not.toBe(first.login);
    expect(await world.fragments(bus)).toMatchObject([
      {
        status: 'DOWNLOADING_FROM_TASK',
        fail_reason: 'unit_failed',
        fail_detail: '0x1206: 1, failed',
      },
    ]);
    expect(await registrar.send(again, clip)).toMatch(/^226/);
    registrar.end(again);
    await world.ended(bus, 'fetch_segment', ['failed', 'done']);
  });

  it('that is refused when it is asked for again keeps what has come', async () => {
    const answers = [0, 1];
    const { bus, registrar } = await world.asked({
      ...{ files: sized().slice(0, 1), answerUpload: () => answers.shift() },
    });
    const first = await registrar.nextUpload();
    expect(await registrar.send(first, clip.subarray(0, 1000))).toMatch(/^451/);
    registrar.end(first, 1);
    await world.ended(bus, 'fetch_segment', ['failed', 'failed']);
    expect(await receivedOf(bus)).toEqual([{ received_bytes: 1000 }]);
  });

  it('that is whole by its terminal alone has failed, and may go on', async () => {
    const { bus, registrar } = await world.asked({ files: sized().slice(0, 1) });
    const first = await registrar.nextUpload();
    expect(await registrar.send(first, clip.subarray(0, 1000))).toMatch(/^451/);
    // As if its link had broken there.
    await world.server.deps.database.db
      .updateTable('ftp_logins')
      .set({ ended_at_bytes: null })
      .where('unit_id', '=', bus.unitId)
      .execute();
    registrar.end(first);
    await served(bus);
    // The last bytes may be on their way.
    await world.ended(bus, 'fetch_segment', [null]);
    world.server.clock.advance(21_000);
    await world.look();
    await registrar.nextUpload();
    await world.ended(bus, 'fetch_segment', ['failed', null]);
    expect(await world.fragments(bus)).toMatchObject([
      { fail_reason: 'unit_failed', fail_detail: '0x1206: 0, file incomplete' },
    ]);
    expect(await receivedOf(bus)).toEqual([{ received_bytes: 1000 }]);
  });

  it('waits while the disk is full, and no attempt fails', async () => {
    const { bus, registrar } = await world.asked({ files: sized() });
    const first = await registrar.nextUpload();
    expect(await registrar.send(first, clip)).toMatch(/^226/);
    fillDisk();
    registrar.end(first);
    await world.ended(bus, 'fetch_segment', ['done', null]);
    await served(bus);
    expect(registrar.waiting()).toBe(0);
    emptyDisk();
    await world.look();
    const second = await registrar.nextUpload();
    fillDisk();
    registrar.end(second, 1);
    await served(bus);
    expect(registrar.waiting()).toBe(0);
    emptyDisk();
    await world.look();
    await registrar.nextUpload();
    await world.ended(bus, 'fetch_segment', ['done', null]);
    expect(await world.fragments(bus)).toMatchObject([
      ...[{ fail_reason: null }, { fail_reason: null }],
    ]);
  });

  it('whose terminal is elsewhere by now is not looked after', async () => {
    const { bus, registrar } = await world.asked({ files: FILES.slice(0, 1) });
    await registrar.nextUpload();
    await world.ended(bus, 'fetch_segment', [null]);
    registrar.terminal.link.close();
    world.server.clock.advance(3 * 60_000);
    const { deps, terminals } = own(async () => ({ kind: 'result', result: 0 }));
    const uploads = createUploads(deps, terminals);
    await uploads.serve(bus.unitId, () => false);
    expect(terminals.ask).toHaveBeenCalledTimes(1);
    world.server.clock.advance(31 * 60_000);
    expect(await uploads.due?.([])).toEqual([bus.unitId]);
    terminals.has.mockReturnValue(false);
    expect(await uploads.due?.([])).toEqual([]);
  });

  it('whose result is lost ends by the file itself', async () => {
    const { bus, registrar } = await world.asked({ files: sized() });
    await registrar.send(await registrar.nextUpload(), clip);
    await world.look(bus);
    expect(registrar.waiting()).toBe(0);
    await vi.waitFor(async () => {
      world.server.clock.advance(21_000);
      await world.look(bus);
      expect(registrar.waiting()).toBe(1);
    }, WAIT);
    await world.ended(bus, 'fetch_segment', ['done', null]);
  });

  it('is not ended by the result of another terminal', async () => {
    const { bus, registrar } = await world.asked({ files: sized() });
    const stranger = await world.registrar(await world.freshBus());
    const upload = await registrar.nextUpload();
    stranger.end(upload, 1);
    registrar.end(upload, 1);
    await registrar.nextUpload();
    await world.ended(bus, 'fetch_segment', ['failed', null, null]);
  });
});
