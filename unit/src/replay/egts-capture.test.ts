// A capture of EGTS: a terminal stays signed in over lost connections, its name is no record, and a file is whole.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { egtsData, egtsPacket } from '../egts/packet.ts';
import { identitySubrecord, passwordSubrecord } from '../egts/subrecords.ts';
import { createTimers } from '../uplink/timers.ts';
import { readCaptureFlags, replayCapture } from './capture.ts';
import { CaptureError } from './capture-run.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-egts-'));
});
afterAll(() => rm(folder, { recursive: true }));

const [AUTH, TELEDATA] = [1, 2];
const named = { service: AUTH, subrecords: [identitySubrecord({ number: 7, isSimple: true })] };
const password = { service: AUTH, subrecords: [passwordSubrecord('name', 'word')] };
const data = { service: TELEDATA, subrecords: [] };

/** The one record of each packet has the number of the packet. */
const packet = (id: number, record: typeof named | typeof data): Buffer =>
  egtsData(id, [{ number: id, ...record }]);

/** The result of a sign-in, which comes after the confirmation of its record. */
interface SignIn {
  readonly signIn: number;
}

type Answer = number | 'cut' | 'packet' | SignIn;

/**
 * Plays packets to a server.
 * @param answerOf the result of a packet's record; signIn: it is confirmed with 0, and its sign-in has this result; cut: the
 * connection is closed; packet: its records are not told
 * @returns the ids that came by each connection, and what the replay said
 */
