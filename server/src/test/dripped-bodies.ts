// Bodies in chunks of single bytes, and the memory that they take in this process.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const BODIES = 30;
const CHUNKS = 60_000;

/** With a buffer for each chunk they take ten times as much, bytes. */
export const MOST_DRIPPED_BYTES = 40 * 2 ** 20;

/**
 * Sends 30 bodies of 60,000 bytes at the same time.
 * @param byte all of them
 * @returns the answers, and the most memory that was in use meanwhile beyond that before, bytes
 */
export async function sendDripped(
  url: URL,
  byte: string,
  headers = '',
): Promise<{ readonly answers: readonly string[]; readonly mostBytes: number }> {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const usedBytes = (): number => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const head = `POST ${url.pathname} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}transfer-encoding: chunked\r\n\r\n`;
  const chunks = Buffer.from(`1\r\n${byte}\r\n`.repeat(CHUNKS));
  const sockets: Socket[] = [];
  const beforeBytes = usedBytes();
  let mostBytes = 0;
  const sampling = setInterval(() => {
    mostBytes = Math.max(mostBytes, usedBytes() - beforeBytes);
  }, 20);
  try {
    for (let n = 0; n < BODIES; n += 1) {
      const socket = connect(Number(url.port), '127.0.0.1');
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(head);
      await new Promise<void>((resolve) => socket.write(chunks, () => resolve()));
    }
    const answered = sockets.map((socket) => text(socket));
    for (const socket of sockets) socket.write('0\r\n\r\n');
    return { answers: await Promise.all(answered), mostBytes };
  } finally {
    clearInterval(sampling);
    for (const socket of sockets) socket.destroy();
  }
}
