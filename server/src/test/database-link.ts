// A way to the database that can go silent, as when the database was stopped: what is said is taken, and nothing comes.
import { connect as connectTo, createServer, type Socket } from 'node:net';

export interface DatabaseLink {
  /** The address by which the database is reached over this link. */
  readonly url: string;
  /** From now on nothing comes through, in new connections neither. */
  fallSilent(): void;
  /** New connections come through; those that met the silence are cut. */
  speak(): void;
  close(): Promise<void>;
}

/** Opens a link to the database of an address. */
export async function openDatabaseLink(url: string): Promise<DatabaseLink> {
  const address = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => near.destroy()).on('close', () => sockets.delete(near));
    const far = connectTo(Number(address.port), address.hostname);
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => {
      if (!isSilent) near.destroy();
    });
    near.on('data', (bytes) => void (isSilent || far.write(bytes)));
    far.on('data', (bytes) => void (isSilent || near.write(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  const port = server.address();
  if (port === null || typeof port === 'string') throw new Error('no port');
  own.port = String(port.port);
  return {
    url: own.href,
    fallSilent: () => {
      isSilent = true;
    },
    speak: () => {
      isSilent = false;
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
