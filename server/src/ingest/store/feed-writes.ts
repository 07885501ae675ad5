// Writes notes for those who listen to units. Nothing waits for a note, and few are written at a time: while the database is
// slow, each would keep what a unit sent in memory, and a connection that records need.
import { isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import type { FeedNote, ListenedUnit } from './unit-feed.ts';

const MOST_WRITING = 8;

/**
 * Makes what writes notes.
 * @param insert see `insertFeed`
 * @returns writes those of a unit, or leaves them out when eight others are being written; it makes them only if they are
 *   written, returns at once and throws nothing
 */
export function createFeedWrites(
  { log }: Pick<Deps, 'log'>,
  insert: (unit: ListenedUnit, notes: readonly FeedNote[]) => Promise<void>,
): (unit: ListenedUnit, notesOf: () => readonly FeedNote[]) => void {
  let writing = 0;

  async function write(unit: ListenedUnit, notesOf: () => readonly FeedNote[]): Promise<void> {
    writing += 1;
    try {
      await insert(unit, notesOf());
    } catch (err) {
      if (!isDatabaseAway(err))
        log.warn({ err, unitId: unit.unitId }, 'what a unit sent was not kept');
    } finally {
      writing -= 1;
    }
  }

  return (unit, notesOf) => {
    if (writing < MOST_WRITING) void write(unit, notesOf);
  };
}
