// Turns messages into what they tell of their terminal, and the fates of that into their results.
import { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { type LastHeard, lastHeardIn } from '../by-id/knocks.ts';
import type { Fate } from '../by-id/take-told.ts';
import type { Told } from '../by-id/told.ts';
import { MESSAGE, RESULT } from './codes.ts';
import { readBatch, readLocation } from './locations.ts';
import type { Message } from './messages.ts';
import { readPassengerFlow } from './passenger-flow.ts';

/** A message, or an item of a batch, that cannot be read, and could not be if it came again. */
export type Wrong = 'wrong';
export type Jt808Told = Told<Jt808Settings, Wrong>;

/** A terminal that keeps to the standard. */
export const STANDARD = Jt808Settings.parse({});

/** Whether a message tells something of its terminal. */
export function tells({ id }: Pick<Message, 'id'>): boolean {
  return READERS.has(id);
}

/**
 * Reads what a message tells, item by item. The raw form of an item is the id of its message and its bytes.
 * @returns `wrong` for one that cannot be cut into items, whatever its terminal
 */
export function toldOf(
  { id, serial, body }: Pick<Message, 'id' | 'serial' | 'body'>,
  terminal: string,
): readonly Jt808Told[] | Wrong {
  const items = id === MESSAGE.locations ? readBatch(body) : [body];
  const read = READERS.get(id);
  if (items === undefined || read === undefined) return 'wrong';
  const ids = [terminal];
  const name = id.toString(16).padStart(4, '0');
  return items.map((item) => ({
    ids,
    raw: () => name + item.toString('hex'),
    read: (settings) => read(item, settings, serial) ?? 'wrong',
  }));
}

const READERS = new Map<number, typeof readPassengerFlow>([
  // A heartbeat says that its terminal lives.
  [MESSAGE.heartbeat, () => []],
  [MESSAGE.location, readLocation],
  [MESSAGE.locations, readLocation],
  [MESSAGE.passengerFlow, readPassengerFlow],
]);

/** Reads a message of a terminal that no unit has: how many records it has, and what it told last. */
export function heardOf(
  message: Message,
  terminal: string,
): { readonly records: number; readonly last: LastHeard } {
  const isPart = message.split !== null || message.isEncrypted;
  const told = isPart ? 'wrong' : toldOf(message, terminal);
  const records = (told === 'wrong' ? [] : told).flatMap(({ read }) => {
    const some = read(STANDARD, () => undefined);
    return some === 'wrong' ? [] : [...some];
  });
  return { records: records.length, last: lastHeardIn(records) };
}

/**
 * The result of a message.
 * @param fates of its items; undefined: not stored now
 * @returns undefined when it must have no answer: its terminal sends it again
 */
export function resultOf(
  { id }: Pick<Message, 'id'>,
  fates: readonly (Fate | Wrong | undefined)[],
): number | undefined {
  if (fates.includes(undefined)) return undefined;
  // There will be room, and the others count once when they come again.
  if (fates.includes('aside_full')) return RESULT.failed;
  if (fates.length === 0 || fates.includes('stored')) return RESULT.ok;
  if (fates.includes('unknown_unit')) return RESULT.failed;
  // A second has one position. People of an interval of which others are stored would be lost.
  const isTaken = id !== MESSAGE.passengerFlow && fates.includes('other_content');
  return isTaken ? RESULT.ok : RESULT.wrong;
}
