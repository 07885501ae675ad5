// The states of a terminal's cameras. The cameras of a terminal that is signed in are online, but for those without a
// video signal: extra 0x15 of a location names their channels. A location without it says that all have one.
import { AppError } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { stateNumber } from '../by-id/numbers.ts';
import type { ToldRecord } from '../by-id/take-told.ts';
import { readExtras } from '../jt808/locations.ts';
import { channelOf } from './channels.ts';
import { findServedUnit } from './served-unit.ts';
import type { StoreTold } from './terminal-records.ts';

/** The extra of a location that names the channels without a signal, from the lowest bit on. */
const SIGNAL_LOST = 0x15;
const NAMED_CHANNELS = 32;
/** Cameras that an administrator adds or moves get their state after this time, ms. */
const LOOK_AGAIN_MS = 10 * 60_000;
/** States that could not be stored wait so long for the next location, ms: the disk is full, or the database away. */
const RETRY_MS = 10_000;
/** Units whose last word is remembered: more than a process has terminals. */
const MOST_UNITS = 30_000;
/** Cameras of a bus that have states. */
const MOST_CAMERAS = 256;

export interface CameraStates {
  /** A terminal has signed in. */
  signedIn(unitId: number): void;
  /** @param body of message 0x0200 */
  located(unitId: number, body: Buffer): void;
  /** Stores the states of all cameras, also those that have not changed. @throws AppError, the database's error */
  report(unitId: number): Promise<void>;
}

interface Known {
  /** The channels without a signal; undefined: no location has come. */
  lost: number | undefined;
  isStored: boolean;
  isStoring: boolean;
  /** When its cameras were looked at, and when a failed look may be repeated, by the clock of elapsed time, ms. */
  lookedMs: number;
  againMs: number;
}

/** Makes the states of one process. @param run keeps an eye on work that nobody waits for */
export function createCameraStates(
  { database: { db }, clock }: Pick<Deps, 'database' | 'clock'>,
  storeTold: StoreTold,
  run: (work: Promise<void>) => void,
): CameraStates {
  const units = new Map<number, Known>();

  function knownOf(unitId: number): Known {
    const known = units.get(unitId);
    if (known !== undefined) return known;
    const [oldest] = units.keys();
    if (units.size >= MOST_UNITS && oldest !== undefined) units.delete(oldest);
    const made = { lost: undefined, isStored: false, isStoring: false, lookedMs: 0, againMs: 0 };
    units.set(unitId, made);
    return made;
  }

  async function settle(unitId: number, known: Known): Promise<void> {
    if (known.isStoring) return;
    known.isStoring = true;
    try {
      while (!known.isStored) {
        [known.isStored, known.lookedMs] = [true, clock.elapsedMs()];
        await store(unitId, known.lost, false);
      }
    } catch (error) {
      [known.isStored, known.againMs] = [false, clock.elapsedMs() + RETRY_MS];
      if (!(error instanceof AppError)) throw error;
    } finally {
      known.isStoring = false;
    }
  }

  async function store(unitId: number, lost: number | undefined, isWhole: boolean): Promise<void> {
    const served = await findServedUnit(db, unitId);
    const busId = served?.unit.busId ?? null;
    if (served === undefined || busId === null) return;
    const cameras = await db
      .selectFrom('cameras')
      .select(['stream_id', 'status'])
      .where('workplace_id', '=', busId)
      .orderBy('id')
      .limit(MOST_CAMERAS)
      .execute();
    const sentMs = clock.nowMs();
    const states = cameras.flatMap(({ stream_id: camera, status }, n): ToldRecord[] => {
      const now = stateOf(camera, status, lost);
      if (now === status && !isWhole) return [];
      return [{ type: 'camera_state', seq: stateNumber(sentMs, n), sentMs, camera, status: now }];
    });
    await storeTold(served.unit, states);
  }

  return {
    signedIn: (unitId) => {
      const known = knownOf(unitId);
      known.isStored = false;
      run(settle(unitId, known));
    },
    located: (unitId, body) => {
      const known = knownOf(unitId);
      const lost = lostIn(body);
      const isLookDue = clock.elapsedMs() - known.lookedMs >= LOOK_AGAIN_MS;
      if (lost === known.lost && known.isStored && !isLookDue) return;
      [known.lost, known.isStored] = [lost, false];
      if (clock.elapsedMs() >= known.againMs) run(settle(unitId, known));
    },
    report: (unitId) => store(unitId, units.get(unitId)?.lost, true),
  };
}

function stateOf(
  key: string,
  before: 'online' | 'offline' | null,
  lost: number | undefined,
): 'online' | 'offline' {
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
