import type { Point } from '@ridewatch/contract/primitives';
import { type Message, message } from './messages.ts';

/**
 * Parses a place from numbers, or from text with a decimal point or comma.
 * @returns null if it is not on earth, and for 0,0, which files use for an unknown place
 */
export function placeOf(latitude: unknown, longitude: unknown): Point | null {
  const [north, east] = [degreesOf(latitude), degreesOf(longitude)];
  if (north === null || east === null) return null;
  if (Math.abs(north) > 90 || Math.abs(east) > 180 || (north === 0 && east === 0)) return null;
  return { latitude: north, longitude: east };
}

function degreesOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim().replace(',', '.');
  if (!/^[+-]?\d{1,7}(\.\d*)?(e[+-]?\d{1,2})?$/i.test(text)) return null;
  return Number(text);
}

type Omission =
  | 'withoutPlace'
  | 'rowsWithoutPlace'
  | 'stopsWithoutPlace'
  | 'areas'
  | 'others'
  | 'rareWays';

/** Counts omitted items for the notes. */
export class Omissions {
  readonly #counts = new Map<Omission, number>();

  add(what: Omission): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  notes(): Message[] {
    return [...this.#counts].map(([what, count]) => message(what, count));
  }
}
