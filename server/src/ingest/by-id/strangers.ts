// Notes the messages of ids that no unit has. Anybody may send them, so little of them is read.
import { type Knocks, lastHeardIn } from './knocks.ts';
import type { ToldRecord } from './store-told.ts';
import { isRead, type Told } from './told.ts';

/** Most messages, and about as many records, of an id among which is looked for what it told last. */
const MOST_LAST = 50;
/** Ids that are noted in a round of the process. */
const MOST_NOTED = 16;

/**
 * Makes the notes of one listener.
 * @param standard see `TakeToldDeps`
 * @param oneByOne waits for a round of the process
 * @returns notes messages by the best id of each
 */
export function createNoteStrangers<Settings>({
  knocks,
  standard,
  oneByOne,
}: {
  readonly knocks: Pick<Knocks, 'note'>;
  readonly standard: Settings;
  readonly oneByOne: () => Promise<void>;
}) {
  return async (
    strangers: ReadonlyMap<string, readonly Told<Settings, number | string>[]>,
    address: string,
  ): Promise<void> => {
    let left = MOST_NOTED;
    for (const [id, some] of strangers) {
      const [, ...otherIds] = some[0]?.ids ?? [];
      knocks.note(id, address, some.length, () => lastHeardIn(lastOf(some)), otherIds);
      left -= 1;
      if (left > 0) continue;
      left = MOST_NOTED;
      await oneByOne();
    }
  };

  // The last records of messages, in their order.
  function lastOf(some: readonly Told<Settings, number | string>[]): ToldRecord[] {
    const parts: ToldRecord[][] = [];
    let count = 0;
    for (const { read, readEnd } of some.slice(-MOST_LAST).reverse()) {
      const records = readEnd?.(standard) ?? read(standard, () => undefined);
      if (!isRead(records)) continue;
      const part = [...records];
      parts.push(part);
      count += part.length;
      if (count >= MOST_LAST) break;
    }
    return parts.reverse().flat();
  }
}
