// Captures of other protocols that are played to the product's own ports: what was captured is stored, once.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { egtsData, positionSubrecord } from '@ridewatch/unit/src/egts/packet.ts';
import { identitySubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import {
  batchBody,
  flowBody,
  JT808,
  locationBody,
  registerBody,
  signInBody,
} from '@ridewatch/unit/src/jt808/bodies.ts';
import { type Jt808Form, jt808Frame, jt808Frames } from '@ridewatch/unit/src/jt808/message.ts';
import { osmandJson, osmandQuery } from '@ridewatch/unit/src/osmand/request.ts';
import { readCaptureFlags, replayCapture } from '@ridewatch/unit/src/replay/capture.ts';
import { createTimers } from '@ridewatch/unit/src/uplink/timers.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEgtsListener } from '../ingest/egts/listener.ts';
import { createJt808Listener } from '../ingest/jt808/listener.ts';
import { createOsmandListener } from '../ingest/osmand/listener.ts';
import { type CutLink, openCutLink } from '../test/cut-link.ts';
import { insertTestBus, insertTestFleet } from '../test/fleet.ts';
import { listPositions } from '../test/positions.ts';
import { sample, sampleRows, samples } from '../test/samples.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

const DAY_MS = Date.UTC(2026, 10, 20, 8);

let server: TestServer;
let customer: number;
let folder: string;
let links: Readonly<Record<UnitProtocol, CutLink>>;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  server = await createTestServer([], { HOST: '127.0.0.1' });
  server.clock.set(DAY_MS + 3_600_000);
  customer = (await insertTestFleet(server.deps.database.db)).first;
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-captures-'));
  const open = async (listener: {
    start(): Promise<void>;
    stop(): Promise<void>;
    openPort(): number;
  }): Promise<CutLink> => {
    await listener.start();
    const link = await openCutLink(listener.openPort());
    closing.push(
      () => link.close(),
      () => listener.stop(),
    );
    return link;
  };
  links = {
    egts: await open(createEgtsListener(server.deps, 0)),
    jt808: await open(createJt808Listener(server.deps, 0)),
    osmand: await open(createOsmandListener(server.deps, 0)),
  };
});
afterAll(async () => {
  for (const close of closing) await close();
  await server.close();
  await rm(folder, { recursive: true });
});

/** Inserts a bus whose unit has an id. @returns the unit */
async function unitOf(protocol: UnitProtocol, id: string): Promise<number> {
  const { db } = server.deps.database;
  const { unitId } = await insertTestBus(db, customer, `${protocol} ${id}`, 'Europe/Moscow');
  const values = { protocol, protocol_id: id };
  await db.updateTable('units').set(values).where('id', '=', unitId).execute();
  return unitId;
}

/** The seconds of the day of its positions, and the people who got on and off. */
async function storedOf(unitId: number) {
  const { db, pool } = server.deps.database;
  const positions = await listPositions(db, unitId, 0, Date.UTC(2100));
  const { rows } = await pool.query<{ way: string; people: number }>(
    `select direction as way, sum(count)::int as people from passenger_events
     where unit_id = $1 group by 1 order by 1`,
    [unitId],
  );
  const seconds = positions.map(({ timeMs }) => (timeMs - DAY_MS) / 1000).sort((a, b) => a - b);
  return { seconds, people: rows.map(({ way, people }) => `${way} ${people}`) };
}

async function write(name: string, content: string | Buffer): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

/** Plays captures. @returns what it says */
async function play(protocol: UnitProtocol, ...captures: readonly string[]): Promise<string[]> {
  const said: string[] = [];
  const to = `127.0.0.1:${links[protocol].port}`;
  await replayCapture({
    flags: readCaptureFlags([
      ...['--protocol', protocol, '--to', to],
      ...captures.flatMap((file) => ['--capture', file]),
    ]),
    ...{ timers: createTimers(0), signal: AbortSignal.any([]), answerMs: 3000, againMs: 10 },
    adoptedMs: 1,
    say: (line) => said.push(line),
  });
  // Attempts that a broken link has failed are told as they happen, with a port of chance.
  return said.filter((line) => !line.includes('The next attempt is'));
}

