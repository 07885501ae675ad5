// Captured packets are played over a real socket, each until it is answered.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { egtsData, egtsPacket } from '../egts/packet.ts';
import { createTimers } from '../uplink/timers.ts';
import { readCaptureFlags, replayCapture } from './capture.ts';

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
async function play(...captures: string[]): Promise<{ said: string[]; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      heard.push(bytes.toString('hex'));
      const id = bytes.readUInt16LE(7);
      socket.write(confirm(id, 10 + id, id === 2 ? 153 : 0));
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
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  return { said, heard };
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
      expect(heard).toEqual(packets.map((packet) => packet.toString('hex')));
      expect(said).toEqual([
        '3 packets',
        '2 records with the result 0',
        '1 records with the result 153',
      ]);
    }
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
