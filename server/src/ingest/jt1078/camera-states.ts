// The states of a terminal's cameras. The cameras of a terminal that is signed in are online, but for those without a
// video signal: extra 0x15 of a location names their channels. A location without it says that all have one. A terminal that
// was out of reach sends its locations of that time now: only one of the present says something of the present. States of
// all terminals go one way, a few at a time: after a restart of the server everything signs in, and records come first.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { stateNumber } from '../by-id/numbers.ts';
import { MOST_AHEAD_MS } from '../by-id/possible-times.ts';
import type { ToldRecord } from '../by-id/store-told.ts';
import { readExtras } from '../jt808/locations.ts';
import { createAtOnce, lateError } from '../store/at-once.ts';
import { channelOf } from './channels.ts';
import { listServedUnits, type ServedUnit } from './served-unit.ts';
import type { StoreTerminalRecords } from './terminal-records.ts';

/** The extra of a location that names the channels without a signal, from the lowest bit on. */
const SIGNAL_LOST = 0x15;
const NAMED_CHANNELS = 32;
/** An older location says nothing of the present, ms: it waited in its terminal. */
const MOST_AGO_MS = 5 * 60_000;
/** Cameras that an administrator adds or moves get their state after this time, ms. */
const LOOK_AGAIN_MS = 10 * 60_000;
/** States that could not be stored wait so long for the next message, ms: the disk is full, or the database away. */
const RETRY_MS = 10_000;
/** Units whose last word is remembered: more than a process has terminals. */
const MOST_UNITS = 30_000;
/** Cameras of a bus that have states. */
const MOST_CAMERAS = 256;
/** Units whose cameras are looked at together, and those whose states are stored at the same time. */
const MOST_TOGETHER = 100;
const STORED_AT_ONCE = 2;

export interface CameraStates {
  /** A terminal has signed in. */
  signedIn(unitId: number): void;
  /** A terminal that has signed in has sent a message. */
  heard(unitId: number): void;
  /** @param body of message 0x0200 @param sentMs its time, ms since 1970 UTC; undefined: it is no date */
  located(unitId: number, body: Buffer, sentMs: number | undefined): void;
  /** Stores the states of all cameras, also those that have not changed. @throws AppError, the database's error */
  report(unitId: number): Promise<void>;
  /** Stores no more of what waits; the next messages do. */
  clear(): void;
}

interface Known {
  /** The channels without a signal; undefined: no location has come. */
  lost: number | undefined;
  /** The time of that location, ms since 1970 UTC. */
  locatedMs: number;
  isStored: boolean;
  /** When its cameras were looked at, and when a failed look may be repeated, by the clock of elapsed time, ms. */
  lookedMs: number;
  againMs: number;
}