const place = (seconds: number) => ({
  ...{ timeMs: DAY_MS + seconds * 1000, latitude: 55.7 + seconds / 1e5, longitude: 37.6 },
  ...{ speedKmh: 20, course: 90 },
});

describe('packets of EGTS', () => {
  /** The packets of a terminal that says its name first, and no object in its records. */
  const capture = (imei: string): Buffer =>
    Buffer.concat(
      [
        { service: 1, subrecords: [identitySubrecord({ number: 0, imei, isSimple: true })] },
        ...[1, 2, 3, 4].map((n) => ({ service: 2, subrecords: [positionSubrecord(place(n))] })),
      ].map((record, id) => egtsData(id, [{ number: id, ...record }])),
    );

  it('of a terminal that has signed in are stored, also over a link that breaks', async () => {
    const imei = '860000000000101';
    const unitId = await unitOf('egts', imei);
    const bytes = capture(imei);
    const file = await write('egts.bin', bytes);
    links.egts.cutAfter(bytes.length - 60);
    expect(await play('egts', file)).toEqual(['5 packets', '5 records with the result 0']);
    expect(links.egts.cuts).toBe(1);
    expect((await storedOf(unitId)).seconds).toEqual([1, 2, 3, 4]);
  });

  it('of a terminal that no unit has are an error, though its name is confirmed', async () => {
    const file = await write('nobody.bin', capture('860000000000102'));
    await expect(play('egts', file)).rejects.toThrow('The server refused every record.');
  });

  it('of a terminal that no unit has are told beside others, with its refused sign-in', async () => {
    const [known, nobody] = ['860000000000103', '860000000000104'];
    await unitOf('egts', known);
    const files = [
      await write('known.bin', capture(known)),
      await write('unknown.bin', capture(nobody)),
    ];
    expect(await play('egts', ...files)).toEqual([
      '10 packets',
      '5 records with the result 0',
      '5 records with the result 153',
      `the server refuses the sign-in of terminal ${nobody} with the result 153`,
    ]);
  });
});

