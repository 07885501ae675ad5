// A proxy to the server that breaks in the middle of a transfer and recovers, like the link of a bus.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface BrokenLink {
  /** Address of the server through this link. */
  readonly url: string;
  /** Number of breaks so far. */
  readonly breaks: number;
  /** Breaks after a number of further uploaded bytes, once for each number. */
  breakAfter(bytes: readonly number[]): void;
  close(): Promise<void>;
}

/** Duration of a break, ms. */
const AWAY_MS = 1500;

/** Opens a link to a server. */
export async function openLink(serverUrl: string): Promise<BrokenLink> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const due: number[] = [];
  let sent = 0;
  let breaks = 0;
  let awayUntilMs = 0;
  const breakNow = (): void => {
    breaks += 1;
    sent = 0;
    due.shift();
    awayUntilMs = Date.now() + AWAY_MS;
    for (const socket of sockets) socket.destroy();
  };
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A break causes errors on the sockets by design.
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    if (Date.now() < awayUntilMs) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    keep(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.pipe(client);
    client.on('data', (chunk: Buffer) => {
      sent += chunk.length;
      const limit = due[0];
      if (limit !== undefined && sent >= limit) breakNow();
      else if (!upstream.write(chunk)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get breaks() {
      return breaks;
    },
    breakAfter: (bytes) => {
      sent = 0;
      due.push(...bytes);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