/** Makes the states of one process. @param run keeps an eye on work that nobody waits for */
export function createCameraStates(
  { database: { db }, clock }: Pick<Deps, 'database' | 'clock'>,
  storeTold: StoreTerminalRecords,
  run: (work: Promise<void>) => void,
): CameraStates {
  const units = new Map<number, Known>();
  /** Units whose cameras are to be looked at. */
  const due = new Set<number>();
  let isSettling = false;
  const atOnce = createAtOnce(STORED_AT_ONCE, Number.POSITIVE_INFINITY, lateError);

  function knownOf(unitId: number): Known {
    const known = units.get(unitId);
    if (known !== undefined) return known;
    const [oldest] = units.keys();
    if (units.size >= MOST_UNITS && oldest !== undefined) units.delete(oldest);
    const made = { lost: undefined, locatedMs: 0, isStored: false, lookedMs: 0, againMs: 0 };
    units.set(unitId, made);
    return made;
  }

  function settle(unitId: number): void {
    due.add(unitId);
    if (!isSettling) run(settleAll());
  }

  async function settleAll(): Promise<void> {
    isSettling = true;
    try {
      // Those that are named together are looked at together.
      await Promise.resolve();
      while (due.size > 0) {
        const some = [...due].slice(0, MOST_TOGETHER);
        for (const unitId of some) due.delete(unitId);
        await settleSome(some);
      }
    } finally {
      isSettling = false;
    }
  }

  async function settleSome(unitIds: readonly number[]): Promise<void> {
    // A change that comes meanwhile is stored next.
    for (const unitId of unitIds) {
      const known = knownOf(unitId);
      [known.isStored, known.lookedMs] = [true, clock.elapsedMs()];
    }
    const fail = (unitId: number): void => {
      const known = knownOf(unitId);
      [known.isStored, known.againMs] = [false, clock.elapsedMs() + RETRY_MS];
    };
    const all = await listStates(unitIds, false).catch((error: unknown) => {
      for (const unitId of unitIds) fail(unitId);
      throw error;
    });
    const stored = all.map(({ unit, states }) =>
      atOnce(() => storeTold(unit, states)).catch((error: unknown) => {
        fail(unit.unitId);
        if (!(error instanceof AppError)) throw error;
      }),
    );
    for (const one of await Promise.allSettled(stored)) {
      if (one.status === 'rejected') throw one.reason;
    }
  }

  // The states to store, of units that have some.
  async function listStates(unitIds: readonly number[], isWhole: boolean): Promise<UnitStates[]> {
    const served = await listServedUnits(db, unitIds);
    const cameras = await listCameras(
      db,
      served.flatMap(({ unit }) => unit.busId ?? []),
    );
    const sentMs = clock.nowMs();
    return served.flatMap(({ unit }) => {
      const lost = units.get(unit.unitId)?.lost;
      const own = unit.busId === null ? [] : (cameras.get(unit.busId) ?? []);
      const states = own.flatMap(({ key: camera, status }, n): ToldRecord[] => {
        const now = stateOf(camera, status, lost);
        if (now === status && !isWhole) return [];
        return [{ type: 'camera_state', seq: stateNumber(sentMs, n), sentMs, camera, status: now }];
      });
      return states.length === 0 ? [] : [{ unit, states }];
    });
  }

  const isPresent = (sentMs: number): boolean => {
    const agoMs = clock.nowMs() - sentMs;
    return agoMs <= MOST_AGO_MS && agoMs >= -MOST_AHEAD_MS;
  };
  const isDue = ({ isStored, lookedMs }: Known): boolean =>
    !isStored || clock.elapsedMs() - lookedMs >= LOOK_AGAIN_MS;

  return {
    signedIn: (unitId) => {
      knownOf(unitId).isStored = false;
      settle(unitId);
    },
    heard: (unitId) => {
      const known = units.get(unitId);
      // Until the sign-in is dealt with there is none.
      if (known !== undefined && isDue(known) && clock.elapsedMs() >= known.againMs) settle(unitId);
    },
    located: (unitId, body, sentMs) => {
      const known = knownOf(unitId);
      if (sentMs === undefined || sentMs < known.locatedMs || !isPresent(sentMs)) return;
      known.locatedMs = sentMs;
      const lost = lostIn(body);
      if (lost === known.lost && !isDue(known)) return;
      [known.lost, known.isStored] = [lost, false];
      if (clock.elapsedMs() >= known.againMs) settle(unitId);
    },
    report: async (unitId) => {
      const [one] = await listStates([unitId], true);
      if (one !== undefined) await storeTold(one.unit, one.states);
    },
    clear: () => due.clear(),
  };
}

type CameraState = 'online' | 'offline' | null;

/** States of a unit to store. */
interface UnitStates extends Pick<ServedUnit, 'unit'> {
  readonly states: readonly ToldRecord[];
}

/** A camera, and its state so far. */
interface KnownCamera {
  readonly key: string;
  readonly status: CameraState;
}

// The cameras of buses, by bus.
async function listCameras(
  db: Db,
  busIds: readonly number[],
): Promise<ReadonlyMap<number, readonly KnownCamera[]>> {
  const { rows } = await sql<KnownCamera & { busId: number }>`
    select here.bus_id as "busId", own.stream_id as key, own.status
    from unnest(${[...busIds]}::bigint[]) as here (bus_id)
    cross join lateral (
      select id, stream_id, status from cameras
      where workplace_id = here.bus_id order by id limit ${MOST_CAMERAS}) as own
    order by own.id`.execute(db);
  return Map.groupBy(rows, ({ busId }) => busId);
}

function stateOf(key: string, before: CameraState, lost: number | undefined): 'online' | 'offline' {
  // Until the first location a camera keeps the state that it had.
  if (lost === undefined) return before ?? 'online';
  const channel = channelOf(key);
  if (channel === undefined || channel > NAMED_CHANNELS) return 'online';
  return ((lost >>> (channel - 1)) & 1) === 1 ? 'offline' : 'online';
}

function lostIn(body: Buffer): number {
  const extra = readExtras(body).get(SIGNAL_LOST);
  return extra?.length === 4 ? extra.readUInt32BE(0) : 0;
}