describe('messages of JT/T 808', () => {
  /** The messages of two terminals to another server, one in each form, with what that server answered. */
  function capture(phones: Readonly<Record<Jt808Form, string>>): Buffer[] {
    const locations = Array.from({ length: 40 }, (_, n) => locationBody(place(100 + n)));
    return (['2013', '2019'] as const).flatMap((form, n) => {
      const phone = phones[form];
      const frame = (id: number, serial: number, body: Buffer) =>
        jt808Frame({ form, phone, id, serial, body });
      const parts = { form, phone, id: JT808.locations, serial: 10, body: batchBody(locations) };
      const flow = { startMs: DAY_MS, endMs: DAY_MS + 9000, entered: 3 + n, exited: 2 };
      return [
        frame(JT808.register, 0, registerBody(form)),
        frame(0x8100, 0, Buffer.from([0, 0, 0, 65])),
        frame(JT808.signIn, 1, signInBody(form, 'code of another server')),
        frame(JT808.location, 2, locationBody(place(n))),
        frame(0x8001, 1, Buffer.from([0, 2, 2, 0, 0])),
        ...jt808Frames(parts),
        frame(JT808.passengerFlow, 30, flowBody(flow)),
        frame(JT808.heartbeat, 31, Buffer.alloc(0)),
      ];
    });
  }
  const rows = (frames: readonly Buffer[]): string =>
    ['id,hex', ...frames.map((frame, n) => `${n},${frame.toString('hex')}`)].join('\n');
  const late = Array.from({ length: 40 }, (_, n) => 100 + n);

  it('are stored once, of rows and of bytes, also over a link that breaks', async () => {
    const units = [await unitOf('jt808', '13800000001'), await unitOf('jt808', '13800000002')];
    const frames = capture({ '2013': '13800000001', '2019': '13800000002' });
    expect(frames.some((frame) => (frame.readUInt16BE(3) & 0x2000) !== 0)).toBe(true);
    const files = [
      await write('jt808.csv', rows(frames)),
      await write('jt808.bin', Buffer.concat(frames)),
    ];
    for (const [n, file] of files.entries()) {
      if (n === 1) links.jt808.cutAfter(1500);
      expect(await play('jt808', file)).toEqual(['8 messages', '8 messages with the result 0']);
      for (const [at, unitId] of units.entries()) {
        expect(await storedOf(unitId)).toEqual({
          ...{ seconds: [at, ...late], people: [`entered ${3 + at}`, 'exited 2'] },
        });
      }
    }
    expect(links.jt808.cuts).toBe(1);
  });

  it.each([
    ['that no unit has', '13800000003', '13800000099', '13800000099'],
    ['without a number', '13800000004', '0', '00000000000000000000'],
  ])('of a terminal %s are refused, and it is named', async (_, phone, other, named) => {
    const known = await unitOf('jt808', phone);
    const frames = capture({ '2013': phone, '2019': other });
    expect(await play('jt808', await write('unknown.csv', rows(frames)))).toEqual([
      '8 messages',
      // A heartbeat of anybody is right.
      '5 messages with the result 0',
      '3 messages with the result 1',
      `the server knows no terminal ${named}`,
    ]);
    expect((await storedOf(known)).seconds).toEqual([0, ...late]);
  });

  it('are stored also after the terminal has left, and its leave is no record', async () => {
    const phone = '13800000007';
    const frames = [locationBody(place(1)), undefined, locationBody(place(2))].map((body, serial) =>
      jt808Frame({
        ...{ form: '2013', phone, serial, body: body ?? Buffer.alloc(0) },
        id: body === undefined ? JT808.signOff : JT808.location,
      }),
    );
    const file = await write('left.bin', Buffer.concat(frames));
    await expect(play('jt808', file)).rejects.toThrow('The server refused every record.');
    const unitId = await unitOf('jt808', phone);
    server.clock.advance(3000);
    expect(await play('jt808', file)).toEqual(['3 messages', '3 messages with the result 0']);
    expect((await storedOf(unitId)).seconds).toEqual([1, 2]);
  });

  it('are refused before anything is sent when a file is none', async () => {
    const other = await write('other.csv', 'id,name\n1,bus');
    await expect(play('jt808', other)).rejects.toThrow('row 1: the column hex has no packet');
    const short = await write('short.csv', `hex\n7e00024000${'00'.repeat(9)}7e`);
    await expect(play('jt808', short)).rejects.toThrow('packet 1 is no message of JT/T 808');
    const [frame = Buffer.alloc(0)] = capture({ '2013': '13800000005', '2019': '13800000006' });
    const half = await write('half.bin', Buffer.concat([frame, frame.subarray(0, -1)]));
    await expect(play('jt808', half)).rejects.toThrow(
      `half.bin: byte ${frame.length} begins no whole message of JT/T 808.`,
    );
    await expect(play('jt808', path.join(folder, 'none'))).rejects.toThrow('cannot be read');
  });
});

describe('requests of the OsmAnd form', () => {
  const people = (seconds: number, door: number) => ({
    ...{ timeMs: DAY_MS + seconds * 1000, door, entered: 2, exited: 1 },
  });

  it('are stored once, of lines and of rows, also over a link that breaks', async () => {
    const unitId = await unitOf('osmand', 'phone-1');
    const targets = [place(1), place(2), people(3, 1)].map(
      (record) => `/unit/osmand?${osmandQuery('phone-1', record)}`,
    );
    const body = JSON.stringify(osmandJson('phone-1', [place(4), people(4, 2)]));
    const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const files = [
      await write('osmand.txt', `${targets.join('\n')}\n`),
      await write(
        'osmand.csv',
        [
          'method,content_type,url_or_body',
          ...targets.map((target) => `GET,,${cell(target)}`),
          `POST,application/json,${cell(body)}`,
          `POST,application/x-www-form-urlencoded,${cell(osmandQuery('phone-1', place(5)).toString())}`,
        ].join('\n'),
      ),
    ];
    links.osmand.cutAfter(300);
    expect(await play('osmand', ...files)).toEqual(['8 requests', '8 requests answered with 200']);
    expect(links.osmand.cuts).toBe(1);
    expect(await storedOf(unitId)).toEqual({
      ...{ seconds: [1, 2, 4, 5], people: ['entered 4', 'exited 2'] },
    });
  });

  it('that are refused are counted, and the others go on', async () => {
    const unitId = await unitOf('osmand', 'phone-2');
    const lines = [
      `?${osmandQuery('nobody', place(1))}`,
      `?${osmandQuery('phone-2', { ...place(1), latitude: 91 })}`,
      `?${osmandQuery('phone-2', place(1))}`,
      `?${osmandQuery('phone-2', { ...place(1), latitude: 10 })}`,
    ];
    expect(await play('osmand', await write('refused.txt', lines.join('\n')))).toEqual([
      '4 requests',
      '2 requests answered with 400',
      '2 requests answered with 200',
      '1 record refused',
    ]);
    expect((await storedOf(unitId)).seconds).toEqual([1]);
  });

  it('are refused before anything is sent when a file is none', async () => {
    const other = await write('other.csv', 'id,name\n1,bus');
    await expect(play('osmand', other)).rejects.toThrow('row 1: method and url_or_body');
    const mixed = await write('mixed.txt', '/?id=1\nGET /?id=2');
    await expect(play('osmand', mixed)).rejects.toThrow('line 2 is no target of a request');
  });
});

