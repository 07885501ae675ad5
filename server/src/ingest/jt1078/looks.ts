// Every 15 minutes the server lists the files that the recorded cameras of a signed-in terminal have recorded since the
// last look. They stay on the registrar until somebody wants one.
import type { Db } from '../../core/db/db.ts';
import type { Deps } from '../../deps.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { type AskForFiles, isList } from './ask-for-files.ts';
import { channelOf } from './channels.ts';
import { chooseFiles } from './chosen-files.ts';
import { LONGEST_MS, type Period } from './file-list.ts';
import { announceFiles } from './listed-files.ts';
import { findServedUnit, type ServedUnit } from './served-unit.ts';
import type { StoreTerminalRecords } from './terminal-records.ts';
import { SILENCE } from './terminal-words.ts';
import { takesUploads } from './upload-requests.ts';

/** Time between two looks, ms. */
const LOOK_EVERY_MS = 15 * 60_000;
/** The same until everything missed is listed, ms. */
const CATCH_UP_MS = 60_000;
/** The same after a look at which the terminal has listed nothing, ms: it may never do. */
const REFUSED_MS = 60 * 60_000;
/** Looks of terminals that sign in together spread over this time, ms. */
const SPREAD_MS = 60_000;
/** Longest time of a look, and how far the first one goes back, ms. */
const LOOK_MS = 24 * 3_600_000;
/** Recordings of longer ago are listed when somebody asks for their range, ms. */
const LONGEST_BACK_MS = 7 * LOOK_MS;
/** A file that ended so short ago may still be written, ms. */
const WRITTEN_MS = 60_000;
/** Looks at the same time: half of the terminals that a lane serves, so that users' ranges have room. */
const MOST_LOOKS = 100;
/** Cameras of a bus whose files are listed. */
const MOST_CAMERAS = 32;
/** A look ends when its terminal has answered nothing about so many cameras: others wait for its place. */
const MOST_SILENCES = 3;

/** The looks of one process. */
export interface Looks {
  /** A unit's terminal has signed in. */
  greet(unitId: number): void;
  /** The units whose look is due, as many as may begin now. */
  due(): number[];
  /**
   * Looks, if it is due and not too many run.
   * @param isOver whether to end early; it may do something more urgent with the terminal between two lists
   */
  look(unitId: number, isOver: () => Promise<boolean>): Promise<void>;
}

/** A camera of a look. */
interface RecordedCamera {
  readonly id: number;
  readonly key: string;
  readonly channel: number;
}

