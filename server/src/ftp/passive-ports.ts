// Ports of data connections. The server never connects to a registrar: an address in a command would let anybody use it
// against others.
import { createServer, type Server, type Socket } from 'node:net';
import { plainAddress } from '../ingest/by-id/addresses.ts';

/** A port that waits for one connection. */
export interface PassivePort {
  readonly port: number;
  /** The connection; undefined: none came in time, or the port was closed. */
  readonly connection: Promise<Socket | undefined>;
  /** Closes the port, and the connection if it came. */
  close(): void;
}

/** The ports of a process. */
export interface PassivePorts {
  /**
   * Opens a port for one connection. A login has one that waits: the one before is closed.
   * @param from the only address that may connect, as `plainAddress` writes it
   * @param login the name of the login that asks for it
   * @returns undefined when no port of the range is free
   */
  open(from: string, login: string): Promise<PassivePort | undefined>;
}

interface PassiveRange {
  readonly first: number;
  readonly last: number;
  /** The address to listen on. */
  readonly host: string;
  /** Ports of the range that the process has for something else, or opens again later. */
  readonly except: readonly number[];
  /** A port waits this long, ms. */
  readonly waitMs: number;
}

/**
 * Makes the ports of a range.
 * @param range its ends are both included; a port waits `waitMs`, ms, for its connection. It is free again once that
 *   has come: the system lets a port listen anew beside the connections that came by it
 */
export function createPassivePorts({
  first,
  last,
  host,
  except,
  waitMs,
}: PassiveRange): PassivePorts {
  const size = last - first + 1;
  const taken = new Set(except);
  /** The one of each login. */
  const waiting = new Map<string, PassivePort>();
  let next = 0;
  const openAt = async (
    port: number,
    from: string,
    login: string,
  ): Promise<PassivePort | undefined> => {
    const server = createServer();
    taken.add(port);
    if (!(await listens(server, port, host))) {
      taken.delete(port);
      return undefined;
    }
    waiting.get(login)?.close();
    const open = waitFor(server, { port, from, waitMs }, () => {
      taken.delete(port);
      if (waiting.get(login) === open) waiting.delete(login);
    });
    waiting.set(login, open);
    return open;
  };
  return {
    open: async (from, login) => {
      // Another process of the machine may have the ports that this one has not.
      for (let tried = 0; tried < size; tried += 1) {
        const port = first + next;
        next = (next + 1) % size;
        const open = taken.has(port) ? undefined : await openAt(port, from, login);
        if (open !== undefined) return open;
      }
      return undefined;
    },
  };
}

const listens = (server: Server, port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host, backlog: 4 }, () => resolve(true));
  });

interface AwaitedConnection {
  readonly port: number;
  readonly from: string;
  readonly waitMs: number;
}

/** @param onEnd is called once, when the port listens no more */
function waitFor(
  server: Server,
  { port, from, waitMs }: AwaitedConnection,
  onEnd: () => void,
): PassivePort {
  const { promise, resolve } = Promise.withResolvers<Socket | undefined>();
  let isClosed = false;
  let isOver = false;
  const end = (socket?: Socket): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    server.close();
    onEnd();
    resolve(socket);
  };
  const timer = setTimeout(end, waitMs);
  let came: Socket | undefined;
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    if (isClosed || came !== undefined || plainAddress(socket.remoteAddress) !== from) {
      socket.destroy();
      return;
    }
    came = socket;
    end(socket);
  });
  server.on('error', () => end());
  return {
    port,
    connection: promise,
    close: () => {
      isClosed = true;
      came?.destroy();
      end();
    },
  };
}
