// The port of EGTS over TCP (GOST 33472-2015).
import { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import type { Deps, MakeListener } from '../../deps.ts';
import { createKnocks } from '../by-id/knocks.ts';
import { createConnectionTurns } from '../by-id/message-pump.ts';
import { createTcpListener, type TcpListener } from '../by-id/tcp-listener.ts';
import { createUnitFinder } from '../by-id/units.ts';
import { recordStoreOf } from '../store/record-store.ts';
import { openSession, type SessionLimits } from './session.ts';
import { createTakeRecords } from './take-records.ts';

/** A terminal must sign in within six seconds; one that drives sends at least each few minutes. */
const LIMITS: SessionLimits = { firstMs: 6_000, partMs: 10_000, idleMs: 15 * 60_000 };

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
): TcpListener {
  const { clock, log, metrics } = deps;
  const findUnits = createUnitFinder(deps, 'egts', (stored) => EgtsSettings.parse(stored));
  const knocks = createKnocks(deps, 'egts');
  const takeRecords = createTakeRecords({
    ...{ metrics, log, findUnits, knocks, store: recordStoreOf(deps) },
  });
  const inTurn = createConnectionTurns();
  return createTcpListener({
    ...deps,
    ...{ port, name: 'egts', variable: 'EGTS_PORT', from: deps.config.egtsFrom },
    openSession: (socket) =>
      openSession(socket, { ...{ clock, log, findUnits, takeRecords, knocks, limits, inTurn } }),
    close: () => knocks.close(),
  });
}
