// Captured packets are played over a real socket, each until it is answered.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { egtsData, egtsPacket } from '../egts/packet.ts';
import { JT808, locationBody } from '../jt808/bodies.ts';
import { jt808Frame, u16, withoutEscapes } from '../jt808/message.ts';
import { createTimers } from '../uplink/timers.ts';
import { readCaptureFlags, replayCapture } from './capture.ts';
import { CaptureError, createTally } from './capture-run.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-capture-'));
});
afterAll(() => rm(folder, { recursive: true }));

const packets = [1, 2, 3].map((id) =>
  egtsData(id, [{ number: 10 + id, service: 2, object: 5, subrecords: [] }]),
);
/** The confirmation of a packet's one record. */
const confirm = (id: number, number: number, result: number): Buffer =>
  egtsPacket(id, 0, Buffer.from([id, 0, 0, 6, 0, id, 0, 0, 2, 2, 0, 3, 0, number, 0, result]));

/** Plays files to a server that confirms packets 1 and 3, and says of 2 that it knows no such object. */
const play = (...captures: string[]) => playTo(() => 153, ...captures);

/** @param resultOf2 gets how often packet 2 came; undefined: the server closes the connection */
async function playTo(
  resultOf2: (times: number) => number | undefined,
  ...captures: string[]
): Promise<{ said: string[]; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      const hex = bytes.toString('hex');
      heard.push(hex);
      const id = bytes.readUInt16LE(7);
      const times = heard.filter((one) => one === hex).length;
      const result = id === 2 ? resultOf2(times) : 0;
      if (result === undefined) socket.destroy();
      else socket.write(confirm(id, 10 + id, result));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const said: string[] = [];
  try {
    await replayCapture({
      flags: readCaptureFlags([
        ...['--protocol', 'egts', '--to', `127.0.0.1:${port}`],
        ...captures.flatMap((file) => ['--capture', file]),
      ]),
      timers: createTimers(0),
      signal: AbortSignal.any([]),
      say: (line) => said.push(line),
      ...{ againMs: 1, adoptedMs: 1 },
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  return { said, heard };
}

/** A port at which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a capture', () => {
  it('of rows or of bytes is sent packet by packet, without the answers in it', async () => {
    const rows = path.join(folder, 'packets.csv');
    const hex = packets.map((packet, n) => `${n},${packet.toString('hex')}`);
    await writeFile(rows, ['id,hex', ...hex, `9,${confirm(1, 11, 0).toString('hex')}`].join('\n'));
    const bytes = path.join(folder, 'packets.bin');
    await writeFile(bytes, Buffer.concat(packets));
    for (const file of [rows, bytes]) {
      const { said, heard } = await play(file);
      const [first, second, third] = packets.map((packet) => packet.toString('hex'));
      // A unit may have been adopted a moment ago.
      expect(heard).toEqual([first, second, second, third]);
      expect(said).toEqual([
        '3 packets',
        '2 records with the result 0',
        '1 record with the result 153',
      ]);
    }
  });

  it('of a unit that was adopted a moment ago arrives whole', async () => {
    const bytes = path.join(folder, 'adopted.bin');
    await writeFile(bytes, Buffer.concat(packets));
    const { said } = await playTo((times) => (times === 1 ? 153 : 0), bytes);
    expect(said).toEqual(['3 packets', '3 records with the result 0']);
  });

  it('of a unit that was adopted a moment ago has four tries since then', async () => {
    const bytes = path.join(folder, 'tried.bin');
    await writeFile(bytes, Buffer.concat(packets));
    const results = [153, undefined, undefined, undefined, 0];
    const { said } = await playTo((times) => results[times - 1], bytes);
    expect(said).toEqual([
      '3 packets',
      ...Array(3).fill(
        expect.stringMatching(/: the connection is closed\. The next attempt is in 0\.001 s\.$/),
      ),
      '3 records with the result 0',
    ]);
  });

  it.each([
    ['egts', '127.0.0.1:#', 'EGTS_PORT', 'packets.bin'],
    ['jt808', '127.0.0.1:#', 'JT808_PORT', 'frames.bin'],
    ['osmand', '127.0.0.1:#', 'OSMAND_PORT', 'requests.txt'],
    ['osmand', 'http://127.0.0.1:#/unit/osmand', 'PORT', 'requests.txt'],
  ])(
    'of %s to %s, where nothing listens, says so at each attempt',
    async (protocol, at, name, file) => {
      const to = at.replace('#', `${await closedPort()}`);
      const capture = path.join(folder, `nowhere-${file}`);
      const frame = { form: '2013', phone: '13912345678', id: 0x0002, serial: 5 } as const;
      const contents = {
        'packets.bin': packets[0] ?? '',
        'frames.bin': jt808Frame({ ...frame, body: Buffer.alloc(0) }),
        'requests.txt': '/?id=7',
      };
      await writeFile(capture, contents[file as keyof typeof contents]);
      const said: string[] = [];
      const replayed = replayCapture({
        flags: readCaptureFlags(['--protocol', protocol, '--to', to, '--capture', capture]),
        ...{ timers: createTimers(0), signal: AbortSignal.any([]), againMs: 1 },
        say: (line) => said.push(line),
      });
      const place = protocol === 'osmand' && !to.startsWith('http') ? `http://${to}/` : to;
      const why = `Nothing listens at ${place}: the variable ${name} of the server configures its port.`;
      await expect(replayed).rejects.toThrow(
        new CaptureError(`The capture was not sent to its end. ${why}`),
      );
      expect(said.slice(1)).toEqual(Array(3).fill(`${why} The next attempt is in 0.001 s.`));
    },
  );

  it('of which the server refuses every record is an error', async () => {
    const bytes = path.join(folder, 'refused.bin');
    await writeFile(bytes, packets[1] ?? '');
    await expect(playTo(() => 153, bytes)).rejects.toThrow(
      new CaptureError('The server refused every record.'),
    );
  });

  it('is refused when all that hold a record are, whatever a heartbeat is answered', () => {
    const tally = createTally({ say: () => undefined });
    tally.add(0, undefined);
    tally.check();
    tally.add(1, true);
    expect(tally.check).toThrow(CaptureError);
    tally.add(0, false);
    tally.check();
  });

  it.each([
    ['{}', '[{"a":1},{"a":2}]', false],
    ['{"refused":[{"index":1}]}', '[{"a":1},{"a":2}]', false],
    ['{"refused":[{"index":0},{"index":1}]}', '[{"a":1},{"a":2}]', true],
    ['{"refused":[{"index":0}]}', '{"a":1}', true],
  ])(
    'of the OsmAnd form that is answered with %s to %s is refused: %s',
    async (answer, body, isRefused) => {
      const server = createHttpServer((_, response) => void response.writeHead(200).end(answer));
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      const file = path.join(folder, 'list.csv');
      const cell = `"${body.replaceAll('"', '""')}"`;
      await writeFile(file, `method,content_type,url_or_body\nPOST,application/json,${cell}\n`);
      const to = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const replayed = replayCapture({
        flags: readCaptureFlags(['--protocol', 'osmand', '--to', to, '--capture', file]),
        ...{ timers: createTimers(0), signal: AbortSignal.any([]), say: () => undefined },
      });
      if (isRefused) await expect(replayed).rejects.toThrow('The server refused every record.');
      else await replayed;
    },
  );

  it('of a terminal that was adopted a moment ago registers it once more', async () => {
    const identity = { form: '2013', phone: '13912345678' } as const;
    const heard: number[] = [];
    const server = createServer((socket) => {
      socket.on('data', (bytes) => {
        const message = withoutEscapes(bytes.subarray(1, bytes.indexOf(0x7e, 1)));
        const [id, serial] = [message.readUInt16BE(0), message.readUInt16BE(10)];
        heard.push(id);
        const isFirst = heard.length === 1;
        const registered = Buffer.concat([u16(serial), Buffer.from(isFirst ? [4] : [0, 0x63])]);
        const done = Buffer.concat([u16(serial, id), Buffer.from([0])]);
        const answer =
          id === JT808.register ? { id: 0x8100, body: registered } : { id: 0x8001, body: done };
        socket.write(jt808Frame({ ...identity, ...answer, serial: heard.length }));
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const file = path.join(folder, 'frames.bin');
    const place = { timeMs: Date.UTC(2026, 2, 10), latitude: 55.7, longitude: 37.6 };
    const body = locationBody({ ...place, speedKmh: 20, course: 90 });
    await writeFile(file, jt808Frame({ ...identity, id: 0x0200, serial: 5, body }));
    const said: string[] = [];
    const to = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await replayCapture({
      flags: readCaptureFlags(['--protocol', 'jt808', '--to', to, '--capture', file]),
      ...{ timers: createTimers(0), signal: AbortSignal.any([]), adoptedMs: 1 },
      say: (line) => said.push(line),
    });
    expect(heard).toEqual([JT808.register, JT808.register, JT808.signIn, 0x0200]);
    expect(said).toEqual(['1 message', '1 message with the result 0']);
  });

  it.each([
    ['400, as to a query', 400],
    ['404, as to JSON', 404],
  ])('of the OsmAnd form asks once more when nobody knows an identifier: %s', async (_, status) => {
    const asked: string[] = [];
    const server = createHttpServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(asked.length === 1 || request.url === '/?id=9' ? status : 200).end();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const file = path.join(folder, 'requests.txt');
    await writeFile(file, '/?id=7\n/?id=8\n/?id=9\n');
    const said: string[] = [];
    const to = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await replayCapture({
      flags: readCaptureFlags(['--protocol', 'osmand', '--to', to, '--capture', file]),
      ...{ timers: createTimers(0), signal: AbortSignal.any([]), adoptedMs: 1 },
      say: (line) => said.push(line),
    });
    expect(asked).toEqual(['/?id=7', '/?id=7', '/?id=8', '/?id=9']);
    expect(said).toEqual([
      ...['3 requests', '2 requests answered with 200', `1 request answered with ${status}`],
    ]);
  });

  it('of the OsmAnd form is sent again when the connection ends within an answer', async () => {
    let asked = 0;
    const server = createHttpServer((_, response) => {
      asked += 1;
      if (asked > 1) response.end();
      else response.writeHead(200, { 'content-length': 9 }).write('{}', () => response.destroy());
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const file = path.join(folder, 'broken.txt');
    await writeFile(file, '/?id=7\n');
    const to = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await replayCapture({
      flags: readCaptureFlags(['--protocol', 'osmand', '--to', to, '--capture', file]),
      ...{ timers: createTimers(0), signal: AbortSignal.any([]), againMs: 1 },
      say: () => undefined,
    });
    expect(asked).toBe(2);
  });

  it('that is no capture is refused before anything is sent', async () => {
    const rows = path.join(folder, 'other.csv');
    await writeFile(rows, 'id,name\n1,bus');
    await expect(play(rows)).rejects.toThrow('row 1: the column hex has no packet');
    await expect(play(path.join(folder, 'missing'))).rejects.toThrow('cannot be read');
  });

  it('needs a server and files', () => {
    const read = (...args: string[]) => readCaptureFlags(['--protocol', ...args]);
    expect(() => read('wialon')).toThrow("--protocol 'wialon' is none of egts, jt808, osmand");
    expect(() => read('egts', '--capture', 'a')).toThrow('--to is required');
    expect(() => read('egts', '--to', 'localhost:99999', '--capture', 'a')).toThrow('--to');
    expect(() => read('egts', '--to', 'localhost:20332')).toThrow('--capture is required');
    expect(() => read('jt808', '--to', 'http://localhost:20808')).toThrow('--to is required');
    expect(() => read('osmand', '--to', 'localhost')).toThrow('--to is required');
  });

  it('of the OsmAnd form goes to an address, or to a port of its own', () => {
    const read = (to: string) =>
      readCaptureFlags(['--protocol', 'osmand', '--to', to, '--capture', 'a']).to;
    const url = 'https://buses.example/unit/osmand';
    expect(read(url)).toEqual({ protocol: 'osmand', url });
    expect(read('localhost:5055')).toEqual({ protocol: 'osmand', url: 'http://localhost:5055/' });
  });
});