async function play(
  capture: Buffer,
  answerOf: (id: number, link: number) => Answer,
  answerMs?: number,
) {
  const links: number[][] = [];
  const server = createServer((socket) => {
    const ids: number[] = [];
    const link = links.push(ids);
    socket.on('data', (bytes) => {
      const id = bytes.readUInt16LE(7);
      ids.push(id);
      const answer = answerOf(id, link);
      if (answer === 'cut') socket.destroy();
      else if (answer === 'packet') socket.write(egtsPacket(id, 0, Buffer.from([id, 0, 0])));
      else {
        const result = typeof answer === 'number' ? answer : 0;
        const record = [6, 0, id, 0, 0, 2, 2, 0, 3, 0, id, 0, result];
        socket.write(egtsPacket(id, 0, Buffer.from([id, 0, 0, ...record])));
        if (typeof answer === 'number') return;
        const code = [4, 0, id, 0, 0, 1, 1, 9, 1, 0, answer.signIn];
        socket.write(egtsPacket(100 + id, 1, Buffer.from(code)));
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const file = path.join(folder, 'packets.bin');
  await writeFile(file, capture);
  const said: string[] = [];
  const to = `127.0.0.1:${port}`;
  const failure = await replayCapture({
    flags: readCaptureFlags(['--protocol', 'egts', '--to', to, '--capture', file]),
    ...{ timers: createTimers(0), signal: AbortSignal.any([]), againMs: 1, adoptedMs: 1 },
    ...(answerMs !== undefined && { answerMs }),
    say: (line) => said.push(line),
  }).then(
    () => undefined,
    (error: unknown) => error,
  );
  await new Promise((resolve) => server.close(resolve));
  return { links, failure, said: said.filter((line) => !line.includes('The next attempt')) };
}

describe('a terminal of a capture', () => {
  it('signs in again in a new connection, and once in each', async () => {
    const packets = [packet(1, named), packet(2, password), packet(3, data), packet(4, data)];
    const { links, said } = await play(Buffer.concat(packets), (id, link) =>
      (id === 3 && link === 1) || (id === 1 && link === 2) ? 'cut' : 0,
    );
    expect(links).toEqual([[1, 2, 3], [1], [1, 3, 4]]);
    expect(said).toEqual(['4 packets', '4 records with the result 0']);
  });

  it('does not sign in as another one before it says its own name', async () => {
    const packets = [packet(1, named), packet(2, data), packet(3, named), packet(4, data)];
    const { links } = await play(Buffer.concat(packets), (id, link) =>
      link < 3 && id === link + 2 ? 'cut' : 0,
    );
    expect(links).toEqual([
      [1, 2, 3],
      [3, 4],
      [3, 4],
    ]);
  });

  it('has a name that is no record: all is refused when its records are', async () => {
    const packets = Buffer.concat([packet(1, named), packet(2, data)]);
    const refused = new CaptureError('The server refused every record.');
    expect((await play(packets, (id) => (id === 1 ? 0 : 151))).failure).toEqual(refused);
    expect((await play(packets, (id) => (id === 1 ? 'packet' : 151))).failure).toEqual(refused);
    expect((await play(packets, (id) => (id === 1 ? 151 : 0))).failure).toBeUndefined();
    expect((await play(packets, (id) => (id === 1 ? 151 : 'packet'))).failure).toBeUndefined();
    expect((await play(packet(1, named), () => 151)).failure).toBeUndefined();
  });

  it('that sends a packet without data tells no record by it', async () => {
    const packets = Buffer.concat([egtsPacket(1, 1, Buffer.alloc(0)), packet(2, data)]);
    const { failure } = await play(packets, (id) => (id === 1 ? 'packet' : 151));
    expect(failure).toEqual(new CaptureError('The server refused every record.'));
  });
});

describe('a sign-in that is refused after its record was confirmed', () => {
  const identity = (number: number, imei?: string) => ({
    service: AUTH,
    subrecords: [identitySubrecord({ number, isSimple: true, ...(imei && { imei }) })],
  });
  const refused = { signIn: 153 };

  it('is told with its result and its terminal, and not as a record with the result 0', async () => {
    const packets = [packet(1, named), packet(2, data), packet(3, data)];
    const { said, failure } = await play(Buffer.concat(packets), (id) =>
      id === 1 ? refused : 153,
    );
    expect(said).toEqual([
      '3 packets',
      '3 records with the result 153',
      'the server refuses the sign-in of terminal 7 with the result 153',
    ]);
    expect(failure).toEqual(new CaptureError('The server refused every record.'));
  });

  it('is told also as the last packet, and is no record', async () => {
    const packets = [packet(1, data), packet(2, identity(0, '860000000000102'))];
    const { said, failure } = await play(Buffer.concat(packets), (id) => (id === 2 ? refused : 0));
    expect(said).toEqual([
      '2 packets',
      '1 record with the result 0',
      '1 record with the result 153',
      'the server refuses the sign-in of terminal 860000000000102 with the result 153',
    ]);
    expect(failure).toBeUndefined();
  });

  it('is told once for each terminal and result, with all of its ids', async () => {
    const packets = [
      ...[packet(1, named), packet(2, data), packet(3, named), packet(4, data)],
      ...[packet(5, identity(8, '860000000000103')), packet(6, data), packet(7, identity(0))],
      ...[packet(8, data)],
    ];
    const signIns = [1, 3, 5, 7];
    const { said, links } = await play(Buffer.concat(packets), (id, link) => {
      if (id === 4 && link === 1) return 'cut';
      return signIns.includes(id) ? refused : 0;
    });
    expect(links).toEqual([
      [1, 2, 3, 4],
      [3, 4, 5, 6, 7, 8],
    ]);
    expect(said).toEqual([
      '8 packets',
      '4 records with the result 0',
      '4 records with the result 153',
      'the server refuses the sign-in of terminal 7 with the result 153',
      'the server refuses the sign-in of terminal 8, 860000000000103 with the result 153',
      'the server refuses a sign-in that names no terminal with the result 153',
    ]);
  });

  it('is of the terminal that has said its name before when its packet has only a password', async () => {
    const packets = [packet(1, named), packet(2, password), packet(3, data)];
    const { said } = await play(Buffer.concat(packets), (id) => (id === 2 ? { signIn: 151 } : 0));
    expect(said).toEqual([
      '3 packets',
      '2 records with the result 0',
      '1 record with the result 151',
      'the server refuses the sign-in of terminal 7 with the result 151',
    ]);
  });

  it('is not waited for longer than for an answer', async () => {
    const { said, failure } = await play(packet(1, named), () => 0, 20);
    expect([said, failure]).toEqual([['1 packet', '1 record with the result 0'], undefined]);
  });

  it('is not told when the unit was adopted a moment ago: the terminal signs in once more', async () => {
    const packets = [packet(1, named), packet(2, data), packet(3, data)];
    const times = new Map<number, number>();
    const { said, links } = await play(Buffer.concat(packets), (id) => {
      times.set(id, (times.get(id) ?? 0) + 1);
      if (id === 1) return { signIn: times.get(id) === 1 ? 153 : 0 };
      return times.get(2) === 1 ? 153 : 0;
    });
    expect(links).toEqual([[1, 2, 1, 2, 3]]);
    expect(said).toEqual(['3 packets', '3 records with the result 0']);
  });

  it('is not told of one that is accepted', async () => {
    const packets = Buffer.concat([packet(1, named), packet(2, data)]);
    const { said } = await play(packets, (id) => (id === 1 ? { signIn: 0 } : 0));
    expect(said).toEqual(['2 packets', '2 records with the result 0']);
  });
});

describe('a file of packets as they were sent', () => {
  const whole = packet(1, data);
  const changed = (at: number, byte: number): Buffer => {
    const bytes = Buffer.from(whole);
    bytes[at] = byte;
    return bytes;
  };
  it.each([
    ['a header that has no length', Buffer.concat([whole, changed(3, 0)]), whole.length],
    ['a header of no length and no data', Buffer.from([1, ...Array(20).fill(0)]), 0],
    ['a header that is longer than the longest', changed(3, 17), 0],
    ['less than a header at its end', Buffer.concat([whole, whole.subarray(0, 10)]), whole.length],
    ['a packet without its end', Buffer.concat([whole, whole.subarray(0, -1)]), whole.length],
  ])('with %s is refused before anything is sent', async (_, bytes, at) => {
    const { failure, links } = await play(bytes, () => 0);
    expect(links).toEqual([]);
    const text = `${path.join(folder, 'packets.bin')}: byte ${at} begins no whole packet of EGTS.`;
    expect(failure).toMatchObject({ message: text });
  });

  it('may have fields of a route in its headers', async () => {
    const route = { from: 1, to: 2, hops: 3 };
    const routed = egtsData(2, [{ number: 2, ...data }], { route });
    const signed = egtsData(3, [{ number: 3, ...data }], { signature: Buffer.from([1, 2]) });
    const { links, said } = await play(Buffer.concat([whole, routed, signed]), () => 0);
    expect(links).toEqual([[1, 2, 3]]);
    expect(said).toEqual(['3 packets', '3 records with the result 0']);
  });
});
