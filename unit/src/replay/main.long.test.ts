// The command that plays captures, as an operator starts it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { egtsData, egtsPacket } from '../egts/packet.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-command-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts the command. @returns how it ended, and what it said */
const run = (...args: string[]): Promise<{ code: number; out: string; said: string }> =>
  new Promise((resolve) => {
    const main = path.join(import.meta.dirname, 'main.ts');
    execFile(process.execPath, [main, ...args], (error, out, said) =>
      resolve({ code: Number(error?.code ?? 0), out, said }),
    );
  });

it('plays a capture of EGTS to a server, and says what came back', async () => {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      heard.push(bytes.toString('hex'));
      socket.write(egtsPacket(1, 0, Buffer.from([1, 0, 0, 6, 0, 1, 0, 0, 2, 2, 0, 3, 0, 7, 0, 0])));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const packet = egtsData(1, [{ number: 7, service: 2, object: 5, subrecords: [] }]);
  const file = path.join(folder, 'capture.csv');
  await writeFile(file, `id,hex\n1,${packet.toString('hex')}\n`);
  const to = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, out } = await run('--protocol', 'egts', '--to', to, '--capture', file);
  await new Promise((resolve) => server.close(resolve));
  expect([code, out]).toEqual([0, '1 packet\n1 record with the result 0\n']);
  expect(heard).toEqual([packet.toString('hex')]);
});

it('says in one sentence what is wrong with how it was called', async () => {
  const { code, said } = await run('--protocol', 'wialon');
  expect([code, said]).toEqual([1, "--protocol 'wialon' is none of egts, jt808, osmand\n"]);
});

it('ends with a plain sentence when the server refuses every record', async () => {
  const server = createHttpServer((_, response) => void response.writeHead(403).end());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const file = path.join(folder, 'requests.txt');
  await writeFile(file, '/?id=7\n');
  const to = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, said } = await run('--protocol', 'osmand', '--to', to, '--capture', file);
  await new Promise((resolve) => server.close(resolve));
  expect([code, said]).toEqual([1, 'The server refused every record.\n']);
});
