import { isDeepStrictEqual } from 'node:util';
import { AppError } from './errors.ts';

/** Longest value in a message, UTF-16 units. */
const MOST_SHOWN = 255;

/**
 * Refuses a change of a value that somebody else has changed since the user saw it. Values are compared field by field;
 * arrays are sets. A stored value that equals the new one is no conflict: it is a repeat after a lost answer.
 * @param stored the values now, read under a lock; fields that it lacks are not compared
 * @param wanted the new values; `seen` has those that the user saw, a field without one is set unconditionally
 * @param current what the answer tells of the present state
 * @throws AppError conflict with the field of `seen`
 */
export function refuseUnseen(
  stored: object,
  wanted: { readonly seen?: object | undefined },
  current?: unknown,
): void {
  const now = new Map<string, unknown>(Object.entries(stored));
  const next = new Map<string, unknown>(Object.entries(wanted));
  for (const [field, saw] of Object.entries({ ...wanted.seen })) {
    const [value, wish] = [now.get(field), next.get(field)];
    if (value === undefined || saw === undefined || wish === undefined) continue;
    if (isSame(value, saw) || isSame(value, wish)) continue;
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    const message = `was changed meanwhile: ${shown.slice(0, MOST_SHOWN)}`;
    throw new AppError('conflict', message, { field: `seen.${field}`, current });
  }
}

/** Whether two values of JSON are the same; arrays are sets. */
export const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(asSet(a), asSet(b));

const asSet = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value;
