// The port of a protocol over TCP. A connection is served by its protocol's session; this file opens, limits and closes.
import { createServer, type Socket } from 'node:net';
import { noteRefused, type RefusalDeps } from '../../core/refused-senders.ts';
import type { Deps, Listener } from '../../deps.ts';
import { createAddressCheck, plainAddress } from './addresses.ts';
import { listenAt, MOST_COMING, MOST_CONNECTIONS, openPortOf } from './tcp-port.ts';

/** A connection that is served. */
export interface Session {
  /** Waits, for a few seconds at most, until what was read is stored and answered, and closes it. */
  stop(): Promise<void>;
}

/** A listener, and its port once it is open. */
export interface TcpListener extends Listener {
  openPort(): number;
}

export interface TcpPort extends Pick<Deps, 'config' | 'log'>, RefusalDeps {
  readonly name: string;
  /** The variable that configures the port. */
  readonly variable: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Addresses and ranges whose connections are taken; undefined: all. */
  readonly from: readonly string[] | undefined;
  readonly openSession: (socket: Socket) => Session;
  /** Ends what the sessions share, after the last of them. */
  readonly close: () => Promise<void>;
}

/** Makes the listener of a port. */
export function createTcpListener({
  config,
  log,
  name,
  variable,
  port,
  from,
  openSession,
  close,
  ...deps
}: TcpPort): TcpListener {
  const sessions = new Set<Session>();
  const isAllowed = createAddressCheck(from);
  const server = createServer((socket) => {
    if (!isAllowed(socket.remoteAddress ?? '')) {
      noteRefused(deps, name, plainAddress(socket.remoteAddress));
      socket.destroy();
      return;
    }
    const session = openSession(socket);
    sessions.add(session);
    socket.on('close', () => sessions.delete(session));
  });
  server.maxConnections = MOST_CONNECTIONS + MOST_COMING;
  server.on('error', (err) => {
    // That it cannot be opened is told by the error of the start.
    if (server.listening) log.error({ err, listener: name }, 'a port failed');
  });
  return {
    name,
    port,
    start: () => listenAt(server, { variable, port, host: config.host }),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...sessions].map((session) => session.stop()));
      await closed;
      await close();
    },
    openPort: () => openPortOf(server),
  };
}
