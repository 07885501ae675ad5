// A proxy to the database that can fall silent, like a stopped database: it accepts data and sends nothing.
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { limitsOf } from '../core/db/connections.ts';
import { type Database, openDatabase } from '../core/db/db.ts';

export interface DatabaseLink {
  /** Address of the database through this proxy. */
  readonly url: string;
  /** From now on no data passes, also in new connections. */
  fallSilent(): void;
  /** Passes data of new connections, and closes those that were silent. */
  speak(): void;
  close(): Promise<void>;
}

/** Opens a proxy to the database at an address. */
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

/** Opens a database behind a proxy, as a process does that takes records; both end with the test. */
export async function openFarDatabase(
  url: string,
): Promise<{ readonly far: DatabaseLink; readonly database: Database }> {
  const far = await openDatabaseLink(url);
  const database = openDatabase(far.url, 2, limitsOf.ingest, () => undefined);
  onTestFinished(async () => {
    await database.close();
    await far.close();
  });
  return { far, database };
}
