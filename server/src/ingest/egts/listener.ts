// The port of EGTS over TCP (GOST 33472-2015).
import { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import { createFaultLog } from '../../core/fault-log.ts';
import type { Deps, MakeListener } from '../../deps.ts';
import { createConnectionTurns } from '../by-id/connection-turns.ts';
import { createHeardUnits } from '../by-id/heard-units.ts';
import { createKnocks } from '../by-id/knocks.ts';
import { createTcpListener, type TcpListener } from '../by-id/tcp-listener.ts';
import { createUnitPlaces, openInPlace } from '../by-id/unit-places.ts';
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
 * @param places tests have fewer
 */
export function createEgtsListener(
  deps: Deps,
  port: number,
  limits: SessionLimits = LIMITS,
  places = createUnitPlaces(),
): TcpListener {
  const { clock, log, metrics } = deps;
  const findUnits = createUnitFinder(deps, 'egts', (stored) => EgtsSettings.parse(stored));
  const knocks = createKnocks(deps, 'egts');
  const heardUnits = createHeardUnits(deps);
  const takeRecords = createTakeRecords({
    ...{ metrics, log, findUnits, knocks, store: recordStoreOf(deps) },
  });
  const inTurn = createConnectionTurns();
  const name = 'egts';
  const unitPort = { name, places, faults: createFaultLog(deps) };
  return createTcpListener({
    ...deps,
    ...{ port, name, variable: 'EGTS_PORT', from: deps.config.egtsFrom },
    openSession: (socket) =>
      openInPlace(unitPort, socket, (place) =>
        openSession(socket, {
          ...{ clock, log, findUnits, takeRecords, knocks, heardUnits, limits, inTurn, place },
        }),
      ),
    close: async () => {
      await heardUnits.close();
      await knocks.close();
    },
  });
}
