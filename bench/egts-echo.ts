// The least that an acknowledgement may cost: a process that takes bytes, writes them to a disk for good, and sends them
// back. What comes while it writes is written together.
import { fdatasync, mkdtempSync, openSync, rmSync, write } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-echo-'));
const file = openSync(path.join(folder, 'echo'), 'w');
const [toFile, toDisk] = [promisify(write), promisify(fdatasync)];
let waiting: { readonly socket: Socket; readonly bytes: Buffer }[] = [];
let isWriting = false;

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes: Buffer) => {
    waiting.push({ socket, bytes });
    if (!isWriting) void writeAll();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.once('disconnect', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});

async function writeAll(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const some = waiting;
    waiting = [];
    await toFile(file, Buffer.concat(some.map(({ bytes }) => bytes)));
    await toDisk(file);
    for (const { socket, bytes } of some) if (!socket.destroyed) socket.write(bytes);
  }
  isWriting = false;
}
