// The port of EGTS over TCP (GOST 33472-2015).
import { createServer } from 'node:net';
import { reasonOf, StartError } from '../../core/errors.ts';
import type { Deps, Listener, MakeListener } from '../../deps.ts';
import { createRecordStore } from '../store/store-records.ts';
import { createAddressCheck } from './addresses.ts';
import { createKnocks } from './knocks.ts';
import { openSession, type Session, type SessionLimits } from './session.ts';
import { createTakeRecords } from './take-records.ts';
import { createUnitFinder } from './units.ts';

/** A terminal must sign in within six seconds; one that drives sends at least each few minutes. */
const LIMITS: SessionLimits = { firstMs: 6_000, partMs: 10_000, idleMs: 15 * 60_000 };
/** Connections of a process; further ones are closed at once. */
const MOST_CONNECTIONS = 12_000;

/** The listener, and its port once it is open. */
export interface EgtsListener extends Listener {
  openPort(): number;
}

/** Makes the listener when the configuration has a port for it. */
export const makeEgtsListener: MakeListener = (deps) =>
  deps.config.egtsPort === 0 ? null : createEgtsListener(deps, deps.config.egtsPort);

/**
 * Makes the listener of a port.
 * @param port 0: any that is free
 * @param limits tests have shorter ones
 */
export function createEgtsListener(
  deps: Deps,
  port: number,
  limits: SessionLimits = LIMITS,
): EgtsListener {
  const findUnits = createUnitFinder(deps);
  const knocks = createKnocks(deps);
  const takeRecords = createTakeRecords(deps, createRecordStore(deps), findUnits, knocks);
  const { clock, log, config } = deps;
  const sessions = new Set<Session>();
  const isAllowed = createAddressCheck(config.egtsFrom);
  const server = createServer((socket) => {
    if (!isAllowed(socket.remoteAddress ?? '')) {
      socket.destroy();
      return;
    }
    const session = openSession(socket, {
      ...{ clock, log, findUnits, takeRecords, knocks, limits },
    });
    sessions.add(session);
    socket.on('close', () => sessions.delete(session));
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on('error', (error) => log.error({ err: error }, 'the port of EGTS failed'));
  return {
    name: 'egts',
    port,
    start: () =>
      new Promise((resolve, reject) => {
        const fail = (cause: Error): void =>
          reject(new StartError(`EGTS_PORT is invalid: ${reasonOf(cause)}`, { cause }));
        server.once('error', fail);
        server.listen({ port, host: config.host }, () => {
          server.off('error', fail);
          resolve();
        });
      }),
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...sessions].map((session) => session.stop()));
      await closed;
      await knocks.close();
    },
    openPort: () => {
      const address = server.address();
      return address === null || typeof address === 'string' ? 0 : address.port;
    },
  };
}
