// The ranges of recordings that users ask for: the terminal lists their files, which become fragments that are asked for.
// Lists are one lane of a terminal, so the looks at its recorded cameras are here, too.
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { isFull } from '../../core/disk.ts';
import type { Deps } from '../../deps.ts';
import { listOpenCommands } from '../../fetching/commands.ts';
import { requestIfWanted } from '../../fetching/preload.ts';
import { joinKnown } from '../../fetching/preloads.ts';
import { askForAllAgain } from '../../fetching/tries.ts';
import { moveFragments } from '../../fragments/state.ts';
import type { CommandWord } from '../http/acknowledge.ts';
import type { Terminals } from '../jt808/terminals.ts';
import { createFileLists, isList } from './ask-for-files.ts';
import { channelOf } from './channels.ts';
import { chooseFiles } from './chosen-files.ts';
import type { Lane } from './lane.ts';
import { announceFiles } from './listed-files.ts';
import { createLooks } from './looks.ts';
import { findServedUnit } from './served-unit.ts';
import type { StoreTerminalRecords } from './terminal-records.ts';
import { sayFor } from './terminal-words.ts';
import { takesUploads } from './upload-requests.ts';

/** The work of one process with lists of files. */
export interface Recordings extends Lane {
  /** A unit's terminal has signed in. */
  greet(unitId: number): void;
  /** A terminal has sent a list that nobody waits for any more. */
  listedLate(unitId: number): void;
}

/** Makes it. */
export function createRecordings(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'disk' | 'videoOff'>,
  terminals: Pick<Terminals, 'ask' | 'has'>,
  storeTold: StoreTerminalRecords,
): Recordings {
  const { clock } = deps;
  const { db } = deps.database;
  const kinds = ['fetch_range'] as const;
  const lists = createFileLists(terminals);
  const looks = createLooks(deps, terminals, storeTold, lists.forLook);

  async function fetchRange(
    unitId: number,
    command: UnitCommand,
  ): Promise<CommandWord | undefined> {
    if (!takesUploads(deps)) return failed('uploads_not_set_up');
    const { range } = command;
    const channel = channelOf(range?.camera ?? '');
    if (range === undefined || channel === undefined) return failed('no_channel');
    // A list that cannot be stored is not asked for.
    if (await isFull(deps.disk)) return undefined;
    const served = await findServedUnit(db, unitId);
    if (served === undefined) return undefined;
    const period = { startMs: Date.parse(range.start_time), endMs: Date.parse(range.end_time) };
    const files = await lists.forRange(served, channel, period);
    if (!isList(files)) return files;
    const chosen = chooseFiles(files, period, { endedMs: clock.nowMs() }).files;
    // The request was cancelled meanwhile: nobody waits for these files.
    const onlyCameraId = await findAskedCamera(db, command.id);
    if (onlyCameraId === undefined) return undefined;
    const camera = { key: range.camera, channel };
    // The unit's move may have been entered meanwhile: nobody has asked for the other bus.
    const wanted = { camera, files: chosen, period, video: 'queued', onlyCameraId } as const;
    const { known, queued } = await announceFiles(db, storeTold, served.unit, wanted);
    if (known === 0) return failed('no_recording');
    await askFor(command.id, queued);
    for (const { preloadId, fragmentId } of await joinKnown(db, command.id)) {
      await db
        .transaction()
        .execute((tx) => requestIfWanted(tx, preloadId, fragmentId, clock.nowMs()));
    }
    return { result: 'done' };
  }

  async function askFor(commandId: number, fragmentIds: readonly number[]): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const fragments = await tx
        .selectFrom('segments')
        .select('id')
        .where(sql<boolean>`id = any(${[...fragmentIds]}::bigint[])`)
        .where('status', '=', 'ADDED')
        .orderBy('id')
        .forUpdate()
        .execute();
      if (fragments.length === 0 || (await findAskedCamera(tx, commandId)) === undefined) return;
      const ids = fragments.map(({ id }) => id);
      await moveFragments(tx, ids, 'DOWNLOADING_FROM_TASK', { atMs: clock.nowMs() });
      await askForAllAgain(tx, ids, clock.nowMs());
    });
  }

  async function fetchRanges(unitId: number, isStopped: () => boolean): Promise<void> {
    for (const command of await listOpenCommands(db, unitId, clock.nowMs(), kinds)) {
      if (isStopped() || !terminals.has(unitId)) return;
      const word = await fetchRange(unitId, command);
      if (isStopped()) return;
      if (word !== undefined) await sayFor(db, unitId, command.id, word, clock.nowMs());
    }
  }

  return {
    ...{ kinds, greet: looks.greet, listedLate: lists.late },
    due: async (asked) => [...asked, ...looks.due()],
    serve: async (unitId, isStopped) => {
      await fetchRanges(unitId, isStopped);
      // Nobody waits for a look; it may last minutes.
      await looks.look(unitId, async () => {
        await fetchRanges(unitId, isStopped);
        return isStopped();
      });
    },
  };
}

const failed = (failReason: 'no_channel' | 'no_recording' | 'uploads_not_set_up'): CommandWord => ({
  ...{ result: 'failed', final: true, failReason },
});

// The camera of a command that is not finished.
async function findAskedCamera(db: Db, commandId: number): Promise<number | undefined> {
  const command = await db
    .selectFrom('unit_commands')
    .select('camera_id')
    .where('id', '=', commandId)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return command?.camera_id ?? undefined;
}
