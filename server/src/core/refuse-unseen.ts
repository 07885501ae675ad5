import { isDeepStrictEqual } from 'node:util';
import { AppError } from './errors.ts';

/** Longest value in a message, UTF-16 units. */
const MOST_SHOWN = 255;

/**
 * Finds a value that somebody else has changed since the user saw it. Values are compared field by field; arrays are
 * sets. A stored value that equals the new one is no conflict: it is a repeat after a lost answer.
 * @param stored the values now, read under a lock; fields that it lacks are not compared
 * @param wanted the new values
 * @param known what the user knows of them: what it saw, then what own saves without an answer stored. A field that the
 *   first does not name is set unconditionally
 * @returns the field; undefined if there is none
 */
export function unseenField(
  stored: object,
  wanted: object,
  known: readonly object[],
): string | undefined {
  const [now, next] = [mapOf(stored), mapOf(wanted)];
  const all = known.map(mapOf);
  return [...(all[0]?.keys() ?? [])].find((field) => {
    const [value, wish] = [now.get(field), next.get(field)];
    if (value === undefined || wish === undefined || isSame(value, wish)) return false;
    return !all.some((one) => one.has(field) && isSame(one.get(field), value));
  });
}

/**
 * Refuses a change of a value that somebody else has changed since the user saw it: see `unseenField`.
 * @param wanted the new values; `seen` has those that the user saw
 * @param current what the answer tells of the present state
 * @throws AppError conflict with the field of `seen`
 */
export function refuseUnseen(
  stored: object,
  wanted: { readonly seen?: object | undefined },
  current?: unknown,
): void {
  const field = unseenField(stored, wanted, [wanted.seen ?? {}]);
  if (field === undefined) return;
  const value = mapOf(stored).get(field);
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const message = `was changed meanwhile: ${shown.slice(0, MOST_SHOWN)}`;
  throw new AppError('conflict', message, { field: `seen.${field}`, current });
}

/** Whether two values of JSON are the same; arrays are sets. */
export const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(asSet(a), asSet(b));

const asSet = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value;

// A field that a request leaves undefined is not named.
const mapOf = (values: object): Map<string, unknown> =>
  new Map(Object.entries(values).filter(([, value]) => value !== undefined));