describe('captures of real devices', () => {
  beforeEach(({ skip }) => skip(!samples.areThere, `${samples.folder} is not there`));
  /** The numbers at the beginning of lines. */
  const sumOf = (lines: readonly string[]): number =>
    lines.reduce((sum, line) => sum + Number(/^\d+/.exec(line)?.[0] ?? 0), 0);

  it('of EGTS are played whole, and what no unit has is named by its result', async () => {
    const expected = sampleRows('units/egts_expected_positions.csv');
    const object = expected[0]?.object_id ?? '';
    const unitId = await unitOf('egts', object);
    const [packets, ...results] = await play('egts', sample('units/egts_packets.csv'));
    expect(packets).toMatch(/^\d\d packets$/);
    expect(sumOf(results)).toBeGreaterThanOrEqual(Number.parseInt(packets ?? '', 10));
    expect(results).toContainEqual(expect.stringMatching(/^\d+ records with the result 153$/));
    const own = expected.filter(({ object_id, valid }) => object_id === object && valid === '1');
    const times = new Set(own.map((row) => row.navigation_time_utc));
    expect((await storedOf(unitId)).seconds).toHaveLength(times.size);
  });

  it('of JT/T 808 are stored when units have their numbers', async () => {
    const numberOf = (phone = ''): string => phone.replace(/^0+/, '');
    const packets = sampleRows('units/jt808_packets.csv');
    const phones = new Map(packets.map((row) => [row.id, numberOf(row.terminal_phone_bcd)]));
    const units = new Map<string, number>();
    for (const phone of new Set(phones.values())) {
      if (/^\d+$/.test(phone)) units.set(phone, await unitOf('jt808', phone));
    }
    expect(units.size).toBeGreaterThan(10);
    const said = await play('jt808', sample('units/jt808_packets.csv'));
    expect(sumOf(said.filter((line) => line.includes('result')))).toBe(
      Number.parseInt(said[0] ?? '', 10),
    );
    const known = sampleRows('units/jt808_expected_positions.csv').filter(
      ({ fix, time_bcd_yymmddhhmmss: time = '' }) => fix === '1' && time >= '10' && time < '2611',
    );
    const expected = Map.groupBy(known, ({ packet_id }) => phones.get(packet_id) ?? '');
    for (const [phone, unitId] of units) {
      const times = new Set(expected.get(phone)?.map((row) => row.time_bcd_yymmddhhmmss));
      expect([phone, (await storedOf(unitId)).seconds.length]).toEqual([phone, times.size]);
    }
  });

  it('of the OsmAnd form are stored when units have their ids', async () => {
    const rows = sampleRows('units/osmand_requests.csv');
    const units = new Map<string, number>();
    for (const { expected_device_id: id = '' } of rows) {
      if (!units.has(id)) units.set(id, await unitOf('osmand', id));
    }
    // Two of them have one id and time, and other content: the second is counted as refused.
    const said = await play('osmand', sample('units/osmand_requests.csv'));
    expect(said.slice(0, 2)).toEqual([
      `${rows.length} requests`,
      `${rows.length} requests answered with 200`,
    ]);
    for (const [id, unitId] of units) {
      const own = rows.filter((row) => row.expected_device_id === id);
      const times = new Set(own.map((row) => Date.parse(row.expected_time_utc_or_note ?? '')));
      expect([id, (await storedOf(unitId)).seconds.length]).toEqual([id, times.size]);
    }
  });
});
