import net from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildApp } from './app.ts';
import { createAuthenticators } from './auth/authenticators.ts';
import { isPortClosed, listClosedPorts } from './core/closed-ports.ts';
import { PortError } from './core/errors.ts';
import { createMetrics } from './core/metrics.ts';
import type { Listener } from './deps.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { createTestServer, type TestServer } from './test/test-deps.ts';

/** A protocol on a free port that answers each line with `ok`. */
function lineProtocol(name: string): Listener & { openPort(): number } {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('data', () => socket.end('ok\n'));
  });
  return {
    name,
    port: 0,
    openPort: () => (server.address() as net.AddressInfo).port,
    start: () => new Promise((resolve) => void server.listen(0, '127.0.0.1', resolve)),
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const unclosable = (name: string): Listener => ({
  ...{ name, port: 0 },
  start: async () => undefined,
  stop: async () => {
    throw new Error(`${name} does not close`);
  },
});

/** A port that another program has until it gives it up. */
function taken(name: string): Listener & { giveUp(): void; tries(): number } {
  let isTaken = true;
  let tries = 0;
  return {
    ...{ name, port: 20_999 },
    giveUp: () => {
      isTaken = false;
    },
    tries: () => tries,
    start: async () => {
      tries += 1;
      if (isTaken) throw new PortError(`the port of ${name} cannot be opened`, 'taken');
    },
    stop: async () => undefined,
  };
}

function say(port: number, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    net
      .connect(port, '127.0.0.1', function (this: net.Socket) {
        this.write(line);
      })
      .setEncoding('utf8')
      .on('data', (text) => {
        said += text;
      })
      .on('close', () => resolve(said))
      .on('error', reject);
  });
}

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer([]);
});
afterAll(() => server.close());

/** Time between two attempts, ms. */
const AGAIN_MS = 20;

let running: Listeners[] = [];
afterEach(async () => {
  await Promise.all(running.map((listeners) => listeners.stop()));
  running = [];
});
function listenersOf(...list: Listener[]): Listeners {
  const listeners = createListeners(list, server.deps, AGAIN_MS);
  running.push(listeners);
  return listeners;
}
async function told(): Promise<string[]> {
  const rows = await listClosedPorts(server.deps.database.db);
  return rows.map(({ listener }) => listener);
}
const openOf = async (name: string): Promise<number | undefined> =>
  (await server.deps.metrics.listenersOpen.get()).values.find(
    ({ labels }) => labels.listener === name,
  )?.value;

describe('a port for units that do not speak HTTP', () => {
  it('is open beside the calls, and the process is ready while all ports are', async () => {
    const protocol = lineProtocol('lines');
    const listeners = listenersOf(protocol);
    const auth = await createAuthenticators(server.deps);
    const app = await buildApp(server.deps, auth, [], undefined, listeners.isReady);
    const ready = async () => (await app.inject('/readyz')).statusCode;
    try {
      expect([await ready(), await openOf('lines')]).toEqual([503, 0]);
      await listeners.start();
      expect([await ready(), await openOf('lines')]).toEqual([200, 1]);
      expect(await say(protocol.openPort(), 'hello\n')).toBe('ok\n');
      const port = protocol.openPort();
      await listeners.stop();
      expect([await ready(), await openOf('lines')]).toEqual([503, 0]);
      await expect(say(port, 'hello\n')).rejects.toThrow('ECONNREFUSED');
    } finally {
      await app.close();
    }
  });

  it('that another program has stops neither the others nor the process', async () => {
    const listeners = listenersOf(lineProtocol('first'), taken('second'), lineProtocol('third'));
    await listeners.start();
    expect(listeners.isReady()).toBe(true);
    expect([await openOf('first'), await openOf('second'), await openOf('third')]).toEqual([
      1, 0, 1,
    ]);
  });

  it('that another program gives up is opened then, and no longer told of; its log line is no line of each try', async () => {
    const { db } = server.deps.database;
    await db.deleteFrom('closed_ports').execute();
    const protocol = taken('late');
    const error = vi.spyOn(server.deps.log, 'error').mockReturnValue(undefined);
    const listeners = listenersOf(protocol);
    await listeners.start();
    expect(await told()).toEqual(['late']);
    await vi.waitUntil(() => protocol.tries() > 2, { timeout: 60_000 });
    protocol.giveUp();
    await vi.waitFor(async () => expect(await told()).toEqual([]), { timeout: 60_000 });
    expect(await openOf('late')).toBe(1);
    const lines = [...error.mock.calls];
    error.mockRestore();
    // The reason is a sentence for the operator; where the code has found it helps nobody.
    const reason = 'the port of late cannot be opened';
    expect(lines).toEqual([
      [{ listener: 'late', reason }, 'a port cannot be opened'],
      [{ listener: 'late' }, 'a port is open now'],
    ]);
  });

  it('that one process has is closed for another one only', async () => {
    const there = { ...server.deps, metrics: createMetrics() };
    const first = { ...taken('shared'), start: async () => undefined };
    const [own, other] = [listenersOf(first), createListeners([taken('shared')], there, AGAIN_MS)];
    running.push(other);
    await own.start();
    await other.start();
    const isClosed = (deps: typeof there) => isPortClosed(deps, 'shared', first.port);
    expect([await isClosed(server.deps), await isClosed(there)]).toEqual([false, true]);
    await own.stop();
    expect(await isClosed(server.deps)).toBe(true);
  });

  it('that a process could not open is told of no more once it stops, unless another process wants it', async () => {
    const HOUR_MS = 3_600_000;
    const first = createListeners([taken('both'), taken('own')], server.deps, HOUR_MS);
    const other = createListeners([taken('both')], server.deps, HOUR_MS);
    running.push(first, other);
    await first.start();
    await other.start();
    expect(await told()).toEqual(['both', 'own']);
    await first.stop();
    expect(await told()).toEqual(['both']);
    await other.stop();
    expect(await told()).toEqual([]);
  });

  it('that no process has tried since this one began is told of no more: it was killed, and now its port is off', async () => {
    const { db } = server.deps.database;
    const before = sql<Date>`now() - interval '1 s'`;
    const noted = { port: 20_999, reason: 'taken', since: before, tried_at: before };
    const listeners = ['killed', 'wanted'].map((listener) => ({ ...noted, listener }));
    await db.insertInto('closed_ports').values(listeners).execute();
    await listenersOf(taken('wanted')).start();
    await vi.waitFor(async () => expect(await told()).toEqual(['wanted']), { timeout: 60_000 });
  });

  it('that does not close holds up none of the others', async () => {
    const first = lineProtocol('first');
    const listeners = listenersOf(first, unclosable('second'));
    await listeners.start();
    const port = first.openPort();
    await listeners.stop();
    await expect(say(port, 'hello\n')).rejects.toThrow('ECONNREFUSED');
  });
});

it('a process without such ports is ready as soon as it serves', async () => {
  const listeners = listenersOf();
  await listeners.start();
  expect(listeners.isReady()).toBe(true);
});
