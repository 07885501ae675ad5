// The port of JT/T 808 over TCP.
import { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { createFaultLog } from '../../core/fault-log.ts';
import type { Deps, MakeListener } from '../../deps.ts';
import { plainAddress } from '../by-id/addresses.ts';
import { createConnectionTurns } from '../by-id/connection-turns.ts';
import { createHeardUnits } from '../by-id/heard-units.ts';
import { createKnocks } from '../by-id/knocks.ts';
import type { SilenceLimits } from '../by-id/message-pump.ts';
import { createTakeTold } from '../by-id/take-told.ts';
import { createTcpListener, type TcpListener } from '../by-id/tcp-listener.ts';
import { createUnitPlaces, openInPlace } from '../by-id/unit-places.ts';
import { createUnitFinder } from '../by-id/units.ts';
import { createTerminalCommands } from '../jt1078/terminal-commands.ts';
import { recordStoreOf } from '../store/record-store.ts';
import { openSession } from './session.ts';
import { createSplitRoom } from './split-messages.ts';
import { createCodeLoader } from './terminal-codes.ts';
import { createTerminals, type Terminals } from './terminals.ts';
import { STANDARD, type Wrong } from './told-messages.ts';

/** A terminal registers or signs in at once, and one that has nothing to say sends heartbeats. */
const LIMITS: SilenceLimits = { firstMs: 30_000, idleMs: 15 * 60_000 };
/** Terminals wait ten seconds or more for an answer; later they send again, ms. */
const LONGEST_WAIT_MS = 10_000;
const NO_NUMBER = 'the number of a terminal is nothing but zeros: no unit can have it';

/** A listener that can also send something to the terminals of its process. */
export interface Jt808Listener extends TcpListener, Pick<Terminals, 'ask'> {}

/** Makes the listener when the configuration has a port for it. */
export const makeJt808Listener: MakeListener = (deps) =>
  deps.config.jt808Port === 0 ? null : createJt808Listener(deps, deps.config.jt808Port);

/**
 * Makes the listener of a port.
 * @param port 0: any that is free
 * @param limits tests have shorter ones
 * @param places tests have fewer
 */
export function createJt808Listener(
  deps: Deps,
  port: number,
  limits: SilenceLimits = LIMITS,
  places = createUnitPlaces(),
): Jt808Listener {
  const { clock, log, metrics } = deps;
  const findUnits = createUnitFinder(deps, 'jt808', (stored) => Jt808Settings.parse(stored));
  const knocks = createKnocks(deps, 'jt808');
  const heardUnits = createHeardUnits(deps);
  const takeTold = createTakeTold<Jt808Settings, Wrong>({
    ...{ metrics, log, findUnits, knocks, store: recordStoreOf(deps) },
    ...{ standard: STANDARD, waitMs: LONGEST_WAIT_MS },
  });
  const [inTurn, splitRoom, terminals, loadCodes] = [
    createConnectionTurns(),
    createSplitRoom(),
    createTerminals((unitId, atMs) => commands.greet(unitId, atMs)),
    createCodeLoader(deps),
  ];
  const commands = createTerminalCommands(deps, terminals);
  const name = 'jt808';
  const unitPort = { name, places, faults: createFaultLog(deps) };
  // No list can name it. An operator who looks for a terminal that does not appear finds it here.
  const noteNoNumber = (from: string): void => {
    metrics.records.labels('message', 'no_number').inc();
    const fields = { listener: name, address: plainAddress(from) };
    unitPort.faults.fail(name, 'no_number', fields, NO_NUMBER);
  };
  const listener = createTcpListener({
    ...deps,
    ...{ port, name, variable: 'JT808_PORT', from: deps.config.jt808From },
    openSession: (socket) =>
      openInPlace(unitPort, socket, (place) =>
        openSession(socket, {
          ...{ clock, log, findUnits, takeTold, knocks, heardUnits, limits, inTurn, place },
          ...{ noteNoNumber, splitRoom, terminals, loadCodes, events: commands },
        }),
      ),
    close: async () => {
      await heardUnits.close();
      await knocks.close();
    },
  });
  return {
    ...{ ...listener, ask: terminals.ask },
    start: async () => {
      await commands.start();
      try {
        await listener.start();
      } catch (error) {
        await commands.stop();
        throw error;
      }
    },
    stop: async () => {
      // Commands wait for answers, until the connections close.
      const stopped = commands.stop();
      await listener.stop();
      await stopped;
    },
  };
}
