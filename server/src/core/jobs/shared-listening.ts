// One listening connection for all runners of a process. graphile-worker takes one for each runner, on which nothing but
// the same two channels is listened to: with ten classes, ten connections of the database for one.
import { EventEmitter } from 'node:events';
import pg from 'pg';
import { connectionOptions, cutConnection } from '../db/connections.ts';
import type { Database } from '../db/db.ts';

/** The methods of a client that graphile-worker's listener uses. */
type ListeningClient = Pick<pg.PoolClient, 'query' | 'release'> & EventEmitter;

interface Connection {
  readonly client: pg.Client;
  readonly connected: Promise<unknown>;
  readonly runners: Set<ListeningClient>;
  /** The answer to the first runner's LISTEN: all runners send the same one. */
  listening?: Promise<unknown>;
}

/**
 * Shares one listening connection.
 * @param onError gets the reason of each loss; the runners that used the connection take another one
 * @returns gives a runner its view of the connection, which is opened for the first one and closed with the last one;
 *   rejects with the database's error
 */
export function shareListening(
  { url, name, limits }: Pick<Database, 'url' | 'name' | 'limits'>,
  onError: (error: Error) => void,
): () => Promise<ListeningClient> {
  let current: Connection | undefined;

  const open = (): Connection => {
    const client = new pg.Client(connectionOptions(url, name, limits));
    const runners = new Set<ListeningClient>();
    const connection: Connection = { client, connected: client.connect(), runners };
    client.on('notification', (notice) => {
      for (const runner of runners) runner.emit('notification', notice);
    });
    client.on('error', (error) => {
      if (current !== connection) return;
      onError(error);
      close(connection);
      // A runner that is about to release its view no longer listens for errors; an unheard one would be thrown.
      for (const runner of [...runners]) {
        if (runner.listenerCount('error') > 0) runner.emit('error', error);
      }
    });
    return connection;
  };
  const close = (connection: Connection): void => {
    if (current === connection) current = undefined;
    cutConnection(connection.client);
  };

  return async () => {
    current ??= open();
    const connection = current;
    const runner: ListeningClient = Object.assign(new EventEmitter(), {
      query: ((text: string) => {
        // The other runners go on listening to the same channels.
        if (text.startsWith('UNLISTEN')) return Promise.resolve();
        connection.listening ??= connection.client.query(text);
        return connection.listening;
      }) as pg.PoolClient['query'],
      release: () => {
        connection.runners.delete(runner);
        if (connection.runners.size === 0) close(connection);
      },
    });
    connection.runners.add(runner);
    try {
      await connection.connected;
    } catch (error) {
      runner.release();
      throw error;
    }
    return runner;
  };
}
