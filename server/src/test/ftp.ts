// The FTP client of a registrar: one control connection, a data connection per upload. And a server with the port.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { Deps } from '../deps.ts';
import { type IssuedFtpLogin, issueFtpLogin } from '../fetching/ftp-logins.ts';
import { type FtpLimits, ftpLimits } from '../ftp/limits.ts';
import { createFtpListener } from '../ftp/listener.ts';
import type { TcpListener } from '../ingest/by-id/tcp-listener.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestFleet } from './fleet.ts';
import { adoptJt808 } from './jt808.ts';
import { createTestServer, type TestServer } from './test-deps.ts';
import { type Announced, announce } from './video.ts';

/** A client of an FTP server on this machine. */
export interface FtpClient {
  readonly socket: Socket;
  /** The next answer; a long one is one. @throws when the connection has ended without one */
  answer(): Promise<string>;
  /** Sends a command and waits for its answer. */
  ask(line: string): Promise<string>;
  /** Signs in. @returns the answer to the password */
  signIn(login: { readonly login: string; readonly password: string }): Promise<string>;
  /** Opens a data connection by PASV. */
  openData(): Promise<Socket>;
  /** Uploads bytes whole and waits for the last answer. @param command STOR by default */
  send(bytes: Buffer, command?: string): Promise<string>;
  /** Whether the server has closed the connection. */
  closed(): Promise<boolean>;
  /** Breaks the connection as a lost link does. */
  cut(): void;
}

/** Connects, and reads the greeting. @param from the address of the client, one of this machine */
export async function connectFtp(port: number, from = '127.0.0.1'): Promise<FtpClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined);
  const answers: string[] = [];
  let rest = '';
  let heard = Promise.withResolvers<void>();
  const wake = (): void => {
    heard.resolve();
    heard = Promise.withResolvers();
  };
  let isClosed = false;
  const closed = once(socket, 'close').then(() => {
    isClosed = true;
    wake();
    return true;
  });
  socket.setEncoding('latin1').on('data', (text: string) => {
    rest += text;
    // The last line of a long answer repeats its number with a space.
    for (let found = ANSWER.exec(rest); found !== null; found = ANSWER.exec(rest)) {
      answers.push(found[0].trimEnd());
      rest = rest.slice(found[0].length);
    }
    wake();
  });
  const client: FtpClient = {
    socket,
    answer: async () => {
      while (answers.length === 0) {
        if (isClosed) throw new Error('The connection has ended.');
        await heard.promise;
      }
      return answers.shift() ?? '';
    },
    ask: (line) => {
      socket.write(`${line}\r\n`, 'latin1');
      return client.answer();
    },
    signIn: async ({ login, password }) => {
      await client.ask(`USER ${login}`);
      return client.ask(`PASS ${password}`);
    },
    openData: async () => {
      const said = await client.ask('PASV');
      const [high, low] = /\((?:\d+,){4}(\d+),(\d+)\)/.exec(said)?.slice(1).map(Number) ?? [];
      if (high === undefined || low === undefined) throw new Error(said);
      const data = connect(high * 256 + low, '127.0.0.1').on('error', () => undefined);
      await once(data, 'connect');
      return data;
    },
    send: async (bytes, command = 'STOR video.mp4') => {
      const data = await client.openData();
      const begun = await client.ask(command);
      if (!begun.startsWith('150')) {
        data.destroy();
        return begun;
      }
      data.end(bytes);
      return client.answer();
    },
    closed: () => closed,
    cut: () => socket.destroy(),
  };
  await client.answer();
  return client;
}

const ANSWER = /^(\d{3})(?: .*|-[\s\S]*?\r\n\1 .*)\r\n/;

/** The moment at which the days of these tests begin, ms since 1970 UTC. */
const FTP_DAY_MS = Date.UTC(2026, 10, 20, 5);

/** A server with one registrar, and what it asks it for. */
export interface FtpWorld {
  readonly server: TestServer;
  /** Opens a port. @returns its number */
  open(limits?: Partial<FtpLimits>, deps?: Deps): Promise<number>;
  /** Stops what listens at the ports. */
  stopPorts(): Promise<void>;
  /** @param from the address of the client, one of this machine */
  client(port: number, from?: string): Promise<FtpClient>;
  /** A client that has signed in. */
  signedIn(port: number, login: IssuedFtpLogin): Promise<FtpClient>;
  /** Announces a fragment of the next minute. */
  announceNext(video?: 'queued' | 'kept'): Promise<Announced>;
  /** Switches the unit of the registrar on or off. */
  enable(enabled: boolean): Promise<void>;
  /** Issues a login for a file of so many bytes. */
  issue(announced: Announced, sizeBytes: number): Promise<IssuedFtpLogin>;
  uploadsOf(
    announced: Announced,
  ): Promise<{ id: string; received_bytes: number; finished_at: Date | null }[]>;
  /** Cuts the clients and stops the ports of a test. */
  endTest(): Promise<void>;
  close(): Promise<void>;
}

/** Creates it, a day after the first fragment. */
export async function createFtpWorld(): Promise<FtpWorld> {
  const server = await createTestServer([addIngest], { HOST: '127.0.0.1' });
  server.clock.set(FTP_DAY_MS + 24 * 3_600_000);
  const { db } = server.deps.database;
  const { firstBus } = await insertTestFleet(db);
  await adoptJt808(db, firstBus.unitId, '13900000000');
  const listeners: TcpListener[] = [];
  const clients: FtpClient[] = [];
  let minutes = 0;
  const client = async (port: number, from?: string): Promise<FtpClient> => {
    const one = await connectFtp(port, from);
    clients.push(one);
    return one;
  };
  const stopPorts = async (): Promise<void> => {
    await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
  };
  return {
    ...{ server, client, stopPorts },
    open: async (limits = {}, deps = server.deps) => {
      const listener = createFtpListener(deps, 0, { ...ftpLimits, ...limits });
      listeners.push(listener);
      await listener.start();
      return listener.openPort();
    },
    signedIn: async (port, login) => {
      const one = await client(port);
      expect(await one.signIn(login)).toMatch(/^230/);
      return one;
    },
    announceNext: (video = 'queued') => {
      minutes += 1;
      return announce(server, firstBus, FTP_DAY_MS + minutes * 60_000, video);
    },
    enable: async (enabled) => {
      await db.updateTable('units').set({ enabled }).where('id', '=', firstBus.unitId).execute();
    },
    issue: ({ fragmentId }, sizeBytes) =>
      db.transaction().execute((tx) =>
        issueFtpLogin(tx, {
          ...{ unitId: firstBus.unitId, fragmentId, sizeBytes },
          nowMs: server.clock.nowMs(),
        }),
      ),
    uploadsOf: ({ fragmentId }) =>
      db
        .selectFrom('uploads')
        .select(['id', 'received_bytes', 'finished_at'])
        .where('segment_id', '=', fragmentId)
        .execute(),
    endTest: async () => {
      for (const one of clients.splice(0)) one.cut();
      await stopPorts();
    },
    close: () => server.close(),
  };
}
