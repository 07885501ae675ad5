// A link to a port of the server that breaks in the middle of what is sent, like that of a bus.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutLink {
  readonly host: string;
  readonly port: number;
  /** Breaks once, after so many further bytes to the server; of the last ones a half still arrives. */
  cutAfter(bytes: number): void;
  /** How often it broke. */
  readonly cuts: number;
  close(): Promise<void>;
}

/** Opens it on a free port. @param port of the server */
export async function openCutLink(port: number): Promise<CutLink> {
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let cuts = 0;
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    keep(client, server);
    keep(server, client);
    server.pipe(client);
    client.on('data', (bytes) => {
      left -= bytes.length;
      if (left > 0) {
        server.write(bytes);
        return;
      }
      left = Number.POSITIVE_INFINITY;
      cuts += 1;
      server.write(bytes.subarray(0, bytes.length >> 1), () => client.destroy());
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    ...{ host: '127.0.0.1', port: (proxy.address() as AddressInfo).port },
    get cuts() {
      return cuts;
    },
    cutAfter: (bytes) => {
      left = bytes;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
