// A terminal tells nothing to a program that is no server of EGTS, and signs in again after a broken connection.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { egtsPacket, positionSubrecord } from './packet.ts';
import { createEgtsTerminal } from './terminal.ts';

const IMEI = '860000000000001';
const never = AbortSignal.any([]);
const record = {
  service: 2,
  subrecords: [positionSubrecord({ timeMs: Date.UTC(2026), latitude: 55.7, longitude: 37.6 })],
};

let stop = async (): Promise<void> => undefined;
afterEach(() => stop());

/** Starts a program on a free port. @returns its port, and the packets that it got */
async function program(answer: (packet: Buffer, socket: Socket) => void) {
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      heard.push(bytes);
      answer(bytes, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, heard };
}

const isSignIn = (packet: Buffer): boolean => packet[16] === 1;

/** Confirms the one record of a packet. */
function confirm(packet: Buffer, result: number): Buffer {
  const [id, number] = [packet.subarray(7, 9), packet.subarray(13, 15)];
  const data = Buffer.from([...id, 0, 6, 0, ...number, 0, 2, 2, 0, 3, 0, ...number, result]);
  return egtsPacket(1, 0, data);
}

/** The result of a sign-in. */
const signInResult = (result: number): Buffer =>
  egtsPacket(2, 1, Buffer.from([4, 0, 1, 0, 0, 1, 1, 9, 1, 0, result]));

it('a program that answers nothing hears the sign-in alone', async () => {
  const stranger = await program(() => undefined);
  const terminal = createEgtsTerminal(stranger, IMEI, 50);
  await expect(terminal.send([record], never)).rejects.toThrow('does not answer');
  expect(stranger.heard.map(isSignIn)).toEqual([true]);
});

it('a program that speaks something else hears the sign-in alone', async () => {
  const stranger = await program((_, socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
  const terminal = createEgtsTerminal(stranger, IMEI, 50);
  await expect(terminal.send([record], never)).rejects.toThrow('does not answer');
  expect(stranger.heard.map(isSignIn)).toEqual([true]);
});

it('a server that knows no such terminal hears no more than its sign-in', async () => {
  const server = await program((packet, socket) => {
    socket.write(Buffer.concat([confirm(packet, 0), signInResult(153)]));
  });
  const terminal = createEgtsTerminal(server, IMEI, 1000);
  await expect(terminal.send([record], never)).rejects.toThrow(`${IMEI} with 153`);
  expect(server.heard.map(isSignIn)).toEqual([true]);
});

it('a connection is used again, and after a broken one the terminal signs in anew', async () => {
  let isBroken = false;
  const server = await program((packet, socket) => {
    if (isBroken) {
      socket.destroy();
      return;
    }
    socket.write(isSignIn(packet) ? confirm(packet, 0) : confirm(packet, 135));
    if (isSignIn(packet)) socket.write(signInResult(0));
  });
  const terminal = createEgtsTerminal(server, IMEI, 1000);
  expect(await terminal.send([record], never)).toEqual([135]);
  expect(await terminal.send([record], never)).toEqual([135]);
  isBroken = true;
  await expect(terminal.send([record], never)).rejects.toThrow('closed');
  isBroken = false;
  expect(await terminal.send([record], never)).toEqual([135]);
  terminal.close();
  expect(server.heard.map(isSignIn)).toEqual([true, false, false, false, true, false]);
});

it('nobody waits for a terminal that is switched off', async () => {
  const off = new AbortController();
  const stranger = await program(() => off.abort());
  const terminal = createEgtsTerminal(stranger, IMEI, 60_000);
  await expect(terminal.send([record], off.signal)).rejects.toThrow('closed');
});