/** Makes them. */
export function createLooks(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'videoOff'>,
  terminals: Pick<Terminals, 'has'>,
  storeTold: StoreTerminalRecords,
  askForFiles: AskForFiles,
): Looks {
  const { clock } = deps;
  const { db } = deps.database;
  /** By the clock of elapsed time, ms. */
  const dueMs = new Map<number, number>();
  let running = 0;

  // @returns when to look again, ms from now
  async function lookAt(unitId: number, isOver: () => Promise<boolean>): Promise<number> {
    const served = takesUploads(deps) ? await findServedUnit(db, unitId) : undefined;
    if (served === undefined) return LOOK_EVERY_MS;
    const nowMs = clock.nowMs();
    const sinceMs = (await listedUntil(db, unitId)) ?? nowMs - LOOK_MS;
    const startMs = Math.max(sinceMs, nowMs - LONGEST_BACK_MS);
    // It has signed in again, or its process has restarted.
    if (nowMs - startMs < LOOK_EVERY_MS) return LOOK_EVERY_MS - Math.max(0, nowMs - startMs);
    const period = { startMs, endMs: Math.min(nowMs, startMs + LOOK_MS) };
    const listed = await listAll(served, period, nowMs, isOver);
    // The next look begins where this one did.
    if (listed === 'left' || listed === 'no_camera') return LOOK_EVERY_MS;
    if (listed === 'refused') return REFUSED_MS;
    const { untilMs: listedMs, isCut } = listed;
    await db
      .updateTable('units')
      .set({ listed_until: new Date(listedMs) })
      .where('id', '=', unitId)
      .execute();
    return isCut || nowMs - listedMs > LONGEST_MS ? CATCH_UP_MS : LOOK_EVERY_MS;
  }

  // @returns until when all cameras are listed, ms since 1970 UTC, and whether a long list has more, unless the look has ended
  // early or no camera is listed
  async function listAll(
    served: ServedUnit,
    period: Period,
    nowMs: number,
    isOver: () => Promise<boolean>,
  ): Promise<
    { readonly untilMs: number; readonly isCut: boolean } | 'left' | 'refused' | 'no_camera'
  > {
    const cameras = await listRecordedCameras(db, served);
    if (cameras.length === 0) return 'no_camera';
    let [mayWait, mustWait] = [period.endMs, period.endMs];
    let [refused, silences, answered] = [0, 0, 0];
    for (const camera of cameras) {
      if (silences === MOST_SILENCES && answered === 0) return 'refused';
      if (await isOver()) return 'left';
      // A camera that is new, or was not in use, has not been listed as far as the others. What the unit recorded in another bus
      // since its last time in this one is none of this camera's.
      const lastMs = (await endOfLast(db, served, camera)) ?? Number.NEGATIVE_INFINITY;
      const knownMs = Math.max(lastMs, served.unit.assignedFromMs);
      const sinceMs = Math.max(knownMs, nowMs - LOOK_MS);
      const own = { ...period, startMs: Math.min(period.startMs, sinceMs) };
      const files = await askForFiles(served, camera.channel, own);
      if (files === undefined) return 'left';
      if (files === SILENCE) silences += 1;
      else answered += 1;
      if (!isList(files)) {
        // A terminal may have no such channel: the others count.
        refused += 1;
        mayWait = period.startMs;
        continue;
      }
      const endedMs = nowMs - WRITTEN_MS;
      // The next look begins there at the latest.
      const waitFromMs = own.endMs - LONGEST_MS;
      const chosen = chooseFiles(files, own, { endedMs, waitFromMs });
      const wanted = { camera, files: chosen.files, period: own, video: 'kept' } as const;
      await announceFiles(db, storeTold, served.unit, wanted);
      const written = files.filter(({ endMs }) => endMs > endedMs);
      mayWait = Math.min(mayWait, ...written.map(({ startMs }) => startMs));
      // The next look lists the rest.
      mustWait = Math.min(mustWait, chosen.leftFromMs ?? mustWait);
    }
    if (refused === cameras.length) return 'refused';
    const waitedMs = Math.max(period.startMs, period.endMs - LONGEST_MS, mayWait);
    return { untilMs: Math.min(waitedMs, mustWait), isCut: mustWait < waitedMs };
  }

  return {
    greet: (unitId) => {
      if (!dueMs.has(unitId)) dueMs.set(unitId, clock.elapsedMs() + ((unitId * 1000) % SPREAD_MS));
    },
    due: () => {
      const due: number[] = [];
      for (const [unitId, atMs] of dueMs) {
        // One that has left and is back soon is not looked at sooner.
        if (atMs > clock.elapsedMs()) continue;
        if (due.length + running >= MOST_LOOKS) break;
        if (terminals.has(unitId)) due.push(unitId);
        else dueMs.delete(unitId);
      }
      return due;
    },
    look: async (unitId, isOver) => {
      const atMs = dueMs.get(unitId);
      if (atMs === undefined || atMs > clock.elapsedMs() || running >= MOST_LOOKS) return;
      // A look that throws is repeated later, too.
      dueMs.set(unitId, clock.elapsedMs() + LOOK_EVERY_MS);
      running += 1;
      try {
        const waitMs = await lookAt(unitId, isOver);
        dueMs.set(unitId, clock.elapsedMs() + waitMs);
      } finally {
        running -= 1;
      }
    },
  };
}

async function listedUntil(db: Db, unitId: number): Promise<number | undefined> {
  const unit = await db
    .selectFrom('units')
    .select('listed_until')
    .where('id', '=', unitId)
    .executeTakeFirst();
  return unit?.listed_until?.getTime();
}

// The end of the last fragment of a camera by the unit's clock, ms since 1970 UTC; undefined: there is none.
async function endOfLast(
  db: Db,
  { unit }: ServedUnit,
  { id }: RecordedCamera,
): Promise<number | undefined> {
  const last = await db
    .selectFrom('segments')
    .select('sent_end')
    .where('unit_id', '=', unit.unitId)
    .where('camera_id', '=', id)
    .orderBy('sent_start', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.sent_end.getTime();
}

// Service cameras record without a pause: a user names the time.
async function listRecordedCameras(db: Db, { unit }: ServedUnit): Promise<RecordedCamera[]> {
  const cameras = await db
    .selectFrom('cameras')
    .select(['id', 'stream_id'])
    .where('workplace_id', '=', unit.busId ?? 0)
    .where('live', '=', false)
    .where('enabled', '=', true)
    .orderBy('id')
    .limit(MOST_CAMERAS)
    .execute();
  return cameras.flatMap(({ id, stream_id: key }) => {
    const channel = channelOf(key);
    return channel === undefined ? [] : [{ id, key, channel }];
  });
}
